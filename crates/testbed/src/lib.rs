//! Small MCP servers that are good, broken or vulnerable in one labelled way each.
//!
//! A mode is data: a correct server and how it departs from being correct (`mode.rs`). The labels
//! in `labels.toml` say what tests may expect of each ([`Label`]).

mod ask;
mod change;
mod clock;
mod command;
mod front;
mod label;
mod mode;
mod model;
mod modes;
mod mutant;
mod revision;
mod rpc;
mod sample;
mod server;
mod stage;
mod token;
mod tool;
mod tools;
mod world;

use std::net::SocketAddr;
use std::time::Duration;

use crate::stage::Stage;

pub use crate::command::command;
pub use crate::front::http::{HttpForm, HttpServer};
pub use crate::label::{Class, Decoy, Hole, Kind, Label, Startup, Transport};
pub use crate::model::{Habit, ModelServer};
pub use crate::mutant::{Mutant, Revisions, mutants};
pub use crate::sample::{Sample, Samples, Truth, Verdict, samples};

/// Why a server could not be run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("there is no mode `{0}`; `testbed --list` names them all")]
    UnknownMode(String),
    #[error("the labels do not parse: {0}; correct it and build again")]
    Labels(#[from] toml::de::Error),
    #[error("{file}: {row}: {why}; correct that row and build again")]
    Mutants { file: String, row: String, why: String },
    #[error("there is no mutant `{0}`; `--mutants` names them all")]
    UnknownMutant(String),
    #[error("the transport failed: {0}; check that the port is free and the pipes are open")]
    Transport(#[from] std::io::Error),
}

/// Serves a mode over stdin and stdout until stdin closes.
pub fn serve_stdio(mode: &str) -> Result<(), Error> {
    serve_stdio_with(mode, None)
}

/// The same with another delay than the mode's own.
pub fn serve_stdio_with(mode: &str, delay: Option<Duration>) -> Result<(), Error> {
    front::stdio::serve(Stage::of(mode, delay)?)
}

/// Serves a mode over Streamable HTTP at `/mcp`. To learn the port, use [`HttpServer`].
pub async fn serve_http(mode: &str, addr: SocketAddr) -> Result<(), Error> {
    HttpServer::bind(mode, addr, HttpForm::Streams, None).await?.run().await
}

/// What is known of every mode, in the order of the file.
pub fn modes() -> Result<Vec<Label>, Error> {
    label::all()
}
