//! The five-dimension evaluation for people: text, Markdown, tables and charts.

mod boxes;
mod csv;
mod markdown;
mod radar;
mod summary;
mod terminal;

pub use boxes::boxes;
pub use csv::csv;
pub use markdown::markdown;
pub use radar::radar;
pub use summary::{summary, summary_terminal};
pub use terminal::terminal;
