//! The questions a language model is asked, as pure data: what to ask, in which words, and how an
//! answer is read. Only `live` talks to a model.
//!
//! Nothing a server said can pass for an instruction: its words stand between marks that it can't
//! know, the answers are closed sets, a text that addresses a judge is not put to one, and every
//! prompt carries a case whose answer is known; a model that gets it wrong is not believed.

mod book;
mod generate;
mod prompt;
mod question;
mod reply;

pub use book::{AnswerBook, PromptRecord, Recorded, Spent};
pub use generate::{GeneratedCase, generated, generation_prompt, is_harmless};
pub use prompt::{Prompt, prompts};
pub use question::{Question, questions};
pub(super) use question::{id as question_id, steers};
pub use reply::{Answers, Fault, Reading, read};
