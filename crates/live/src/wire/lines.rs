//! Splits a byte stream into lines, holding no more of a line than the limit.

/// One line without its terminator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// All of it, or its beginning when it is over the limit.
    pub(crate) kept: Vec<u8>,
    /// The true size.
    pub(crate) bytes: u64,
}

/// Feed it chunks, take lines.
#[derive(Debug)]
pub(crate) struct Splitter {
    limit: usize,
    kept: Vec<u8>,
    bytes: u64,
    last: u8,
}

impl Splitter {
    pub(crate) fn new(limit: usize) -> Splitter {
        Splitter { limit, kept: Vec::new(), bytes: 0, last: 0 }
    }

    /// Hands every line that ends within `chunk` to `take`.
    pub(crate) fn feed(&mut self, mut chunk: &[u8], mut take: impl FnMut(Line)) {
        while let Some(end) = chunk.iter().position(|&b| b == b'\n') {
            self.keep(&chunk[..end]);
            take(self.line());
            chunk = &chunk[end + 1..];
        }
        self.keep(chunk);
    }

    /// The last line, when the stream ends without a terminator.
    pub(crate) fn finish(&mut self) -> Option<Line> {
        (self.bytes > 0).then(|| self.line())
    }

    fn keep(&mut self, part: &[u8]) {
        let room = self.limit.saturating_sub(self.kept.len());
        self.kept.extend_from_slice(&part[..part.len().min(room)]);
        self.bytes += part.len() as u64;
        self.last = part.last().copied().unwrap_or(self.last);
    }

    fn line(&mut self) -> Line {
        let mut line = Line {
            kept: std::mem::take(&mut self.kept),
            bytes: std::mem::replace(&mut self.bytes, 0),
        };
        if line.bytes > 0 && self.last == b'\r' {
            if line.kept.len() as u64 == line.bytes {
                line.kept.pop();
            }
            line.bytes -= 1;
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn split(limit: usize, chunks: &[&[u8]]) -> Vec<(String, u64)> {
        let mut splitter = Splitter::new(limit);
        let mut lines = Vec::new();
        for chunk in chunks {
            splitter.feed(chunk, |line| lines.push(line));
        }
        lines.extend(splitter.finish());
        lines
            .into_iter()
            .map(|l| (String::from_utf8_lossy(&l.kept).into_owned(), l.bytes))
            .collect()
    }

    fn line(text: &str) -> (String, u64) {
        (text.to_owned(), text.len() as u64)
    }

    #[test]
    fn lines_are_split_across_chunks_and_the_last_one_needs_no_terminator() {
        assert_eq!(split(99, &[b"on", b"e\n\ntw", b"o"]), [line("one"), line(""), line("two")]);
    }

    #[test]
    fn exactly_one_carriage_return_is_stripped_also_when_it_came_in_another_chunk() {
        assert_eq!(split(99, &[b"a\r\r\nb\r", b"\nc"]), [line("a\r"), line("b"), line("c")]);
    }

    #[test]
    fn a_line_over_the_limit_is_cut_and_its_true_size_is_known() {
        assert_eq!(
            split(3, &[b"abcdefg", b"hi\nxyz\r\n"]),
            [("abc".to_owned(), 9), ("xyz".to_owned(), 3)]
        );
    }

    #[test]
    fn a_kept_line_never_grows_beyond_the_limit() {
        let mut splitter = Splitter::new(1000);
        for _ in 0..10_000 {
            splitter.feed(&[b'x'; 1000], |_| panic!("no line ends here"));
            assert!(splitter.kept.capacity() <= 2000, "{}", splitter.kept.capacity());
        }
        assert_eq!(splitter.finish().map(|l| l.bytes), Some(10_000_000));
    }

    proptest! {
        #[test]
        fn chunking_does_not_change_the_lines(
            text in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), any::<u8>()], 0..200),
            cuts in proptest::collection::vec(0usize..200, 0..8),
        ) {
            let mut cuts: Vec<usize> = cuts.into_iter().map(|c| c.min(text.len())).collect();
            cuts.sort_unstable();
            let mut chunks = Vec::new();
            let mut from = 0;
            for cut in cuts {
                chunks.push(&text[from..cut]);
                from = cut;
            }
            chunks.push(&text[from..]);
            prop_assert_eq!(split(20, &chunks), split(20, &[&text]));
        }
    }
}
