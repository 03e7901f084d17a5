//! Evidence files on disk.
