//! The ways in: stdio, Streamable HTTP, legacy HTTP+SSE.

mod act;
mod auth;
pub(crate) mod guard;
pub(crate) mod headers;
pub(crate) mod http;
pub(crate) mod line;
mod slack;
pub(crate) mod sse;
pub(crate) mod stdio;
pub(crate) mod streamable;
pub(crate) mod track;

pub(crate) use self::act::{babble, complain};
