//! The modes, seen from outside: each is started as a process and spoken to in raw JSON.
#![expect(clippy::expect_used, clippy::panic, reason = "the client of a test may fail the test")]

mod asking;
mod auth;
mod broken;
mod changes;
mod client;
mod framing;
mod good_http;
mod good_stdio;
mod holes;
mod http_client;
mod meaning;
mod mutants;
mod running;
mod samples;
mod streams;
