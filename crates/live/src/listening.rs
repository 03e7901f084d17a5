//! Where a server on this machine listens, as the kernel tells it.

use std::fs::read_to_string;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use reqwest::Url;

/// The state of a socket that waits for connections.
const LISTEN: &str = "0A";

/// The addresses at which somebody listens on the port of this address; none where that cannot be
/// known.
pub(crate) fn addresses(url: &str) -> Vec<IpAddr> {
    let Some(port) = Url::parse(url).ok().and_then(|u| u.port_or_known_default()) else {
        return Vec::new();
    };
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|t| read_to_string(t).unwrap_or_default());
    let mut found: Vec<IpAddr> = tables.iter().flat_map(|table| listeners(table, port)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn listeners(table: &str, port: u16) -> impl Iterator<Item = IpAddr> {
    table.lines().skip(1).filter_map(move |line| {
        let mut fields = line.split_whitespace();
        let (local, state) = (fields.nth(1)?, fields.nth(1)?);
        let (address, at) = local.split_once(':')?;
        (state == LISTEN && u16::from_str_radix(at, 16) == Ok(port)).then(|| ip(address))?
    })
}

/// Words of four bytes, each in the byte order of the machine.
fn ip(hex: &str) -> Option<IpAddr> {
    let words = hex.as_bytes().chunks(8).map(|word| {
        let word = std::str::from_utf8(word).ok()?;
        Some(u32::from_str_radix(word, 16).ok()?.to_ne_bytes())
    });
    let bytes: Vec<u8> = words.collect::<Option<Vec<_>>>()?.concat();
    let four = <[u8; 4]>::try_from(bytes.as_slice()).map(|b| IpAddr::V4(Ipv4Addr::from(b)));
    let sixteen = <[u8; 16]>::try_from(bytes.as_slice()).map(|b| IpAddr::V6(Ipv6Addr::from(b)));
    four.or(sixteen).ok()
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn a_listener_is_found_by_its_port_with_the_address_it_has() {
        for address in ["127.0.0.1", "0.0.0.0"] {
            let listener = TcpListener::bind((address, 0)).expect("a free port");
            let port = listener.local_addr().expect("bound").port();
            let found = addresses(&format!("http://127.0.0.1:{port}/mcp"));
            assert_eq!(found, [address.parse::<IpAddr>().expect("an address")]);
        }
    }

    #[test]
    fn tables_of_both_families_are_read_and_other_states_left_out() {
        let table = "  sl  local_address rem_address   st\n\
             0: 00000000000000000000000000000000:1F90 0:0 0A 0\n\
             1: 0100007F:1F90 0100007F:9999 01 0\n";
        let found: Vec<IpAddr> = listeners(table, 8080).collect();
        assert_eq!(found, [IpAddr::V6(Ipv6Addr::UNSPECIFIED)]);
    }
}
