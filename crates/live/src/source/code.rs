//! The code of a tree, read by real parsers. Files are read one at a time and beside each other;
//! of their text nothing is kept but names and places.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "shapes stand for the kinds of a grammar, and each reader minds only a few"
)]

mod bind;
mod call;
mod entries;
mod facts;
mod flow;
mod grammar;
mod guard;
mod habits;
mod interest;
mod joined;
mod outline;
mod sinks;
mod syntax;
mod taint;
mod walk;

use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use proofmark_core::event::{Event, Watcher};
use proofmark_core::evidence::{Code, LeftOut};

use super::files;
use facts::{Facts, LARGEST};
use walk::{Candidate, Found};

const WORKERS: usize = 8;
/// Trees of syntax are followed by recursion, to a fixed depth.
const STACK: usize = 32 << 20;
/// How often watchers hear of it.
const EVERY: usize = 200;
/// Facts of one kind beyond this are not kept: nobody reads them, and a hostile tree has millions.
const MAX_FACTS: usize = 2_000;

/// Reads the code below a directory.
pub(super) fn read(root: &Path, watcher: &Watcher) -> Code {
    let Found { files, left_out } = walk::tree(root);
    let mut code = Code { left_out, ..Code::default() };
    for (n, result) in scan(&files, watcher) {
        match result {
            Ok(facts) => {
                if let Some(language) = files.get(n).and_then(|f| f.language) {
                    *code.files.entry(language).or_default() += 1;
                }
                add(&mut code, facts);
            }
            Err(why) => *code.left_out.entry(why).or_default() += 1,
        }
    }
    settle(&mut code);
    code
}

type Scanned = (usize, Result<Facts, LeftOut>);

/// In the order of the files, whoever read them.
fn scan(files: &[Candidate], watcher: &Watcher) -> Vec<Scanned> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Scanned>> = Mutex::new(Vec::with_capacity(files.len()));
    let work = || {
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(n) else { return };
            if n.is_multiple_of(EVERY) {
                watcher(Event::Reading { files: files.len(), done: n });
            }
            let result = one(file);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((n, result));
        }
    };
    let workers = thread::available_parallelism().map_or(1, std::num::NonZero::get).min(WORKERS);
    thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..workers {
            let builder = thread::Builder::new().stack_size(STACK);
            started += usize::from(builder.spawn_scoped(scope, work).is_ok());
        }
        // Without any thread the files would silently not be read.
        if started == 0 {
            work();
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(n, _)| *n);
    done
}

fn one(file: &Candidate) -> Result<Facts, LeftOut> {
    let size = std::fs::metadata(&file.path).map_err(|_| LeftOut::Unreadable)?.len();
    if size > LARGEST as u64 {
        return Err(LeftOut::TooLarge);
    }
    let text = files::text(&file.path, LARGEST as u64).ok_or(LeftOut::NotText)?;
    facts::of(&file.name, file.language, &text)
}

fn add(code: &mut Code, facts: Facts) {
    let Facts { signs, stdio, tools, variables, flows, secrets, habits } = facts;
    code.stdio |= stdio;
    extend(&mut code.signs, signs);
    extend(&mut code.tools, tools);
    extend(&mut code.variables, variables);
    extend(&mut code.flows, flows);
    extend(&mut code.secrets, secrets);
    extend(&mut code.habits, habits);
}

fn extend<T>(all: &mut Vec<T>, more: Vec<T>) {
    let room = MAX_FACTS.saturating_sub(all.len());
    all.extend(more.into_iter().take(room));
}

fn settle(code: &mut Code) {
    code.tools.sort();
    code.flows.sort();
    code.variables.sort();
    code.secrets.sort();
    code.habits.sort();
}

#[cfg(test)]
mod tests;
