//! Verdicts that rest on more than stderr.

use super::*;

pub(super) fn down(facts: &Facts) -> (DownCause, String, String) {
    match diagnose(facts) {
        Startup::Down { cause, says, way_out, .. } => (cause, says, way_out),
        Startup::Up { .. } | Startup::NotTried => panic!("a failed start is down"),
    }
}

#[test]
fn a_death_by_signal_is_told() {
    let facts = Facts { exit: Some(Exit::Signal { signal: 11 }), ..Facts::default() };
    let (cause, says, _) = down(&facts);
    assert_eq!(cause, DownCause::ExitedEarly);
    assert!(says.contains("signal 11"), "{says}");
}

#[test]
fn a_command_that_can_not_be_started_is_missing_software() {
    let launch = Some(LaunchError::NotFound { command: "uvx".into() });
    let (cause, says, way_out) = down(&Facts { launch, ..Facts::default() });
    assert_eq!(cause, DownCause::MissingSoftware);
    assert!(says.contains("`uvx`") && way_out.contains("install"), "{says} → {way_out}");
}

#[test]
fn an_error_on_initialize_is_read_before_it_is_only_reported() {
    let refused = |message: &str| {
        let refusal = Some(Refusal { code: -32000, message: message.into() });
        down(&Facts { refusal, heard: true, ..Facts::default() })
    };
    let (cause, says, way_out) = refused("PAINT_API_KEY is required");
    assert_eq!(cause, DownCause::MissingCredential);
    assert!(says.contains("-32000") && way_out.contains("--env PAINT_API_KEY=…"), "{says}");
    let (cause, says, way_out) = refused("unsupported client");
    assert_eq!(cause, DownCause::InitializeError);
    assert!(says.contains("unsupported client") && way_out.contains("--protocol"), "{says}");
}

#[test]
fn noise_without_an_answer_is_not_mcp() {
    let facts = Facts {
        garbage: vec!["Welcome to the calculator!".into(), "> ".into()],
        waited: Duration::from_secs(5),
        ..Facts::default()
    };
    let (cause, says, way_out) = down(&facts);
    assert_eq!(cause, DownCause::NotMcp);
    assert!(says.contains("Welcome") && way_out.contains("stdio"), "{says}");
    // Some servers complain on stdout.
    let facts = Facts {
        exit: Some(Exit::Code { code: 1 }),
        garbage: vec!["Error: MAP_TOKEN is not set".into()],
        ..Facts::default()
    };
    assert_eq!(down(&facts).0, DownCause::MissingCredential);
}

#[test]
fn an_address_is_unreachable_closed_or_something_else() {
    let at = |status, unreachable: Option<&str>| {
        down(&Facts {
            url: Some("http://127.0.0.1:9/mcp".into()),
            status,
            unreachable: unreachable.map(str::to_owned),
            ..Facts::default()
        })
    };
    let (cause, says, way_out) = at(None, Some("connection refused"));
    assert_eq!(cause, DownCause::Unreachable);
    assert!(says.contains("http://127.0.0.1:9/mcp") && way_out.contains("start the server"));
    for status in [401, 403] {
        let (cause, _, way_out) = at(Some(status), None);
        assert_eq!(cause, DownCause::Unauthorized);
        assert!(way_out.contains("--bearer-env") && way_out.contains("--header"));
    }
    for status in [404, 405, 500] {
        assert_eq!(at(Some(status), None).0, DownCause::NotMcp, "{status}");
    }
    assert!(at(Some(404), None).2.contains("--sse"));
}

#[test]
fn an_address_that_redirects_is_named_with_the_one_to_give_instead() {
    let at = |location: Option<&str>| {
        down(&Facts {
            url: Some("http://127.0.0.1:9/mcp/".into()),
            status: Some(307),
            location: location.map(str::to_owned),
            ..Facts::default()
        })
    };
    for location in ["/mcp", "http://127.0.0.1:9/mcp"] {
        let (cause, says, way_out) = at(Some(location));
        assert_eq!(cause, DownCause::NotMcp);
        assert!(says.contains("answered 307"), "{says}");
        assert!(way_out.contains("`--url http://127.0.0.1:9/mcp`"), "{way_out}");
    }
    assert!(at(None).1.contains("another address"));
}

#[test]
fn long_last_words_are_shortened_and_the_tail_is_bounded() {
    let facts = Facts {
        exit: Some(Exit::Code { code: 1 }),
        stderr_tail: (0..200).map(|n| format!("{n} {}", "ä".repeat(900))).collect(),
        ..Facts::default()
    };
    match diagnose(&facts) {
        Startup::Down { says, stderr_tail, .. } => {
            assert!(says.chars().count() < 300, "{says}");
            assert_eq!(stderr_tail.len(), TAIL);
            assert!(stderr_tail[TAIL - 1].starts_with("199 "));
        }
        Startup::Up { .. } | Startup::NotTried => panic!("a failed start is down"),
    }
}
