//! The language model as an instrument: asked closed questions within a budget, every answer kept.

mod ask;
mod budget;
mod dialect;
mod generate;
mod service;

pub use ask::{Estimate, ask, estimate};
pub use budget::Terms;
pub use dialect::Dialect;
pub use generate::generate;
pub use service::{Service, ServiceError};
