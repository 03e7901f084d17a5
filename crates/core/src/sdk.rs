//! Which SDK stands behind the server: most protocol behaviour is inherited from it.
