//! Ctrl-C once ends the run early and keeps what was seen; twice ends everything at once.
//! Whatever ends us, nothing we started may live on.

use proofmark_live::isolate;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use crate::watch::Voice;

/// What a shell reports for a program ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Turns true on the first signal; the second one does not return.
pub(crate) fn watch_signals(voice: Voice) -> std::io::Result<watch::Receiver<bool>> {
    let (flag, receiver) = watch::channel(false);
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let [int, term, hup] = kinds.map(signal);
    let mut signals = [int?, term?, hup?];
    tokio::spawn(async move {
        next(&mut signals).await;
        voice("ending the run; what was seen is reported. Once more ends it at once.");
        // The run may be over already; then there is nothing to interrupt.
        let _ = flag.send(true);
        next(&mut signals).await;
        isolate::end_all();
        leave();
    });
    Ok(receiver)
}

/// A panic must not leave servers behind.
pub(crate) fn clean_up_on_panic() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        usual(info);
        isolate::end_all();
    }));
}

async fn next(signals: &mut [Signal; 3]) {
    let [int, term, hup] = signals;
    tokio::select! {
        _ = int.recv() => {}
        _ = term.recv() => {}
        _ = hup.recv() => {}
    }
}

#[expect(clippy::exit, reason = "the second Ctrl-C must not wait for anything")]
fn leave() {
    std::process::exit(INTERRUPTED);
}
