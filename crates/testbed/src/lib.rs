//! Small MCP servers.

/// Serves a mode over stdin and stdout until stdin closes.
pub fn serve_stdio(_mode: &str) -> Result<(), std::io::Error> {
    Ok(())
}
