//! Server-sent events: bytes in, events out, as the HTML standard reads them, but nothing is lost:
//! comments, ids and lines that are no field stay visible.

use super::text::decode;

/// One block of the stream, up to a blank line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Event {
    /// The lines of the block, joined by `\n`; the beginning of them when it is oversized.
    pub(crate) raw: String,
    /// The true size of the block.
    pub(crate) bytes: u64,
    /// The value of the `event` field.
    pub(crate) name: String,
    /// `None` when the block has no `data` field, so that no client would see an event.
    pub(crate) data: Option<String>,
    /// The value of the `id` field.
    pub(crate) id: Option<String>,
    /// The value of the `retry` field.
    pub(crate) retry: Option<String>,
    /// The first line that is neither a comment nor a known field.
    pub(crate) stray: Option<String>,
    /// Over the limit; `data` is incomplete.
    pub(crate) oversized: bool,
    /// Some bytes were not UTF-8.
    pub(crate) lossy: bool,
}

impl Event {
    /// Whether a client takes it for an MCP message.
    pub(crate) fn is_message(&self) -> bool {
        self.name.is_empty() || self.name == "message"
    }
}

/// Feed it chunks, take events.
#[derive(Debug)]
pub(crate) struct Parser {
    limit: usize,
    line: Vec<u8>,
    /// The true size of the line under way.
    line_bytes: u64,
    event: Event,
    /// Some line of the block has been read.
    begun: bool,
    /// The last byte was CR: an LF right after belongs to it.
    after_cr: bool,
    first_line: bool,
}

impl Parser {
    pub(crate) fn new(limit: usize) -> Parser {
        Parser {
            limit,
            line: Vec::new(),
            line_bytes: 0,
            event: Event::default(),
            begun: false,
            after_cr: false,
            first_line: true,
        }
    }

    /// Hands every event that ends within `chunk` to `take`.
    pub(crate) fn feed(&mut self, mut chunk: &[u8], mut take: impl FnMut(Event)) {
        while !chunk.is_empty() {
            if std::mem::take(&mut self.after_cr) && chunk[0] == b'\n' {
                chunk = &chunk[1..];
                continue;
            }
            let Some(end) = chunk.iter().position(|&b| b == b'\n' || b == b'\r') else {
                self.keep(chunk);
                return;
            };
            self.keep(&chunk[..end]);
            self.after_cr = chunk[end] == b'\r';
            if let Some(event) = self.end_line() {
                take(event);
            }
            chunk = &chunk[end + 1..];
        }
    }

    /// What stood at the end of the stream without a blank line after it; clients drop it.
    pub(crate) fn finish(&mut self) -> Option<Event> {
        if self.line_bytes > 0 {
            let _ = self.end_line();
        }
        self.end_block()
    }

    fn keep(&mut self, part: &[u8]) {
        // What a block may still hold, so that neither a line nor many lines go over the limit.
        let held = self.event.raw.len() + usize::from(self.begun) + self.line.len();
        let room = self.limit.saturating_sub(held);
        self.line.extend_from_slice(&part[..part.len().min(room)]);
        self.line_bytes += part.len() as u64;
    }

    fn end_line(&mut self) -> Option<Event> {
        let mut line = std::mem::take(&mut self.line);
        let bytes = std::mem::take(&mut self.line_bytes);
        if std::mem::take(&mut self.first_line) && line.starts_with(b"\xef\xbb\xbf") {
            line.drain(..3);
            return self.end_read_line(&line, bytes - 3);
        }
        self.end_read_line(&line, bytes)
    }

    fn end_read_line(&mut self, line: &[u8], bytes: u64) -> Option<Event> {
        if bytes == 0 {
            return self.end_block();
        }
        let (text, lossy) = decode(line, (line.len() as u64) < bytes);
        let event = &mut self.event;
        event.lossy |= lossy;
        event.bytes += bytes + u64::from(self.begun);
        if self.begun && event.raw.len() < self.limit {
            event.raw.push('\n');
        }
        event.raw.push_str(&text);
        self.begun = true;
        event.oversized |= event.bytes > self.limit as u64;
        if !event.oversized {
            read_field(event, &text);
        }
        None
    }

    fn end_block(&mut self) -> Option<Event> {
        std::mem::take(&mut self.begun).then(|| std::mem::take(&mut self.event))
    }
}

fn read_field(event: &mut Event, line: &str) {
    let (name, value) = line.split_once(':').unwrap_or((line, ""));
    let value = value.strip_prefix(' ').unwrap_or(value);
    match name {
        "data" => match &mut event.data {
            Some(data) => {
                data.push('\n');
                data.push_str(value);
            }
            None => event.data = Some(value.to_owned()),
        },
        "event" => value.clone_into(&mut event.name),
        "id" => event.id = Some(value.to_owned()),
        "retry" => event.retry = Some(value.to_owned()),
        // A comment stays readable in `raw`.
        "" => {}
        _ => {
            if event.stray.is_none() {
                event.stray = Some(line.chars().take(120).collect());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(chunks: &[&[u8]]) -> (Vec<Event>, Option<Event>) {
        let mut parser = Parser::new(1000);
        let mut events = Vec::new();
        for chunk in chunks {
            parser.feed(chunk, |e| events.push(e));
        }
        let rest = parser.finish();
        (events, rest)
    }

    fn data(text: &[u8]) -> Vec<Option<String>> {
        parse(&[text]).0.into_iter().map(|e| e.data).collect()
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn all_three_line_ends_are_line_ends() {
        for text in
            ["data: a\n\ndata: b\n\n", "data: a\r\rdata: b\r\r", "data: a\r\n\r\ndata: b\r\n\r\n"]
        {
            assert_eq!(data(text.as_bytes()), [some("a"), some("b")], "{text:?}");
        }
    }

    #[test]
    fn lines_of_data_are_joined_and_one_space_is_stripped() {
        assert_eq!(data(b"data:a\ndata:  b\ndata\n\n"), [some("a\n b\n")]);
    }

    #[test]
    fn a_primer_with_an_id_and_empty_data_is_an_event_and_a_comment_is_none() {
        let (events, rest) = parse(&[b"id: 1\ndata:\n\n: ping\n\nretry: 3000\n\n"]);
        assert_eq!(
            events.iter().map(|e| e.data.as_deref()).collect::<Vec<_>>(),
            [Some(""), None, None]
        );
        assert_eq!(events[0].raw, "id: 1\ndata:");
        assert_eq!(events[1].raw, ": ping");
        assert_eq!(events[2].stray, None);
        assert_eq!(rest, None);
    }

    #[test]
    fn a_byte_order_mark_is_skipped_at_the_start_only() {
        let (events, _) = parse(&[b"\xef", b"\xbb\xbfdata: a\n\n\xef\xbb\xbfdata: b\n\n"]);
        assert_eq!(events[0].data, some("a"));
        assert_eq!(events[1].data, None);
        assert_eq!(events[1].stray, some("\u{feff}data: b"));
    }

    #[test]
    fn a_character_may_be_cut_by_a_chunk_but_not_by_the_server() {
        let (events, _) = parse(&[b"data: \xe2\x82", b"\xac\n\ndata: \xe2\x82\n\n"]);
        assert_eq!((events[0].data.clone(), events[0].lossy), (some("€"), false));
        assert_eq!((events[1].data.clone(), events[1].lossy), (some("\u{fffd}"), true));
    }

    #[test]
    fn the_name_and_lines_that_are_no_field_are_seen() {
        let (events, _) = parse(&[b"event: endpoint\ndata: /post\n\n{\"jsonrpc\":\"2.0\"}\n\n"]);
        assert!(!events[0].is_message());
        assert_eq!(events[0].name, "endpoint");
        assert_eq!(events[1].stray, some("{\"jsonrpc\":\"2.0\"}"));
    }

    #[test]
    fn an_event_without_its_blank_line_is_left_over() {
        let (events, rest) = parse(&[b"data: a\n\ndata: b"]);
        assert_eq!(events.len(), 1);
        assert_eq!(rest.and_then(|e| e.data), some("b"));
        assert_eq!(parse(&[b"data: a\n\n\n\n"]).1, None);
    }

    #[test]
    fn an_event_over_the_limit_is_cut_and_the_next_one_is_whole() {
        let long = format!("data: {}\n{}\ndata: ok\n\n", "x".repeat(600), "data: y\n".repeat(5000));
        let (events, _) = parse(&[long.as_bytes()]);
        assert!(events[0].oversized);
        assert_eq!(events[0].bytes, 606 + 5000 * 8);
        assert!(events[0].raw.len() <= 1000);
        assert_eq!((events[1].data.clone(), events[1].oversized), (some("ok"), false));
    }

    proptest! {
        #[test]
        fn chunking_does_not_change_the_events(
            parts in proptest::collection::vec(
                prop_oneof![
                    Just("\n".to_owned()), Just("\r".to_owned()), Just("\r\n".to_owned()),
                    Just("\n\n".to_owned()), Just("data: ".to_owned()), Just("event:".to_owned()),
                    Just("id: 7".to_owned()), Just(": c".to_owned()), Just("\u{feff}".to_owned()),
                    "[a-z€ß:]{0,6}",
                ],
                0..40,
            ),
            cuts in proptest::collection::vec(0usize..160, 0..12),
        ) {
            let text = parts.concat().into_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|c| c.min(text.len())).collect();
            cuts.sort_unstable();
            let mut chunks = Vec::new();
            let mut from = 0;
            for cut in cuts {
                chunks.push(&text[from..cut]);
                from = cut;
            }
            chunks.push(&text[from..]);
            prop_assert_eq!(parse(&chunks), parse(&[&text]));
        }
    }
}
