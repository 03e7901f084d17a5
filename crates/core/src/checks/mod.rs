//! The catalogue of checks.
