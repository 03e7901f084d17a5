//! The bill of materials: what the server is built from, as CycloneDX 1.5. No serial number and no
//! time stamp, so the same lock files give the same bytes.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::text::clean;
use crate::evidence::{Dependencies, Ecosystem, Locked};
use crate::percent::{AsciiSet, PART, encoded};
use crate::report::Report;

/// What has to be encoded in the address of a package.
const PURL: &AsciiSet = &PART.remove(b':');

pub fn cyclonedx(report: &Report) -> Result<String, serde_json::Error> {
    let mut components: BTreeMap<String, Value> = BTreeMap::new();
    let mut direct: BTreeSet<String> = BTreeSet::new();
    for (_, package) in report.dependencies.iter().flat_map(Dependencies::packages) {
        let purl = purl(package);
        if package.direct {
            direct.insert(purl.clone());
        }
        components.entry(purl.clone()).or_insert_with(|| component(package, &purl));
    }
    let server = &report.server;
    let bom = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "tools": { "components": [
                { "type": "application", "name": "proofmark", "version": report.proofmark }
            ] },
            "component": {
                "type": "application",
                "bom-ref": "server",
                "name": clean(&report.server_name()),
                "version": clean(server.version.as_deref().unwrap_or_default()),
            },
        },
        "components": components.into_values().collect::<Vec<_>>(),
        "dependencies": [{ "ref": "server", "dependsOn": direct }],
    });
    let mut text = serde_json::to_string_pretty(&bom)?;
    text.push('\n');
    Ok(text)
}

fn component(package: &Locked, purl: &str) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": purl,
        "name": clean(&package.name),
        "purl": purl,
        "scope": if package.dev { "excluded" } else { "required" },
    });
    if let Some(version) = &package.version {
        component["version"] = json!(clean(version));
    }
    if let Some(licence) = &package.licence {
        component["licenses"] = licences(licence);
    }
    component
}

/// An identifier of SPDX, an expression, or a name of somebody's own.
fn licences(text: &str) -> Value {
    match (spdx::license_id(text), spdx::Expression::parse(text)) {
        (Some(id), _) => json!([{ "license": { "id": id.name } }]),
        (None, Ok(_)) => json!([{ "expression": text }]),
        (None, Err(_)) => json!([{ "license": { "name": clean(text) } }]),
    }
}

/// `pkg:npm/%40scope/name@1.0.0`.
fn purl(package: &Locked) -> String {
    let name = match package.ecosystem {
        Ecosystem::Pypi => package.ecosystem.normal(&package.name),
        Ecosystem::Npm | Ecosystem::Crate | Ecosystem::Go => package.name.clone(),
    };
    let path: Vec<String> = name.split('/').map(|part| encoded(part, PURL)).collect();
    let version = package.version.as_deref().map(|v| format!("@{}", encoded(v, PURL)));
    format!("pkg:{}/{}{}", package.ecosystem.purl(), path.join("/"), version.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{LockFile, LockFormat};
    use crate::render::{golden, hostile};

    fn bom(packages: Vec<Locked>) -> Value {
        let lock =
            LockFile { path: "x".to_owned(), format: LockFormat::Uv, packages, problem: None };
        let mut report = golden::report();
        report.dependencies = Some(Dependencies { locks: vec![lock], advisories: None });
        let text = cyclonedx(&report).unwrap();
        assert_eq!(text, cyclonedx(&report).unwrap());
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn packages_become_components_in_order_each_once() {
        let scoped = Locked {
            licence: Some("MIT OR Apache-2.0".to_owned()),
            direct: true,
            ..Locked::new(Ecosystem::Npm, "@s/b", Some("2.0.0"))
        };
        let python = Locked {
            licence: Some("Our own".to_owned()),
            dev: true,
            ..Locked::new(Ecosystem::Pypi, "Typing_Extensions", Some("4.0+x"))
        };
        let bom = bom(vec![python.clone(), scoped, python]);
        let refs: Vec<&str> = bom["components"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| c["purl"].as_str().unwrap())
            .collect();
        assert_eq!(refs, ["pkg:npm/%40s/b@2.0.0", "pkg:pypi/typing-extensions@4.0%2Bx"]);
        assert_eq!(bom["components"][0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(bom["components"][1]["licenses"][0]["license"]["name"], "Our own");
        assert_eq!(bom["components"][1]["scope"], "excluded");
        assert_eq!(bom["dependencies"][0]["dependsOn"], json!(["pkg:npm/%40s/b@2.0.0"]));
        assert_eq!((&bom["specVersion"], &bom["bomFormat"]), (&json!("1.5"), &json!("CycloneDX")));
    }

    #[test]
    fn hostile_names_and_licences_stay_values() {
        let one = Locked {
            licence: Some(hostile::TEXT.to_owned()),
            ..Locked::new(Ecosystem::Npm, hostile::TEXT, Some(hostile::TEXT))
        };
        let bom = bom(vec![one]);
        let component = &bom["components"][0];
        let purl = component["purl"].as_str().unwrap();
        assert!(purl.is_ascii() && !purl.contains(['<', ' ', '"', '\n']), "{purl}");
        assert!(component["licenses"][0]["license"]["name"].is_string(), "{component}");
        assert_eq!(bom["components"].as_array().map(Vec::len), Some(1));
        hostile::assert_no_controls(&component.to_string().replace("\\n", ""));
    }

    #[test]
    fn a_single_licence_is_named_by_its_identifier() {
        let one = Locked {
            licence: Some("MIT".to_owned()),
            ..Locked::new(Ecosystem::Go, "github.com/a/b", Some("v1.0.0"))
        };
        let bom = bom(vec![one]);
        assert_eq!(bom["components"][0]["licenses"][0]["license"]["id"], "MIT");
        assert_eq!(bom["components"][0]["purl"], "pkg:golang/github.com/a/b@v1.0.0");
    }
}
