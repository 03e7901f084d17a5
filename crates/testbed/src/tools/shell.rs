//! Looking up a host name: once through a shell, once not.

use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::tool::{Answer, Tool, object};

/// What an injected command may take.
const LONGEST_RUN: Duration = Duration::from_secs(10);
const LARGEST_OUTPUT: u64 = 1 << 20;

/// The hole: the argument becomes part of a command line.
pub(crate) fn lookup_host() -> Tool {
    tool(
        "lookup_host",
        "Looks up a host name and returns what is known about it.",
        |_, arguments, _| {
            let host = arguments["host"].as_str().unwrap_or_default();
            let mut command = Command::new("sh");
            command.arg("-c").arg(format!("echo host: {host}"));
            answer(&mut command)
        },
    )
}

/// The look-alike: the same output, and the argument stays one argument.
pub(crate) fn resolve_host() -> Tool {
    tool(
        "resolve_host",
        "Resolves a host name and returns what is known about it.",
        |_, arguments, _| {
            let host = arguments["host"].as_str().unwrap_or_default();
            let mut command = Command::new("echo");
            command.arg("host:").arg(host);
            answer(&mut command)
        },
    )
}

fn tool(name: &str, description: &str, run: crate::tool::Answering) -> Tool {
    let host = json!({
        "type": "string", "minLength": 1, "maxLength": 500, "examples": ["localhost"],
        "description": "The name of the host to look up.",
    });
    Tool::new(name, description, object(json!({ "host": host }), &["host"]), run)
        .returning(object(json!({ "output": { "type": "string" } }), &["output"]))
        .reads()
}

fn answer(command: &mut Command) -> Answer {
    match output(command) {
        Ok(output) => Answer::Data(json!({ "output": output })),
        Err(_) => Answer::Failure("the host could not be looked up; try another name".to_owned()),
    }
}

/// What the command printed until it ended or its time was up.
fn output(command: &mut Command) -> std::io::Result<Value> {
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let stdout = child.stdout.take();
    let (sender, printed) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(stdout) = stdout {
            let _ = stdout.take(LARGEST_OUTPUT).read_to_end(&mut bytes);
        }
        let _ = sender.send(bytes);
    });
    let bytes = printed.recv_timeout(LONGEST_RUN).unwrap_or_default();
    let _ = child.kill();
    child.wait()?;
    Ok(json!(String::from_utf8_lossy(&bytes).trim_end()))
}
