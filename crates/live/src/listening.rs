//! Where a server on this machine listens, as the kernel tells it.

use std::collections::BTreeSet;
use std::fs::{read_dir, read_link, read_to_string};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::PathBuf;

use reqwest::Url;

use crate::isolate::descendants;

/// The state of a socket that waits for connections.
const LISTEN: &str = "0A";

/// The addresses at which somebody listens on the port of this address; none where that cannot be
/// known.
pub(crate) fn addresses(url: &str) -> Vec<IpAddr> {
    let Some(port) = Url::parse(url).ok().and_then(|u| u.port_or_known_default()) else {
        return Vec::new();
    };
    found(|row| row.port == port)
}

/// The addresses at which this process, or one below it, listens.
pub(crate) fn of_tree(pid: u32) -> Vec<IpAddr> {
    let own: BTreeSet<u64> = descendants(pid).into_iter().flat_map(sockets).collect();
    found(|row| own.contains(&row.inode))
}

/// The sockets that a process holds, as far as we may look.
fn sockets(pid: i32) -> Vec<u64> {
    let Ok(dir) = read_dir(format!("/proc/{pid}/fd")) else { return Vec::new() };
    let links = dir.flatten().filter_map(|entry| read_link(entry.path()).ok());
    let inode = |link: PathBuf| -> Option<u64> {
        link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()
    };
    links.filter_map(inode).collect()
}

/// One socket that waits for connections.
struct Row {
    address: IpAddr,
    port: u16,
    inode: u64,
}

fn found(wanted: impl Fn(&Row) -> bool) -> Vec<IpAddr> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|t| read_to_string(t).unwrap_or_default());
    let rows = tables.iter().flat_map(|table| rows(table));
    let all: BTreeSet<IpAddr> = rows.filter(wanted).map(|row| row.address).collect();
    all.into_iter().collect()
}

fn rows(table: &str) -> impl Iterator<Item = Row> {
    table.lines().skip(1).filter_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (address, port) = fields.get(1)?.split_once(':')?;
        let inode = fields.get(9).and_then(|f| f.parse().ok()).unwrap_or_default();
        let listens = *fields.get(3)? == LISTEN;
        let (address, port) = (ip(address)?, u16::from_str_radix(port, 16).ok()?);
        listens.then_some(Row { address, port, inode })
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
    fn what_a_process_listens_on_is_found() {
        let _listener = TcpListener::bind(("127.0.0.3", 0)).expect("a free port");
        let here = "127.0.0.3".parse::<IpAddr>().expect("an address");
        assert!(of_tree(std::process::id()).contains(&here));
    }

    #[test]
    fn tables_of_both_families_are_read_and_other_states_left_out() {
        let table = "  sl  local_address rem_address   st\n\
             0: 00000000000000000000000000000000:1F90 0:0 0A 0\n\
             1: 0100007F:1F90 0100007F:9999 01 0\n";
        let found: Vec<IpAddr> =
            rows(table).filter(|row| row.port == 8080).map(|row| row.address).collect();
        assert_eq!(found, [IpAddr::V6(Ipv6Addr::UNSPECIFIED)]);
    }
}
