//! The stdio front: one frame per line, ends when stdin does.

use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::signal::unix::{SignalKind, signal};

use super::act;
use crate::Error;
use crate::mode::{Act, STUBBORN_FOR};
use crate::server::Session;
use crate::stage::{Played, Stage};

/// A longer line is answered as if it were not JSON.
const LONGEST_LINE: u64 = 64 << 20;

pub(crate) fn serve(stage: Stage) -> Result<(), Error> {
    let stubborn = stage.is_stubborn();
    if stubborn {
        outlive_sigterm();
    }
    if perform(stage.start()).is_err() {
        return Ok(());
    }
    let desk = Arc::new(Mutex::new((stage, Session::exclusive())));
    let mut stdin = io::stdin().lock();
    while let Some(line) = next_line(&mut stdin)? {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        let played = at(&desk, |stage, session| stage.take(session, line));
        let waits = played.acts.iter().any(|a| matches!(a, Act::Wait(_)));
        if waits || played.pending.is_some() {
            // Others are answered meanwhile.
            let desk = Arc::clone(&desk);
            thread::spawn(move || play(&desk, played));
        } else if play(&desk, played).is_err() {
            break;
        }
    }
    let _ = perform(at(&desk, |stage, session| stage.farewell(session)));
    if stubborn {
        let since = Instant::now();
        while since.elapsed() < STUBBORN_FOR {
            thread::sleep(Duration::from_millis(200));
        }
    }
    Ok(())
}

/// The server and its one client.
type Desk = Mutex<(Stage, Session)>;

/// A thread that panicked at the desk leaves it in good enough order.
fn at<T>(desk: &Desk, act: impl FnOnce(&mut Stage, &mut Session) -> T) -> T {
    let mut desk = desk.lock().unwrap_or_else(PoisonError::into_inner);
    let (stage, session) = &mut *desk;
    act(stage, session)
}

/// Does what was played, and comes back for the rest of it until there is none.
fn play(desk: &Desk, mut played: Played) -> io::Result<()> {
    loop {
        for aloud in at(desk, |stage, session| stage.tell(session, &played.changes)) {
            perform(aloud.acts)?;
        }
        perform(played.acts)?;
        let Some(pending) = played.pending else { return Ok(()) };
        thread::sleep(pending.after);
        played = at(desk, |stage, session| stage.resume(session, pending));
    }
}

fn next_line(from: &mut impl BufRead) -> Result<Option<Vec<u8>>, Error> {
    let mut line = Vec::new();
    from.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    Ok((!line.is_empty()).then_some(line))
}

/// An error means that nobody reads any more.
fn perform(acts: Vec<Act>) -> io::Result<()> {
    for act in acts {
        match act {
            Act::Say(message) => write_line(message.to_string().as_bytes())?,
            Act::Raw(text) => write_line(text.as_bytes())?,
            Act::Wait(time) => thread::sleep(time),
            Act::Complain(text) => act::complain(&text),
            Act::CloseStdout => act::close_stdout(),
            Act::Exit(code) => act::exit(code),
        }
    }
    Ok(())
}

fn write_line(line: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(line)?;
    stdout.write_all(b"\n")?;
    stdout.flush()
}

/// A handler that only swallows; on its own thread, since the caller may have no runtime.
fn outlive_sigterm() {
    let (ready, is_ready) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let mut term = signal(SignalKind::terminate())?;
            let _ = ready.send(());
            while term.recv().await.is_some() {}
            io::Result::Ok(())
        })
    });
    let _ = is_ready.recv_timeout(Duration::from_secs(5));
}
