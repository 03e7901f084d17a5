//! The command line of the built-in servers, for the testbed and for `proofmark serve`.

use std::io::Write;
use std::net::SocketAddr;
use std::time::Duration;

use crate::front;
use crate::label;
use crate::mutant;
use crate::stage::Stage;
use crate::{HttpForm, HttpServer};

const USAGE: &str = "\
usage: testbed MODE [--mutant ID] [--http PORT | --sse PORT] [--json] [--delay MS] [--for SECONDS]
       testbed --list | --mutants

  --list         name the modes
  --mutants      name the mutants; so does `--mutant list`
  --mutant ID    give the mode one more defect
  --http PORT    Streamable HTTP on 127.0.0.1 (0 takes a free port) instead of stdio
  --sse PORT     the HTTP+SSE transport of 2024-11-05
  --json         with --http: answer with JSON instead of event streams
  --delay MS     for modes that wait: how long
  --for SECONDS  end an HTTP server after this time (600)
";

#[derive(Default)]
struct Request {
    list: bool,
    mutants: bool,
    mode: Option<String>,
    mutant: Option<String>,
    http: Option<u16>,
    sse: Option<u16>,
    json: bool,
    delay: Option<Duration>,
    lifetime: Option<Duration>,
}

/// Does what the words of a command line say. The first line of an HTTP server on stdout is
/// `listening` and its URL.
pub fn command(words: impl Iterator<Item = String>) -> Result<(), String> {
    parse(words).and_then(run)
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Request, String> {
    fn number<T: std::str::FromStr>(option: &str, word: Option<String>) -> Result<T, String> {
        let word = word.ok_or_else(|| format!("{option} needs a number\n\n{USAGE}"))?;
        word.parse().map_err(|_| format!("{option} needs a number, not `{word}`\n\n{USAGE}"))
    }
    let mut request = Request::default();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--list" => request.list = true,
            "--mutants" => request.mutants = true,
            "--mutant" => match words.next() {
                Some(word) if word == "list" => request.mutants = true,
                Some(word) => request.mutant = Some(word),
                None => return Err(format!("--mutant needs an id\n\n{USAGE}")),
            },
            "--json" => request.json = true,
            "--http" => request.http = Some(number("--http", words.next())?),
            "--sse" => request.sse = Some(number("--sse", words.next())?),
            "--delay" => {
                request.delay = Some(Duration::from_millis(number("--delay", words.next())?));
            }
            "--for" => request.lifetime = Some(Duration::from_secs(number("--for", words.next())?)),
            mode if !mode.starts_with('-') && request.mode.is_none() => request.mode = Some(word),
            unknown => return Err(format!("unexpected `{unknown}`\n\n{USAGE}")),
        }
    }
    Ok(request)
}

fn run(request: Request) -> Result<(), String> {
    if request.list {
        let modes = label::all().map_err(|e| e.to_string())?;
        return list(modes.iter().map(|label| format!("{:<22} {}", label.name, label.wrong)));
    }
    if request.mutants {
        return list_mutants();
    }
    let Some(mode) = &request.mode else { return Err(format!("name a mode\n\n{USAGE}")) };
    let mut stage = Stage::of(mode, request.delay).map_err(|e| e.to_string())?;
    if let Some(id) = &request.mutant {
        stage = stage.mutated(id).map_err(|e| e.to_string())?;
    }
    let form = match (request.http, request.sse) {
        (None, None) => return front::stdio::serve(stage).map_err(|e| e.to_string()),
        (Some(port), None) if request.json => (port, HttpForm::Json),
        (Some(port), None) => (port, HttpForm::Streams),
        (None, Some(port)) => (port, HttpForm::LegacySse),
        (Some(_), Some(_)) => {
            return Err(format!("--http and --sse exclude each other\n\n{USAGE}"));
        }
    };
    let lifetime = request.lifetime.unwrap_or(Duration::from_secs(600));
    let runtime = tokio::runtime::Runtime::new().map_err(|e| e.to_string())?;
    runtime.block_on(serve(stage, form, lifetime))
}

async fn serve(
    stage: Stage,
    (port, form): (u16, HttpForm),
    lifetime: Duration,
) -> Result<(), String> {
    let addr = SocketAddr::from(([127, 0, 0, 1], port));
    let server = HttpServer::on_stage(stage, addr, form).await.map_err(|e| e.to_string())?;
    let mut stdout = std::io::stdout();
    let tokens = server.tokens().into_iter().map(|(kind, token)| format!("token {kind} {token}\n"));
    write!(stdout, "listening {}\n{}", server.url(), tokens.collect::<String>())
        .and_then(|()| stdout.flush())
        .map_err(|e| e.to_string())?;
    match tokio::time::timeout(lifetime, server.run()).await {
        Ok(ended) => ended.map_err(|e| e.to_string()),
        // Nobody stopped it: forgotten servers end by themselves.
        Err(_) => Ok(()),
    }
}

fn list_mutants() -> Result<(), String> {
    let mutants = mutant::mutants().map_err(|e| e.to_string())?;
    list(mutants.iter().map(|mutant| {
        let transports: Vec<&str> = mutant.transports.iter().map(|t| t.as_str()).collect();
        format!(
            "{:<34} {:<9} {:<5} {:<11} {:<10} {}",
            mutant.id,
            mutant.requirement,
            mutant.revisions.as_str(),
            transports.join(","),
            mutant.server,
            mutant.says
        )
    }))
}

fn list(lines: impl Iterator<Item = String>) -> Result<(), String> {
    let mut stdout = std::io::stdout().lock();
    for line in lines {
        // A reader that has seen enough, such as `head`, is no failure.
        if writeln!(stdout, "{line}").is_err() {
            break;
        }
    }
    Ok(())
}
