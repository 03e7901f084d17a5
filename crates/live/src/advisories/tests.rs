//! Databases as their exports look, and a service on loopback.

use std::io::Write;

use proofmark_core::evidence::{
    Advisories, Bound, Dependencies, Ecosystem, LockFile, LockFormat, Locked, Rating,
};

use super::{Lookup, look_up};

const RECORD: &str = r#"{"id": "GHSA-xxxx-1", "aliases": ["CVE-2026-1"], "summary": "Bad input is run",
    "database_specific": {"severity": "HIGH"},
    "affected": [{"package": {"ecosystem": "npm", "name": "a"}, "versions": ["1.0.0", "9.9.9"],
        "ranges": [{"type": "GIT", "events": [{"introduced": "0"}]},
                   {"type": "SEMVER", "events": [{"introduced": "0"}, {"fixed": "1.2.0"}]}]},
        {"package": {"ecosystem": "npm", "name": "other"}}]}"#;

fn dependencies() -> Dependencies {
    let package = |kind, name| Locked::new(kind, name, Some("1.0.0"));
    let packages = vec![package(Ecosystem::Npm, "a"), package(Ecosystem::Crate, "c")];
    let lock =
        LockFile { path: "x".to_owned(), format: LockFormat::PackageLock, packages, problem: None };
    Dependencies { locks: vec![lock], advisories: None }
}

fn found(lookup: &Lookup) -> Advisories {
    let mut dependencies = dependencies();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(look_up(&mut dependencies, lookup));
    dependencies.advisories.unwrap()
}

#[test]
fn a_directory_and_an_archive_are_searched_and_odd_files_are_counted() {
    let dir = tempfile::tempdir().unwrap();
    let crates = dir.path().join("crates.io");
    std::fs::create_dir(&crates).unwrap();
    let notice = r#"{"id": "RUSTSEC-2026-0001", "affected": [{"package": {"ecosystem": "crates.io", "name": "c"},
        "database_specific": {"informational": "unmaintained"}, "ranges": [{"type": "SEMVER", "events": [{"introduced": "0.0.0-0"}]}]}]}"#;
    std::fs::write(crates.join("RUSTSEC-2026-0001.json"), notice).unwrap();
    std::fs::write(crates.join("broken.json"), "{").unwrap();
    let withdrawn = RECORD
        .replace("GHSA-xxxx-1", "GHSA-xxxx-2")
        .replace("\"summary\"", "\"withdrawn\": \"2026-01-01T00:00:00Z\", \"summary\"");
    let mut archive =
        zip::ZipWriter::new(std::fs::File::create(dir.path().join("all.zip")).unwrap());
    let plain = zip::write::SimpleFileOptions::default();
    for (name, text) in [("1.json", RECORD), ("2.json", withdrawn.as_str())] {
        archive.start_file(name, plain).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap();

    let found = found(&Lookup::Path(dir.path().to_owned()));
    assert_eq!(found.searched, Some(3));
    assert_eq!(found.problem.as_deref(), Some("1 of its 4 files are no OSV records"));
    let [ghsa, rustsec] = &found.records[..] else { panic!("{found:?}") };
    assert_eq!((ghsa.id.as_str(), ghsa.rating), ("GHSA-xxxx-1", Rating::High));
    assert_eq!(ghsa.affected.len(), 1);
    assert_eq!(ghsa.affected[0].versions, ["1.0.0"]);
    let bounds = [Bound::Introduced("0".to_owned()), Bound::Fixed("1.2.0".to_owned())];
    assert_eq!(ghsa.affected[0].ranges, [bounds.to_vec()]);
    assert_eq!(rustsec.rating, Rating::Notice);
}

#[test]
fn a_database_of_other_packages_is_no_database_for_these() {
    let dir = tempfile::tempdir().unwrap();
    let found = found(&Lookup::Path(dir.path().to_owned()));
    assert!(found.problem.unwrap().contains("no advisory about such packages"));
}

#[test]
fn a_service_is_asked_for_ids_and_then_for_each_record() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let serving = std::thread::spawn(move || {
        let answers =
            [r#"{"results": [{"vulns": [{"id": "GHSA-xxxx-1"}, {"id": "../x"}]}, {}]}"#, RECORD];
        let mut asked = Vec::new();
        for body in answers {
            let (mut stream, _) = listener.accept().unwrap();
            asked.push(request(&mut stream));
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                body.len()
            );
            stream.write_all(head.as_bytes()).unwrap();
            stream.write_all(body.as_bytes()).unwrap();
        }
        asked
    });
    let _ = rustls::crypto::ring::default_provider().install_default();
    let found = found(&Lookup::Service(base));
    let asked = serving.join().unwrap();
    assert!(asked[0].starts_with("POST /v1/querybatch") && asked[0].contains("\"crates.io\""));
    assert!(asked[1].starts_with("GET /v1/vulns/GHSA-xxxx-1 "), "{}", asked[1]);
    assert_eq!((found.records.len(), found.searched, found.problem), (1, None, None));
}

#[test]
fn a_service_that_can_not_be_reached_is_a_problem_and_not_a_pass() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let found = found(&Lookup::Service("http://127.0.0.1:1".to_owned()));
    assert!(found.problem.unwrap().contains("could not be asked"));
}

/// One request with its body.
fn request(stream: &mut std::net::TcpStream) -> String {
    use std::io::Read;
    let mut text = String::new();
    let mut part = [0u8; 4096];
    loop {
        let n = stream.read(&mut part).unwrap();
        text.push_str(&String::from_utf8_lossy(&part[..n]));
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head
            .to_lowercase()
            .lines()
            .find_map(|l| l.strip_prefix("content-length: ")?.parse().ok());
        if body.len() >= length.unwrap_or(0usize) {
            return text;
        }
    }
}
