//! Pages: the Markdown beside a check, which is its documentation and its test.
