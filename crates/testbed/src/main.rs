//! `testbed MODE` serves one mode; `testbed --list` names them all.

use std::io::Write;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use proofmark_testbed::{HttpForm, HttpServer, modes, serve_stdio_with};

const USAGE: &str = "\
usage: testbed MODE [--http PORT | --sse PORT] [--json] [--delay MS] [--for SECONDS]
       testbed --list

  --http PORT    Streamable HTTP on 127.0.0.1 (0 takes a free port) instead of stdio
  --sse PORT     the HTTP+SSE transport of 2024-11-05
  --json         with --http: answer with JSON instead of event streams
  --delay MS     for modes that wait: how long
  --for SECONDS  end an HTTP server after this time (600)
";

#[derive(Default)]
struct Request {
    list: bool,
    mode: Option<String>,
    http: Option<u16>,
    sse: Option<u16>,
    json: bool,
    delay: Option<Duration>,
    lifetime: Option<Duration>,
}

fn main() -> ExitCode {
    let outcome = parse(std::env::args().skip(1)).and_then(run);
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "testbed: {why}");
            ExitCode::from(2)
        }
    }
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
        return list();
    }
    let Some(mode) = &request.mode else { return Err(format!("name a mode\n\n{USAGE}")) };
    let form = match (request.http, request.sse) {
        (None, None) => {
            return serve_stdio_with(mode, request.delay).map_err(|e| e.to_string());
        }
        (Some(port), None) if request.json => (port, HttpForm::Json),
        (Some(port), None) => (port, HttpForm::Streams),
        (None, Some(port)) => (port, HttpForm::LegacySse),
        (Some(_), Some(_)) => {
            return Err(format!("--http and --sse exclude each other\n\n{USAGE}"));
        }
    };
    tokio::runtime::Runtime::new().map_err(|e| e.to_string())?.block_on(serve(
        mode,
        form,
        request.delay,
        request.lifetime,
    ))
}

async fn serve(
    mode: &str,
    (port, form): (u16, HttpForm),
    delay: Option<Duration>,
    lifetime: Option<Duration>,
) -> Result<(), String> {
    let addr = SocketAddr::from(([127, 0, 0, 1], port));
    let server = HttpServer::bind(mode, addr, form, delay).await.map_err(|e| e.to_string())?;
    let mut stdout = std::io::stdout();
    let tokens = server.tokens().into_iter().map(|(kind, token)| format!("token {kind} {token}\n"));
    write!(stdout, "listening {}\n{}", server.url(), tokens.collect::<String>())
        .and_then(|()| stdout.flush())
        .map_err(|e| e.to_string())?;
    let lifetime = lifetime.unwrap_or(Duration::from_secs(600));
    match tokio::time::timeout(lifetime, server.run()).await {
        Ok(ended) => ended.map_err(|e| e.to_string()),
        // Nobody stopped it: forgotten servers end by themselves.
        Err(_) => Ok(()),
    }
}

fn list() -> Result<(), String> {
    let mut stdout = std::io::stdout().lock();
    for label in modes().map_err(|e| e.to_string())? {
        // A reader that has seen enough, such as `head`, is no failure.
        if writeln!(stdout, "{:<22} {}", label.name, label.wrong).is_err() {
            break;
        }
    }
    Ok(())
}
