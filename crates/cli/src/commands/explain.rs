//! `explain`: the page of a check.

use std::process::ExitCode;

use anyhow::{Result, bail};
use proofmark_core::check::Topic;
use proofmark_core::checks;
use proofmark_core::render::terminal::{Detail, page};

use crate::args::Explain;
use crate::nearest::did_you_mean;
use crate::screen::Screen;

pub(super) fn run(args: &Explain, screen: &Screen) -> Result<ExitCode> {
    let id = args.check.as_str();
    let Some(check) = checks::find(id) else {
        if Topic::parse(id).is_some() {
            bail!("`{id}` is a topic; `proofmark checks --topic {id}` lists its checks");
        }
        let hint = did_you_mean(id, checks::all().into_iter().map(|c| c.id));
        bail!("no check `{id}`{hint}; `proofmark checks` lists them");
    };
    screen.print(&page(check, &screen.style(Detail::Normal), args.cases))?;
    Ok(ExitCode::SUCCESS)
}
