//! Which target the command line means: exactly one, with its credentials.

use std::collections::BTreeMap;
use std::env;
use std::path::Path;

use anyhow::{Result, bail};
use proofmark_core::evidence::TokenKind;
use proofmark_core::target::Target;

use crate::args::TargetArgs;
use crate::config;

/// The target, told apart from what may only accompany it.
pub(crate) fn of(args: &TargetArgs) -> Result<Target> {
    if let Some(name) = &args.target {
        bail!("--target {name}: only `assess` reads targets from proofmark.toml; name the server");
    }
    if let Some(dir) = &args.source {
        must_be_dir("--source", dir)?;
    }
    let mut target = chosen(args)?;
    let headers = headers(args)?;
    match &mut target {
        Target::Stdio { env, cwd, .. } => {
            if !headers.is_empty() {
                bail!(
                    "--header and --bearer-env are for HTTP; give a command its secrets with --env"
                );
            }
            env.extend(args.env.iter().cloned());
            if let Some(dir) = &args.cwd {
                must_be_dir("--cwd", dir)?;
                *cwd = Some(dir.display().to_string());
            }
        }
        Target::Http { headers: own, .. } | Target::Sse { headers: own, .. } => {
            refuse_process_flags(args, "a server that is reached by URL")?;
            for (name, value) in headers {
                own.retain(|k, _| !k.eq_ignore_ascii_case(&name));
                own.insert(name, value);
            }
        }
        Target::Source { .. } => {
            refuse_process_flags(args, "a source tree")?;
            if !headers.is_empty() {
                bail!("--header and --bearer-env are for HTTP; a source tree is only read");
            }
        }
    }
    Ok(target)
}

fn chosen(args: &TargetArgs) -> Result<Target> {
    let mut named = Vec::new();
    let mut found = Vec::new();
    if let Some((command, rest)) = args.command.split_first() {
        named.push("-- COMMAND");
        found.push(Target::Stdio {
            command: command.clone(),
            args: rest.to_vec(),
            env: BTreeMap::new(),
            cwd: None,
        });
    }
    if let Some(url) = &args.url {
        named.push("--url");
        found.push(Target::Http { url: http_url("--url", url)?, headers: BTreeMap::new() });
    }
    if let Some(url) = &args.sse {
        named.push("--sse");
        found.push(Target::Sse { url: http_url("--sse", url)?, headers: BTreeMap::new() });
    }
    if let Some(path) = &args.config {
        named.push("--config");
        if named.len() == 1 {
            found.push(config::server(path, args.server.as_deref())?);
        }
    }
    if args.alone && !named.is_empty() {
        bail!(
            "--static starts nothing, so {} can't be asked; leave one of them out",
            named.join(" and ")
        );
    }
    match (named.as_slice(), found.pop(), &args.source) {
        ([_], Some(target), _) => Ok(target),
        ([], _, Some(dir)) => Ok(Target::Source { dir: dir.display().to_string() }),
        ([], ..) => bail!(
            "nothing to assess; give `-- COMMAND`, --url, --sse, --config or --source, put a [[target]] into proofmark.toml, or try `proofmark demo`"
        ),
        (several, ..) => bail!("{} name a target each; keep one", several.join(" and ")),
    }
}

fn headers(args: &TargetArgs) -> Result<Vec<(String, String)>> {
    let mut headers = args.header.clone();
    if let Some(name) = &args.bearer_env {
        let token = token("--bearer-env", name)?;
        headers.push(("Authorization".to_owned(), format!("Bearer {token}")));
    }
    Ok(headers)
}

fn token(flag: &str, name: &str) -> Result<String> {
    let token = env::var(name).unwrap_or_default();
    if token.trim().is_empty() {
        bail!("{flag}: the environment variable `{name}` is not set; put the token there");
    }
    Ok(token.trim().to_owned())
}

/// Tokens that are tried besides the one that opens the session.
pub(crate) fn tokens(args: &TargetArgs, target: &Target) -> Result<BTreeMap<TokenKind, String>> {
    if !args.token.is_empty() && !matches!(target, Target::Http { .. }) {
        bail!("--token is for a server that is reached with --url; leave it out");
    }
    args.token.iter().map(|(kind, name)| Ok((*kind, token("--token", name)?))).collect()
}

fn refuse_process_flags(args: &TargetArgs, what: &str) -> Result<()> {
    if !args.env.is_empty() || args.cwd.is_some() {
        bail!(
            "--env and --cwd are for a command that is started here, not for {what}; leave them out"
        );
    }
    Ok(())
}

fn http_url(flag: &str, url: &str) -> Result<String> {
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"));
    match rest {
        Some(rest) if !rest.is_empty() && !rest.starts_with('/') => Ok(url.to_owned()),
        Some(_) | None => bail!(
            "{flag} {url} is no address; expected http:// or https://, e.g. http://127.0.0.1:8080/mcp"
        ),
    }
}

fn must_be_dir(flag: &str, dir: &Path) -> Result<()> {
    if !dir.is_dir() {
        bail!("{flag} {} is not a directory; give one that exists", dir.display());
    }
    Ok(())
}
