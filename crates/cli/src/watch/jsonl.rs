//! Events as lines of JSON: a running number, milliseconds since the start, and the event.

use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use proofmark_core::event::Event;
use serde::Serialize;

pub(super) struct Lines {
    start: Instant,
    out: Mutex<(u64, Box<dyn Write + Send>)>,
}

#[derive(Serialize)]
struct Line<'a> {
    seq: u64,
    ms: f64,
    #[serde(flatten)]
    event: &'a Event,
}

impl Lines {
    pub(super) fn new(out: Box<dyn Write + Send>) -> Lines {
        Lines { start: Instant::now(), out: Mutex::new((0, out)) }
    }

    pub(super) fn write(&self, event: &Event) {
        let mut guard = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let (seq, out) = &mut *guard;
        *seq += 1;
        // Taken inside the lock, so that time never runs backwards along the lines.
        let ms = (self.start.elapsed().as_secs_f64() * 10_000.0).round() / 10.0;
        let line = Line { seq: *seq, ms, event };
        if let Ok(mut text) = serde_json::to_string(&line) {
            text.push('\n');
            // Events are for watchers only: one that went away must not end the run.
            let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn each_event_is_one_line_with_number_and_time() {
        let shared = Shared::default();
        let lines = Lines::new(Box::new(shared.clone()));
        lines.write(&Event::Starting { target: "x\ny".to_owned() });
        lines.write(&Event::Planned { round: 1, calls: 7 });
        let text = String::from_utf8(shared.0.lock().unwrap().clone()).unwrap();
        let values: Vec<serde_json::Value> =
            text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        assert_eq!(values.len(), 2);
        assert_eq!(values[0]["seq"], 1);
        assert_eq!(values[0]["event"], "starting");
        assert_eq!(values[1]["calls"], 7);
        assert!(values[1]["ms"].as_f64() >= values[0]["ms"].as_f64());
    }
}
