//! One built-in server put through `assess`, as a user would.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, anyhow, bail};
use proofmark_testbed::{Label, Transport};

use super::tally::Told;

/// Short, since all servers are on this machine and small.
const FLAGS: [&str; 6] = ["--timeout", "3s", "--startup-timeout", "25s", "--max-time", "90s"];
/// A forgotten server ends by itself, in seconds.
const LIFETIME: &str = "300";

/// A server of the testbed on one of its transports.
#[derive(Debug, Clone)]
pub(super) struct Trial {
    pub(super) label: Label,
    pub(super) transport: Transport,
}

impl Trial {
    pub(super) fn name(&self) -> String {
        format!("{} over {}", self.label.name, self.transport.as_str())
    }

    /// Assesses it with this very program.
    pub(super) fn run(&self, program: &str) -> Result<Told> {
        let mode = self.label.name.as_str();
        match self.transport {
            Transport::Stdio => assess(program, &["--", program, "serve", mode]),
            Transport::Http => self.over_http(program, "--http", "--url"),
            Transport::Sse => self.over_http(program, "--sse", "--sse"),
        }
    }

    fn over_http(&self, program: &str, serve: &str, reach: &str) -> Result<Told> {
        let words = ["serve", &self.label.name, serve, "0", "--for", LIFETIME];
        let mut server = Command::new(program)
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("can't start {program}"))?;
        let told = url(&mut server)
            // It is ours and in memory, so everything may be called.
            .and_then(|url| assess(program, &["--disposable", reach, &url]));
        // It may have ended by itself, which is as good.
        let _ = server.kill();
        let _ = server.wait();
        told
    }
}

fn url(server: &mut Child) -> Result<String> {
    let stdout = server.stdout.take().context("the server has no standard output")?;
    let mut line = String::new();
    BufReader::new(stdout).read_line(&mut line)?;
    let url = line.trim().strip_prefix("listening ");
    url.map(str::to_owned).ok_or_else(|| anyhow!("the server does not say where it listens"))
}

fn assess(program: &str, target: &[&str]) -> Result<Told> {
    let output = Command::new(program)
        .args(["assess", "--format", "json", "--quiet"])
        .args(FLAGS)
        .args(target)
        .output()
        .with_context(|| format!("can't start {program}"))?;
    match serde_json::from_slice(&output.stdout) {
        Ok(told) => Ok(told),
        Err(why) => {
            let stderr = String::from_utf8_lossy(&output.stderr);
            let last = stderr.trim().lines().last().unwrap_or("nothing on standard error");
            bail!("no report ({why}): {last}")
        }
    }
}
