//! The protocol as data.

pub mod messages;
