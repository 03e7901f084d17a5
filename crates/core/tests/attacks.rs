//! What the hostile probes plan, and that their oracles hold against the real thing.
#![expect(clippy::disallowed_types, clippy::unwrap_used, reason = "a test that asks a real shell")]

use std::cell::RefCell;
use std::collections::BTreeMap;

use proofmark_core::checks;
use proofmark_core::evidence::{Evidence, Exchange, ExchangeId, Micros, Reply};
use proofmark_core::pages;
use proofmark_core::probe::{Call, Probe};
use proofmark_core::proof::Oracle;
use proofmark_core::seed::Seed;
use serde_json::json;

/// The attack itself, by the name that it shares with its check.
fn probe(check: &str) -> &'static Probe {
    let named = |p: &&&Probe| check.ends_with(p.id);
    checks::find(check).unwrap().needs.iter().find(named).unwrap()
}

/// The call, answered.
fn made(probe: &Probe, call: Call, id: usize, reply: &str) -> Exchange {
    let value = json!({"content": [{"type": "text", "text": reply}]});
    Exchange {
        id: ExchangeId(u32::try_from(id).unwrap()),
        probe: probe.id.to_owned(),
        label: call.label,
        subject: call.subject,
        send: call.send,
        on: call.on,
        reply: Reply::Result { value }.into(),
        control: call.control,
        oracle: call.oracle,
        http: None,
        frames: vec![],
        started: Micros(0),
        took: Micros(0),
    }
}

/// Asks the planners of a check in rounds, as a run does; `answer` plays the server.
fn run(check: &str, evidence: &mut Evidence, answer: impl Fn(&Call) -> String) {
    let seed = evidence.conditions.seed;
    for _ in 0..8 {
        for probe in checks::find(check).unwrap().needs {
            for call in (probe.plan)(evidence, seed.part(probe.id)) {
                let known = |x: &Exchange| {
                    (&x.probe[..], &x.label, &x.subject) == (probe.id, &call.label, &call.subject)
                };
                if !evidence.transcript.iter().any(known) {
                    let reply = answer(&call);
                    let id = evidence.transcript.len();
                    evidence.transcript.push(made(probe, call, id, &reply));
                }
            }
        }
    }
}

const PING: &str = r#"{"tools": [{"name": "ping_host", "inputSchema": {"type": "object", "required": ["host"],
    "properties": {"host": {"type": "string"}, "mode": {"enum": ["a", "b"]}, "count": {"type": "integer"}}}}]}"#;

const COMMAND: &str = "security/command-injection";

fn text(call: &Call, name: &str) -> String {
    let value = &call.send.params().unwrap()["arguments"][name];
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn shell(line: &str) -> String {
    let output = std::process::Command::new("sh").args(["-c", line]).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_shell_gives_the_answer_that_the_oracle_waits_for() {
    for (quoted, forms) in [("echo V", 4), ("echo \"V\"", 2), ("echo 'V'", 1)] {
        let mut evidence = pages::evidence(PING).unwrap();
        run(COMMAND, &mut evidence, |call| shell(&quoted.replace('V', &text(call, "host"))));
        let proven = evidence.transcript.iter().filter(|x| {
            x.oracle.as_ref().is_some_and(|oracle| oracle.proof(&evidence, x).is_some())
        });
        assert!(proven.count() >= forms, "too few forms break out of {quoted}");
    }
}

#[test]
fn the_expected_text_never_stands_in_the_request() {
    let mut evidence = pages::evidence(PING).unwrap();
    run(COMMAND, &mut evidence, |call| text(call, "host").to_owned());
    let mut hostile = 0;
    for x in &evidence.transcript {
        let Some(Oracle::Any { of }) = &x.oracle else { continue };
        let Oracle::Computed { expected } = &of[0] else { continue };
        hostile += 1;
        assert!(!x.send.params().unwrap().to_string().contains(expected.as_str()));
        assert!(x.oracle.as_ref().unwrap().proof(&evidence, x).is_none(), "an echo proves");
    }
    assert!(hostile >= 4, "{hostile} forms for one parameter");
}

#[test]
fn attacks_wait_for_the_benign_twin_to_be_answered() {
    let evidence = pages::evidence(PING).unwrap();
    assert!((probe(COMMAND).plan)(&evidence, Seed(7)).is_empty());
}

#[test]
fn only_tools_that_read_are_sent_to_the_planted_file() {
    let file =
        r#"{"type": "object", "required": ["path"], "properties": {"path": {"type": "string"}}}"#;
    let snippet = format!(
        r#"{{"tools": [{{"name": "read_file", "inputSchema": {file}}}, {{"name": "write_file", "inputSchema": {file}}},
            {{"name": "list_directory", "inputSchema": {file}}}],
            "canaries": [{{"id": "inside-file", "place": {{"kind": "inside", "path": "/scratch/work/in.txt"}}, "value": "canary-in"}},
                         {{"id": "outside-file", "place": {{"kind": "outside", "path": "/scratch/outside/out.txt"}}, "value": "canary-out"}}]}}"#
    );
    let mut evidence = pages::evidence(&snippet).unwrap();
    let probe = probe("security/path-traversal");
    run("security/path-traversal", &mut evidence, |call| {
        format!("content of {}", text(call, "path"))
    });
    let sent = |tool: &str| -> Vec<String> {
        let calls = evidence.of_tool(probe.id, tool);
        calls.map(|x| x.arguments().unwrap()["path"].as_str().unwrap().to_owned()).collect()
    };
    let read = sent("read_file");
    assert!(read.len() >= 8, "{read:?}");
    assert!(read.contains(&"/scratch/outside/out.txt".to_owned()), "{read:?}");
    assert!(read.contains(&"../outside/out.txt".to_owned()), "{read:?}");
    let written = sent("write_file");
    assert!(!written.is_empty());
    assert!(written.iter().all(|path| !path.contains("out.txt")), "{written:?}");
}

const MACROS: &str = r#"{"tools": [
    {"name": "save_macro", "inputSchema": {"type": "object", "required": ["name", "body"],
        "properties": {"name": {"type": "string"}, "body": {"type": "string"}}}},
    {"name": "play_macro", "inputSchema": {"type": "object", "required": ["name"],
        "properties": {"name": {"type": "string"}}}}]}"#;

/// The parameters by which commands get to be run, where kept texts are played in this way.
fn proven_macros(play: fn(&str) -> String) -> Vec<String> {
    let kept = RefCell::new(BTreeMap::new());
    let mut evidence = pages::evidence(MACROS).unwrap();
    run(COMMAND, &mut evidence, |call| {
        let name = text(call, "name");
        match call.subject.tool() {
            Some("save_macro") => {
                kept.borrow_mut().insert(name, text(call, "body"));
                "kept".to_owned()
            }
            _ => kept.borrow().get(&name).map_or_else(|| "none".to_owned(), |body| play(body)),
        }
    });
    let proven = evidence
        .transcript
        .iter()
        .filter(|x| x.oracle.as_ref().is_some_and(|oracle| oracle.proof(&evidence, x).is_some()));
    let mut subjects: Vec<String> = proven.map(|x| x.subject.to_string()).collect();
    subjects.dedup();
    subjects
}

#[test]
fn what_one_tool_keeps_is_proven_where_another_one_runs_it() {
    let found = proven_macros(|body| shell(&format!("echo {body}")));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("save_macro") && found[0].contains("body"), "{found:?}");
}

#[test]
fn what_one_tool_keeps_and_another_one_shows_proves_nothing() {
    assert_eq!(proven_macros(str::to_owned), Vec::<String>::new());
}

fn proves(check: &str, evidence: &Evidence, place: &str) -> bool {
    let findings = (checks::find(check).unwrap().judge)(evidence);
    findings.iter().any(|f| f.proof.is_some() && f.subject.to_string().contains(place))
}

/// The formula is only looked at where the drug is `custom`, and Python works it out.
#[test]
fn a_text_that_only_one_choice_wakes_gets_all_that_is_due() {
    let snippet = r#"{"tools": [{"name": "work_out_dose", "inputSchema": {"type": "object", "required": ["drug"],
        "properties": {"drug": {"enum": ["plain", "custom"]}, "formula": {"type": "string"}}}}]}"#;
    let mut evidence = pages::evidence(snippet).unwrap();
    run("security/template-injection", &mut evidence, |call| match &text(call, "drug")[..] {
        "custom" => format!("made of {}", text(call, "formula")),
        _ => "0.6 mg".to_owned(),
    });
    let sent = |choice: &str| {
        let calls = evidence.of("template-injection");
        calls.filter(|x| x.arguments().is_some_and(|a| a["drug"] == choice)).count()
    };
    assert!(sent("custom") > 3, "only {} where it matters", sent("custom"));
}

#[test]
fn the_order_of_rows_follows_a_condition_where_a_column_is_asked_for() {
    let snippet = r#"{"tools": [{"name": "list_picks", "inputSchema": {"type": "object", "required": ["sort"],
        "properties": {"sort": {"type": "string", "description": "Column to sort by: day, kilos or picker"}}}}]}"#;
    let rows = [("09-28", 410, "Ines"), ("10-02", 380, "Arno"), ("10-05", 120, "Wim")];
    let sorted = |by: &str| {
        let mut rows = rows;
        match by {
            "kilos" => rows.sort_by_key(|row| row.1),
            "picker" => rows.sort_by_key(|row| row.2),
            _ => {}
        }
        rows.map(|(day, kilos, who)| format!("{day} {kilos} kg {who}")).join("\n")
    };
    // What SQLite makes of a comparison of two texts; all that is no column leaves the rows alone.
    let condition = |sort: &str| {
        let rest = sort.strip_prefix("(CASE WHEN '")?.strip_suffix(" END)")?;
        let (left, rest) = rest.split_once("'<'")?;
        let (right, rest) = rest.split_once("' THEN ")?;
        let (yes, no) = rest.split_once(" ELSE ")?;
        Some(if left < right { yes.to_owned() } else { no.to_owned() })
    };
    let mut evidence = pages::evidence(snippet).unwrap();
    run("security/sql-injection", &mut evidence, |call| {
        let sort = text(call, "sort");
        sorted(&condition(&sort).unwrap_or(sort))
    });
    assert!(proves("security/sql-injection", &evidence, "/sort"));
    let mut plain = pages::evidence(snippet).unwrap();
    run("security/sql-injection", &mut plain, |call| sorted(&text(call, "sort")));
    assert!(!proves("security/sql-injection", &plain, "/sort"));
}

#[test]
fn what_only_looks_is_asked_for_two_choices_at_once_and_for_all_that_is_listed() {
    let snippet = r#"{"tools": [
        {"name": "list_rooms", "inputSchema": {"type": "object", "properties": {"wing": {"enum": ["west", "east"]}}}},
        {"name": "get_status", "inputSchema": {"type": "object", "required": ["room_id", "level"], "properties": {
            "room_id": {"type": "string", "description": "Id from list_rooms"},
            "level": {"enum": ["short", "full"]}, "unit": {"enum": ["c", "k"]}}}}]}"#;
    let mut evidence = pages::evidence(snippet).unwrap();
    run("security/command-injection", &mut evidence, |call| match call.subject.tool() {
        Some("list_rooms") if text(call, "wing") == "west" => "RM-1: 3 beds".to_owned(),
        Some("list_rooms") => "RM-1: 3 beds\nRM-2: 2 beds\nRM-7: 1 bed".to_owned(),
        _ if !text(call, "room_id").starts_with("RM-") => "There is no such room.".to_owned(),
        _ => format!("{} is warm", text(call, "room_id")),
    });
    let asked = |room: &str, level: &str, unit: Option<&str>| {
        evidence
            .of_tool("benign", "get_status")
            .filter_map(Exchange::arguments)
            .any(|a| a["room_id"] == room && a["level"] == level && a["unit"].as_str() == unit)
    };
    assert!(asked("RM-7", "short", None), "only the filtered listing was looked at");
    assert!(asked("RM-1", "full", Some("k")), "choices were made one at a time");
}
