//! What a call may change that others are told about.

/// Something a client may have asked to hear of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    Tools,
    Prompts,
    Resources,
    /// The content behind this URI.
    Resource(String),
}
