//! Sample arguments from JSON Schema.
