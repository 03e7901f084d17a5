//! `init`: a commented `proofmark.toml` and a workflow, written once and never over something.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use proofmark_live::store;

use crate::args::Init;
use crate::screen::Screen;

const SETTINGS: &str = include_str!("../../templates/proofmark.toml");
const WORKFLOW: &str = include_str!("../../templates/proofmark.yml");
/// Stands where nobody knows better.
const NOBODY: &str = "OWNER/proofmark@main";
const WORKFLOW_PLACE: &str = ".github/workflows/proofmark.yml";

pub(super) fn run(args: &Init, screen: &Screen) -> Result<ExitCode> {
    let mut files = vec![(args.dir.join("proofmark.toml"), settings(args))];
    if !args.no_workflow {
        let action = args.action.clone().or_else(published).unwrap_or(NOBODY.to_owned());
        files.push((args.dir.join(WORKFLOW_PLACE), WORKFLOW.replace("{action}", &action)));
    }
    refuse_what_is_there(args, &files)?;
    for (path, text) in &files {
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)
            .with_context(|| format!("can't create the folder {}", folder.display()))?;
        store::write_atomic(path, text.as_bytes())?;
        screen.note(&format!("written: {}", path.display()));
    }
    if files.iter().any(|(_, text)| text.contains(NOBODY)) {
        screen.note(&format!(
            "this build does not know where its action is published: put that in place of {NOBODY} \
             in {WORKFLOW_PLACE}, or give --action"
        ));
    }
    screen.note("next: look through proofmark.toml, then run `proofmark assess`");
    Ok(ExitCode::SUCCESS)
}

/// The action of this very version, where the manifest of this build says who publishes it.
fn published() -> Option<String> {
    let home = env!("CARGO_PKG_REPOSITORY").trim_end_matches('/').trim_end_matches(".git");
    let name = home.strip_prefix("https://github.com/")?;
    Some(format!("{name}@v{}", env!("CARGO_PKG_VERSION")))
}

/// All or nothing: half a set-up is worse than none.
fn refuse_what_is_there(args: &Init, files: &[(PathBuf, String)]) -> Result<()> {
    let there: Vec<String> =
        files.iter().filter(|(p, _)| p.exists()).map(|(p, _)| p.display().to_string()).collect();
    if !there.is_empty() && !args.force {
        bail!("{} is there already; --force replaces it", there.join(" and "));
    }
    Ok(())
}

fn settings(args: &Init) -> String {
    let quoted = |word: &String| toml::Value::String(word.clone()).to_string();
    let words: Vec<String> = args.command.iter().map(quoted).collect();
    let target = match (words.is_empty(), &args.url) {
        (false, _) => format!("[[target]]\nname = \"server\"\ncommand = [{}]", words.join(", ")),
        (true, Some(url)) => format!("[[target]]\nname = \"server\"\nurl = {}", quoted(url)),
        (true, None) => {
            "# [[target]]\n# name = \"server\"\n# command = [\"node\", \"dist/index.js\"]"
                .to_owned()
        }
    };
    SETTINGS.replace("{target}", &target)
}
