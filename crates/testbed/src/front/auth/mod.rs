//! Authorization: a bearer token before the endpoint, and the authorization server that issues it.

mod issuer;
mod sha256;
mod ticket;
mod warden;

pub(crate) use self::issuer::routes;
pub(crate) use self::warden::{Warden, watch};
