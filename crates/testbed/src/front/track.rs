//! Frames on their way to one HTTP response, kept so that a client that lost it can go on.

use std::sync::Mutex;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::http::lock;

#[derive(Debug)]
pub(crate) struct Track {
    /// Tells the tracks of a server apart.
    pub(crate) number: u64,
    /// Events get ids, so that a client can name the last one it saw.
    numbered: bool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    frames: Vec<String>,
    reader: Option<UnboundedSender<String>>,
    ended: bool,
}

impl Track {
    pub(crate) fn new(number: u64, numbered: bool) -> Track {
        Track { number, numbered, state: Mutex::default() }
    }

    /// A frame, or an event without data when it is empty.
    pub(crate) fn send(&self, frame: String) {
        let mut state = lock(&self.state);
        let event = self.event(state.frames.len(), &frame);
        state.frames.push(frame);
        if let Some(reader) = &state.reader {
            // A reader that is gone may come back for it.
            let _ = reader.send(event);
        }
    }

    /// Says nothing and shows that the connection lives; false when nobody reads.
    pub(crate) fn breathe(&self) -> bool {
        let state = lock(&self.state);
        state.reader.as_ref().is_some_and(|reader| reader.send(":\n\n".to_owned()).is_ok())
    }

    pub(crate) fn end(&self) {
        let mut state = lock(&self.state);
        state.ended = true;
        state.reader = None;
    }

    /// The events from this one on, as they come. Whoever read before reads no more.
    pub(crate) fn attach(&self, from: usize) -> UnboundedReceiver<String> {
        let (sender, receiver) = unbounded_channel();
        let mut state = lock(&self.state);
        for (n, frame) in state.frames.iter().enumerate().skip(from) {
            let _ = sender.send(self.event(n, frame));
        }
        state.reader = (!state.ended).then_some(sender);
        receiver
    }

    pub(crate) fn frames(&self) -> Vec<String> {
        lock(&self.state).frames.clone()
    }

    pub(crate) fn is_deserted(&self) -> bool {
        lock(&self.state).reader.as_ref().is_none_or(UnboundedSender::is_closed)
    }

    /// Returns when the present reader is gone.
    pub(crate) async fn deserted(&self) {
        let reader = lock(&self.state).reader.clone();
        if let Some(reader) = reader {
            reader.closed().await;
        }
    }

    fn event(&self, n: usize, frame: &str) -> String {
        let id = if self.numbered { format!("id: {}-{n}\n", self.number) } else { String::new() };
        if frame.is_empty() {
            return format!("{id}data: \n\n");
        }
        let data: String = frame.lines().map(|line| format!("data: {line}\n")).collect();
        format!("{id}event: message\n{data}\n")
    }
}

/// The track and the event after the one that a `Last-Event-ID` names.
pub(crate) fn after(last: &str) -> Option<(u64, usize)> {
    let (number, n) = last.split_once('-')?;
    Some((number.parse().ok()?, n.parse::<usize>().ok()?.checked_add(1)?))
}

#[cfg(test)]
mod tests {
    use super::{Track, after};

    #[test]
    fn a_reader_that_comes_back_gets_what_it_missed() {
        let track = Track::new(3, true);
        let mut first = track.attach(0);
        track.send("one".to_owned());
        assert_eq!(first.try_recv().as_deref(), Ok("id: 3-0\nevent: message\ndata: one\n\n"));
        drop(first);
        track.send("two".to_owned());
        track.end();
        let (_, from) = after("3-0").expect("an id of this server");
        let mut again = track.attach(from);
        assert_eq!(again.try_recv().as_deref(), Ok("id: 3-1\nevent: message\ndata: two\n\n"));
        assert!(again.try_recv().is_err());
    }
}
