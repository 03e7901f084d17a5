//! The tools that modes put together, one file per family.

pub(crate) mod advice;
pub(crate) mod asking;
pub(crate) mod bulk;
pub(crate) mod environment;
pub(crate) mod files;
pub(crate) mod hollow;
pub(crate) mod measure;
pub(crate) mod notes;
pub(crate) mod season;
pub(crate) mod shell;
pub(crate) mod store;
pub(crate) mod survey;
pub(crate) mod unicode;
pub(crate) mod valley;
