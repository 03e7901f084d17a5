//! What must not show in evidence (scrub) and what must not count in it (digest).

use std::collections::BTreeMap;

use proofmark_core::evidence::{Evidence, Micros, Reply};
use proofmark_core::pages;
use proofmark_core::scrub::{Scrub, looks_like_a_token, names_a_secret};
use proofmark_core::target::Target;
use serde_json::json;

fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
}

fn learnt(target: &Target) -> Scrub {
    let mut scrub = Scrub::default();
    scrub.learn(target);
    scrub
}

#[test]
fn header_secrets_are_redacted_and_other_headers_kept() {
    let target = Target::Http {
        url: "https://example.com/mcp".to_owned(),
        headers: map(&[
            ("Authorization", "Bearer s3cr3t-value"),
            ("X-Api-Key", "k-12345678"),
            ("Accept-Language", "de-DE"),
        ]),
    };
    let scrub = learnt(&target);
    let Target::Http { headers, .. } = scrub.target(&target) else { panic!("another kind") };
    assert_eq!(headers["Authorization"], "Bearer [redacted header Authorization]");
    assert_eq!(headers["X-Api-Key"], "[redacted header X-Api-Key]");
    assert_eq!(headers["Accept-Language"], "de-DE");
    assert_eq!(scrub.text("got s3cr3t-value back"), "got [redacted header Authorization] back");
}

#[test]
fn environment_argument_and_url_secrets_are_redacted() {
    let target = Target::Stdio {
        command: "server".to_owned(),
        args: [
            "--token",
            "abcd-efgh",
            "--password=hunter22",
            "ghp_0123456789abcdef0123",
            "postgres://me:pa55word@localhost/db?api_key=qwertzui",
            "--port",
            "8080",
        ]
        .map(str::to_owned)
        .to_vec(),
        env: map(&[("GITHUB_TOKEN", "tok-abcdef"), ("LOG_LEVEL", "debug")]),
        cwd: None,
    };
    let shown = learnt(&target).target(&target);
    let line = shown.line();
    for secret in ["abcd-efgh", "hunter22", "ghp_0123456789", "pa55word", "qwertzui"] {
        assert!(!line.contains(secret), "{secret} in {line}");
    }
    assert!(line.contains("--port 8080") && line.contains("--token"), "{line}");
    let Target::Stdio { env, .. } = shown else { panic!("another kind") };
    assert_eq!(env["GITHUB_TOKEN"], "[redacted env GITHUB_TOKEN]");
    assert_eq!(env["LOG_LEVEL"], "debug");
}

#[test]
fn secrets_in_a_url_are_redacted_as_written_and_as_decoded() {
    let target = Target::Sse {
        url: "https://me:p%40ss%2Fword@example.com/sse?page=2&token=a%2Bb+cdef&x=1#end".to_owned(),
        headers: BTreeMap::new(),
    };
    let scrub = learnt(&target);
    assert_eq!(
        scrub.target(&target).line(),
        "https://me:[redacted password]@example.com/sse?page=2&token=[redacted query token]&x=1#end"
    );
    assert_eq!(scrub.text("bad p@ss/word"), "bad [redacted password]");
    assert_eq!(scrub.text("bad a+b+cdef"), "bad [redacted query token]");
}

#[test]
fn a_name_in_place_of_a_secret_never_holds_another_secret() {
    let target = Target::Stdio {
        command: "server".to_owned(),
        args: ["--password=hunter22", "ghp_0123456789abcdef0123"].map(str::to_owned).to_vec(),
        env: BTreeMap::new(),
        cwd: None,
    };
    assert_eq!(
        learnt(&target).target(&target).line(),
        "server '--password=[redacted argument password]' '[redacted argument]'"
    );
}

#[test]
fn every_string_and_key_of_a_value_is_scrubbed() {
    let mut scrub = Scrub::default();
    scrub.add("/tmp/run-17/work", "/scratch/work");
    scrub.add("/tmp/run-17", "/scratch");
    let mut value = json!({
        "/tmp/run-17/work/a.txt": ["/tmp/run-17/b", 3, null, {"at": "in /tmp/run-17/work now"}]
    });
    scrub.value(&mut value);
    assert_eq!(
        value,
        json!({"/scratch/work/a.txt": ["/scratch/b", 3, null, {"at": "in /scratch/work now"}]})
    );
}

#[test]
fn the_longer_text_is_replaced_first_and_very_short_ones_never() {
    let mut scrub = Scrub::default();
    scrub.add("secret", "[a]");
    scrub.add("secret-long", "[b]");
    scrub.add("abc", "[c]");
    assert_eq!(scrub.text("secret-long secret abc"), "[b] [a] abc");
}

#[test]
fn names_and_shapes_of_secrets_are_recognised() {
    for name in ["API_KEY", "apiKey", "x-auth-token", "DB_PASSWORD", "Cookie", "--access-token"] {
        assert!(names_a_secret(name), "{name}");
    }
    for name in ["PATH", "HOME", "monkey", "Accept", "compass", "keyboard"] {
        assert!(!names_a_secret(name), "{name}");
    }
    assert!(looks_like_a_token("github_pat_11ABCDEFG0123456789"));
    assert!(!looks_like_a_token("sk-short"));
    assert!(!looks_like_a_token("eyJ is how a long sentence may begin"));
}

fn answering(text: &str) -> Evidence {
    let snippet = json!({
        "tools": [{"name": "now"}],
        "exchanges": [{"probe": "p", "tool": "now", "reply": {"text": text}}]
    });
    pages::evidence(&snippet.to_string()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn the_digest_ignores_when_and_how_fast() {
    let first = answering("fine");
    let mut second = first.clone();
    for exchange in &mut second.transcript {
        exchange.started = Micros(exchange.started.0 + 77);
        exchange.took = Micros(exchange.took.0 * 3);
    }
    second.conditions.usage.wall = Micros(9);
    second.conditions.usage.began = 1;
    second.stderr.push("warming up".to_owned());
    assert_eq!(first.digest(), second.digest());
    assert_eq!(first.digest().len(), 32);
}

#[test]
fn the_digest_ignores_clock_readings_and_random_identifiers_in_answers() {
    for (a, b) in [
        ("it is 2026-11-15T09:30:00Z", "it is 2027-01-02T10:31:59.250+01:00"),
        ("at 09:30:00", "at 23:59:59.999"),
        ("epoch 1763200000", "epoch 1763999999"),
        ("epoch 1763200000123", "epoch 1763999999456"),
        ("epoch 1763200000.5", "epoch 1763999999.25"),
        ("id 3f2504e0-4f89-41d3-9a0c-0305e82c3301", "id 9a3f04e0-aaaa-41d3-9a0c-0305e82c3302"),
        ("sha d41d8cd98f00b204e9800998ecf8427e", "sha 0cc175b9c0f1b6a831c399e269772661"),
    ] {
        assert_eq!(answering(a).digest(), answering(b).digest(), "{a} / {b}");
    }
}

#[test]
fn the_digest_tells_other_answers_questions_and_tools_apart() {
    let digest = answering("fine").digest();
    assert_ne!(digest, answering("fine.").digest());
    assert_ne!(digest, answering("port 8080").digest());
    let mut other = answering("fine");
    other.transcript[1].reply = Reply::TimedOut { after_ms: 10_000 }.into();
    assert_ne!(digest, other.digest());
    let mut other = answering("fine");
    other.transcript[1].label = "another".to_owned();
    assert_ne!(digest, other.digest());
    let mut other = answering("fine");
    other.inventory.tools[0].raw["description"] = json!("changed");
    assert_ne!(digest, other.digest());
}
