//! Tests of the lookup over made-up baselines, and of the recorded data.

use super::*;
use crate::spec::requirement;

const MADE_UP: &str = r#"
    [[baseline]]
    sdk = "mcp (Python)"
    version = "1.9.4"
    transport = "stdio"
    fails = { ABC = ["RPC-08", "RPC-10"] }
    tolerated = {}
    passes = { ABC = ["LIFE-01"] }

    [[baseline]]
    sdk = "mcp (Python)"
    version = "1.30.0"
    transport = "stdio"
    fails = { ABCD = ["RPC-08"], B = ["CANC-03"] }
    tolerated = { ABCD = ["RPC-07"] }
    passes = { ABCD = ["LIFE-01", "RPC-10"], ACD = ["CANC-03"] }

    [[baseline]]
    sdk = "mcp (Python)"
    version = "1.30.0"
    transport = "stdio"
    fails = { ABCD = ["TOOL-14"] }
    tolerated = {}
    passes = { ABCD = ["LIFE-01", "RPC-08", "RPC-10"] }

    [[baseline]]
    sdk = "mcp (Python)"
    version = "2.3.0"
    transport = "stdio"
    fails = { ABCD = ["TOOL-14"] }
    tolerated = {}
    passes = { ABCDE = ["RPC-08"] }

    [[baseline]]
    sdk = "@modelcontextprotocol/sdk (TypeScript)"
    version = "1.32.2"
    transport = "stdio"
    fails = { D = ["RPC-01"] }
    tolerated = {}
    passes = {}

    [[baseline]]
    sdk = "@modelcontextprotocol/server (TypeScript)"
    version = "2.4.0"
    transport = "stdio"
    fails = {}
    tolerated = {}
    passes = { D = ["RPC-01"] }
"#;

fn sdk(name: &str, version: Option<&str>, confidence: Confidence) -> SdkSummary {
    let version = version.map(str::to_owned);
    SdkSummary { name: name.to_owned(), version, confidence, because: Vec::new() }
}

fn fault(requirement: &str, revision: Revision) -> Fault<'_> {
    Fault { requirement, revision, transport: Transport::Stdio, partial: false }
}

fn python(version: &str, fault: &Fault<'_>) -> String {
    let made_up: Recorded = toml::from_str(MADE_UP).unwrap_or_else(|e| unreachable!("{e}"));
    made_up.origin(&sdk("mcp (Python)", Some(version), Confidence::High), fault).to_string()
}

const D: Revision = Revision::V2025_11_25;
const C: Revision = Revision::V2025_06_18;
const UNKNOWN: &str = "of unknown origin";

#[test]
fn what_a_minimal_server_fails_too_is_inherited_and_the_upgrade_is_named() {
    let inherited = "inherited from mcp 1.30.0, fixed in mcp 2.3.0";
    assert_eq!(python("1.30.0", &fault("RPC-08", D)), inherited);
    assert_eq!(python("1.30.0", &fault("TOOL-14", D)), "inherited from mcp 1.30.0");
}

#[test]
fn a_race_that_is_lost_in_one_revision_is_lost_in_all() {
    assert_eq!(python("1.30.0", &fault("CANC-03", D)), "inherited from mcp 1.30.0");
}

#[test]
fn what_every_minimal_server_passes_is_own() {
    assert_eq!(python("1.30.0", &fault("LIFE-01", D)), "own");
}

#[test]
fn a_failure_of_what_is_only_tolerated_in_the_sdk_is_own() {
    let failed = fault("RPC-07", D);
    assert_eq!(python("1.30.0", &failed), "own");
    let tolerated = Fault { partial: true, ..failed };
    assert_eq!(python("1.30.0", &tolerated), "inherited from mcp 1.30.0");
}

#[test]
fn without_a_verdict_on_the_minimal_server_nothing_is_said() {
    assert_eq!(python("1.30.0", &fault("RES-01", D)), UNKNOWN);
    assert_eq!(python("1.9.4", &fault("LIFE-01", D)), UNKNOWN);
    let http = Fault { transport: Transport::Http, ..fault("LIFE-01", D) };
    assert_eq!(python("1.30.0", &http), UNKNOWN);
    assert_eq!(python("3.0.0", &fault("LIFE-01", D)), UNKNOWN);
}

#[test]
fn an_unrecorded_version_is_judged_by_its_neighbours_if_they_agree() {
    assert_eq!(python("1.20.0", &fault("LIFE-01", C)), "own");
    let inherited = "inherited from mcp 1.30.0, fixed in mcp 2.3.0";
    assert_eq!(python("1.20.0", &fault("RPC-08", C)), inherited);
    assert_eq!(python("1.20.0", &fault("RPC-10", C)), UNKNOWN);
    assert_eq!(python("1.31.2", &fault("RPC-10", C)), "own");
    assert_eq!(
        python("1.2.0", &fault("RPC-10", C)),
        "inherited from mcp 1.9.4, fixed in mcp 1.30.0"
    );
}

#[test]
fn a_major_version_alone_stands_for_all_of_it() {
    let inherited = "inherited from mcp 1.30.0, fixed in mcp 2.3.0";
    assert_eq!(python("1.x", &fault("RPC-08", C)), inherited);
    assert_eq!(python("1.x", &fault("RPC-10", C)), UNKNOWN);
}

#[test]
fn a_package_that_goes_on_under_another_name_is_upgraded_to_it() {
    let made_up: Recorded = toml::from_str(MADE_UP).unwrap_or_else(|e| unreachable!("{e}"));
    let sdk = sdk("@modelcontextprotocol/sdk (TypeScript)", None, Confidence::Medium);
    let told = "inherited from @modelcontextprotocol/sdk 1.32.2, fixed in @modelcontextprotocol/server 2.4.0";
    assert_eq!(made_up.origin(&sdk, &fault("RPC-01", D)).to_string(), told);
}

#[test]
fn an_sdk_that_is_not_known_or_only_guessed_settles_nothing() {
    let guessed = sdk("mcp (Python)", Some("2.3.0"), Confidence::Low);
    let other = sdk("rmcp (Rust)", Some("0.1.0"), Confidence::High);
    for sdk in [None, Some(&guessed), Some(&other)] {
        assert_eq!(origin(sdk, &fault("LIFE-01", D)), Origin::Unknown);
    }
}

#[test]
fn the_recorded_baselines_name_requirements_of_the_table_in_their_revisions() {
    let recorded = parse().unwrap_or_else(|e| unreachable!("{e}"));
    assert!(!recorded.baseline.is_empty());
    for baseline in &recorded.baseline {
        let kinds = [&baseline.fails, &baseline.tolerated, &baseline.passes];
        for (revisions, ids) in kinds.into_iter().flatten() {
            for id in ids {
                let row =
                    requirement(id).unwrap_or_else(|| unreachable!("{id} is not in the table"));
                assert!(revisions.iter().all(|r| row.level(r).is_some()), "{id} in {revisions:?}");
                assert!(row.covers(baseline.transport), "{id} over {:?}", baseline.transport);
            }
        }
    }
}

#[test]
fn every_recorded_sdk_has_a_name_that_the_fingerprint_gives_and_a_full_version() {
    let recorded = parse().unwrap_or_else(|e| unreachable!("{e}"));
    for baseline in &recorded.baseline {
        assert!(baseline.sdk.ends_with(" (Python)") || baseline.sdk.ends_with(" (TypeScript)"));
        assert_eq!(baseline.version.numbers.len(), 3, "{}", baseline.version.text);
    }
}
