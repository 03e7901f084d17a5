//! The OSV service: names and versions go out, advisories come back.

use std::collections::BTreeSet;
use std::time::Duration;

use proofmark_core::evidence::{Advisories, Ecosystem};
use serde_json::{Value, json};

use super::record::Record;
use super::{Wanted, failed};

/// As many as the service takes at once.
const BATCH: usize = 1_000;
const MAX_RECORDS: usize = 2_000;
const MAX_BYTES: usize = 32 << 20;
const PATIENCE: Duration = Duration::from_secs(30);

pub(super) async fn search(base: &str, wanted: &Wanted) -> Advisories {
    let origin = base.trim_end_matches('/').to_owned();
    match ask(&origin, wanted).await {
        Ok(found) => found,
        Err(why) => failed(origin, why),
    }
}

async fn ask(base: &str, wanted: &Wanted) -> Result<Advisories, String> {
    let client = reqwest::Client::builder()
        .timeout(PATIENCE)
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(|e| e.to_string())?;
    let queries: Vec<Value> = wanted
        .packages
        .iter()
        .flat_map(|((kind, name), versions)| versions.iter().map(|v| query(*kind, name, v)))
        .collect();
    let mut ids: BTreeSet<String> = BTreeSet::new();
    for batch in queries.chunks(BATCH) {
        let body = json!({ "queries": batch }).to_string();
        let request = client.post(format!("{base}/v1/querybatch")).body(body);
        let answer: Value = answer(request.header("content-type", "application/json")).await?;
        let results = answer.get("results").and_then(Value::as_array).into_iter().flatten();
        let named = results.filter_map(|r| r.get("vulns")?.as_array()).flatten();
        ids.extend(named.filter_map(|v| v.get("id")?.as_str()).map(str::to_owned));
    }
    let mut found = Advisories { origin: base.to_owned(), ..Advisories::default() };
    for id in ids.iter().filter(|id| is_plain(id)).take(MAX_RECORDS) {
        let record: Record = answer(client.get(format!("{base}/v1/vulns/{id}"))).await?;
        found.records.extend(wanted.advisory(record));
    }
    if ids.len() > MAX_RECORDS {
        found.problem = Some(format!("only {MAX_RECORDS} of {} advisories were read", ids.len()));
    }
    Ok(found)
}

fn query(ecosystem: Ecosystem, name: &str, version: &str) -> Value {
    let version = match ecosystem {
        Ecosystem::Go => version.trim_start_matches('v'),
        Ecosystem::Npm | Ecosystem::Pypi | Ecosystem::Crate => version,
    };
    json!({ "package": { "ecosystem": ecosystem.osv(), "name": name }, "version": version })
}

/// An id becomes part of an address.
fn is_plain(id: &str) -> bool {
    id.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}

async fn answer<T: serde::de::DeserializeOwned>(
    request: reqwest::RequestBuilder,
) -> Result<T, String> {
    let said = |e: reqwest::Error| format!("it could not be asked: {}", e.without_url());
    let mut response = request.send().await.map_err(said)?;
    if !response.status().is_success() {
        return Err(format!("it answered with status {}", response.status().as_u16()));
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(said)? {
        if bytes.len() + chunk.len() > MAX_BYTES {
            return Err(format!("its answer is longer than {} MiB", MAX_BYTES >> 20));
        }
        bytes.extend_from_slice(&chunk);
    }
    serde_json::from_slice(&bytes).map_err(|e| format!("its answer can't be read: {e}"))
}
