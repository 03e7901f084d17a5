//! The bare client of `bench/overhead`: sends the frames of a recorded run again, each as soon as
//! as many answers have come back as had in the recording, and measures how long that takes.
//!
//! usage: replay EVIDENCE -- COMMAND ARGS…

use std::io::Write as _;
use std::process::Stdio;
use std::time::Instant;

use proofmark_core::evidence::{Direction, Evidence};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::Command;

type Failure = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [evidence, dashes, command, args @ ..] = words.as_slice() else {
        return Err("usage: replay EVIDENCE -- COMMAND ARGS…".into());
    };
    if dashes != "--" {
        return Err("usage: replay EVIDENCE -- COMMAND ARGS…".into());
    }
    let evidence = proofmark_live::store::read_evidence(evidence.as_ref())?;
    let script = script(&evidence);
    let (whole, session) = play(&script, command, args).await?;
    let (recorded_whole, recorded_session) = recorded(&evidence);
    writeln!(
        std::io::stdout(),
        "{}",
        serde_json::json!({
            "frames": script.len(),
            "gather_ms": recorded_whole, "replay_ms": whole,
            "gather_session_ms": recorded_session, "replay_session_ms": session,
        })
    )?;
    Ok(())
}

/// What to send on the main connection, and after how many received frames.
fn script(evidence: &Evidence) -> Vec<(String, usize)> {
    let mut received = 0;
    let mut script = Vec::new();
    for frame in evidence.frames.iter().filter(|f| f.connection == 0) {
        match frame.direction {
            Direction::Received => received += 1,
            Direction::Sent => script.push((frame.text.clone(), received)),
        }
    }
    script
}

/// Milliseconds of the recorded run: from the start of the server, and from its first answer,
/// both to the last answer.
fn recorded(evidence: &Evidence) -> (f64, f64) {
    let at = |d: Direction| {
        evidence
            .frames
            .iter()
            .filter(move |f| f.connection == 0 && f.direction == d)
            .map(|f| f.at.0)
    };
    let first_sent = at(Direction::Sent).min().unwrap_or(0);
    let first = at(Direction::Received).min().unwrap_or(0);
    let last = at(Direction::Received).max().unwrap_or(0);
    (millis(last - first_sent), millis(last - first))
}

async fn play(
    script: &[(String, usize)],
    command: &str,
    args: &[String],
) -> Result<(f64, f64), Failure> {
    let begun = Instant::now();
    let mut child = Command::new(command)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let mut stdin = child.stdin.take().ok_or("no stdin")?;
    let mut lines = BufReader::new(child.stdout.take().ok_or("no stdout")?).lines();
    let total = script.last().map_or(0, |(_, after)| *after + 1);
    let (mut received, mut first, mut last) = (0, None, begun);
    for (text, after) in script {
        while received < *after && lines.next_line().await?.is_some() {
            received += 1;
            last = Instant::now();
            first.get_or_insert(last);
        }
        stdin.write_all(text.as_bytes()).await?;
        stdin.write_all(b"\n").await?;
    }
    while received < total && lines.next_line().await?.is_some() {
        received += 1;
        last = Instant::now();
    }
    let micros = |from: Instant| u64::try_from((last - from).as_micros()).unwrap_or(u64::MAX);
    let first = first.unwrap_or(begun);
    Ok((millis(micros(begun)), millis(micros(first))))
}

fn millis(micros: u64) -> f64 {
    micros as f64 / 1000.0
}
