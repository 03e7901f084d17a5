//! Texts read for what they do to their reader: orders for the model, hidden characters, secrets.

mod encoded;
mod filled;
mod foreign;
mod heads;
mod hidden;
mod lexicon;
mod objects;
mod orders;
mod overrides;
mod people;
mod records;
mod secrets;
mod sentence;
mod shadow;
mod signs;
mod texts;

pub use encoded::decoded;
pub use hidden::{hidden, hidden_count, lookalike, skeleton};
pub use orders::{Context, Order, order};
pub use people::{Personal, masked, personal};
pub use records::named_secret;
pub use secrets::{Secret, Strength, crc32, mask, secrets};
pub use sentence::{Sentence, sentences};
pub use shadow::shadow;
pub use texts::{Ours, Said, heard, said, said_whole, speaker};
