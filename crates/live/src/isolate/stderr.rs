//! Reads what a server writes to stderr, line by line, however much it is.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::task::JoinHandle;

use crate::record::Record;

/// More of a line than this is not kept.
const LINE: usize = 4_000;
const TAIL: usize = 60;

/// The reading task and the last lines it saw; the record keeps only the first ones.
#[derive(Debug)]
pub(super) struct Reader {
    task: JoinHandle<()>,
    tail: Arc<Mutex<VecDeque<String>>>,
}

impl Reader {
    /// Must be called within a tokio runtime.
    pub(super) fn start<R>(source: R, record: Arc<Record>) -> Reader
    where
        R: AsyncRead + Unpin + Send + 'static,
    {
        let tail = Arc::new(Mutex::new(VecDeque::with_capacity(TAIL)));
        let task = tokio::spawn(read(source, record, Arc::clone(&tail)));
        Reader { task, tail }
    }

    pub(super) fn tail(&self, lines: usize) -> Vec<String> {
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.iter().skip(tail.len().saturating_sub(lines)).cloned().collect()
    }

    /// Waits until all has been read; a grandchild may keep the pipe open for ever.
    pub(super) async fn settle(&mut self, limit: Duration) {
        if !self.task.is_finished() {
            let _ = tokio::time::timeout(limit, &mut self.task).await;
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn read<R: AsyncRead + Unpin>(
    mut source: R,
    record: Arc<Record>,
    tail: Arc<Mutex<VecDeque<String>>>,
) {
    let mut buffer = vec![0; 64 << 10];
    let mut lines = Lines::default();
    let mut keep = |line: &str| {
        record.stderr(line);
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        if tail.len() == TAIL {
            tail.pop_front();
        }
        tail.push_back(record.scrub().text(line));
    };
    loop {
        match source.read(&mut buffer).await {
            Ok(0) | Err(_) => break,
            Ok(n) => lines.feed(&buffer[..n], &mut keep),
        }
    }
    lines.finish(&mut keep);
}

/// Cuts a stream of bytes into lines of bounded length.
#[derive(Debug, Default)]
struct Lines {
    open: Vec<u8>,
    overlong: bool,
}

impl Lines {
    fn feed(&mut self, mut bytes: &[u8], keep: &mut impl FnMut(&str)) {
        while let Some(end) = bytes.iter().position(|b| *b == b'\n') {
            self.extend(&bytes[..end]);
            self.close(keep);
            bytes = &bytes[end + 1..];
        }
        self.extend(bytes);
    }

    fn finish(&mut self, keep: &mut impl FnMut(&str)) {
        if !self.open.is_empty() {
            self.close(keep);
        }
    }

    fn extend(&mut self, bytes: &[u8]) {
        let room = LINE.saturating_sub(self.open.len());
        self.overlong |= bytes.len() > room;
        self.open.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn close(&mut self, keep: &mut impl FnMut(&str)) {
        let text = String::from_utf8_lossy(&self.open);
        let text = text.trim_end_matches('\r');
        if self.overlong {
            keep(&format!("{}…", text.trim_end_matches('\u{fffd}')));
        } else {
            keep(text);
        }
        self.open.clear();
        self.overlong = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(parts: &[&[u8]]) -> Vec<String> {
        let (mut lines, mut out) = (Lines::default(), Vec::new());
        for part in parts {
            lines.feed(part, &mut |l: &str| out.push(l.to_owned()));
        }
        lines.finish(&mut |l: &str| out.push(l.to_owned()));
        out
    }

    #[test]
    fn lines_that_arrive_in_pieces_are_joined() {
        assert_eq!(cut(&[b"on", b"e\ntw", b"o\r\n", b"\nend"]), ["one", "two", "", "end"]);
    }

    #[test]
    fn an_endless_line_is_cut_and_the_next_one_is_whole() {
        let long = vec![b'x'; LINE * 3];
        let out = cut(&[&long, &long, b"\nnext\n"]);
        assert_eq!(out.len(), 2);
        assert_eq!(out[0].len(), LINE + '…'.len_utf8());
        assert_eq!(out[1], "next");
    }

    #[test]
    fn bytes_that_are_not_utf8_do_not_stop_the_reader() {
        assert_eq!(cut(&[b"a\xff\xfeb\n"]), ["a\u{fffd}\u{fffd}b"]);
    }
}
