//! One server of which the truth is known, put through `assess`, as a user would.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, anyhow, bail};
use proofmark_testbed::{Label, Sample, Transport, Truth};

use super::tally::Told;

/// Short, since all servers are on this machine and small.
const FLAGS: [&str; 6] = ["--timeout", "3s", "--startup-timeout", "25s", "--max-time", "90s"];
/// A forgotten server ends by itself, in seconds.
const LIFETIME: &str = "300";

#[derive(Debug, Clone)]
pub(super) enum Trial {
    /// A built-in server on one of its transports; its label names the checks that should fail.
    Built { label: Box<Label>, transport: Transport },
    /// A sample server in another language; its truths are about single tools and parameters.
    Sample { sample: Sample, truths: Vec<Truth>, dir: PathBuf },
}

impl Trial {
    pub(super) fn name(&self) -> String {
        match self {
            Trial::Built { label, transport } => {
                format!("{} over {}", label.name, transport.as_str())
            }
            Trial::Sample { sample, .. } => sample.name.clone(),
        }
    }

    pub(super) fn transport(&self) -> Transport {
        match self {
            Trial::Built { transport, .. } => *transport,
            Trial::Sample { .. } => Transport::Stdio,
        }
    }

    /// Assesses it with this very program.
    pub(super) fn run(&self, program: &str) -> Result<Told> {
        match self {
            Trial::Built { label, transport } => match transport {
                Transport::Stdio => assess(program, &["--", program, "serve", &label.name]),
                Transport::Http => over_http(program, &label.name, "--http", "--url"),
                Transport::Sse => over_http(program, &label.name, "--sse", "--sse"),
            },
            Trial::Sample { sample, dir, .. } => {
                let dir = dir.display().to_string();
                let words = sample.command.iter().map(|word| word.replace("{dir}", &dir));
                let words: Vec<String> = words.collect();
                let words = words.iter().map(String::as_str);
                assess(
                    program,
                    &["--disposable", "--"].into_iter().chain(words).collect::<Vec<_>>(),
                )
            }
        }
    }
}

fn over_http(program: &str, mode: &str, serve: &str, reach: &str) -> Result<Told> {
    let words = ["serve", mode, serve, "0", "--for", LIFETIME];
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
