//! Who listens on this machine, from the kernel's table of sockets; on other systems nothing is seen.

use std::collections::BTreeSet;
use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use proofmark_core::evidence::Listener;

use crate::isolate::descendants;

/// The state of a listening socket in the table.
const LISTEN: &str = "0A";

/// One listening socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Row {
    address: IpAddr,
    port: u16,
    inode: u64,
}

/// Everything that listens on this port.
pub(crate) fn at_port(port: u16) -> Vec<Listener> {
    listeners(table().into_iter().filter(|row| row.port == port))
}

/// Everything that this process and those below it listen on.
pub(crate) fn of_tree(pid: u32) -> Vec<Listener> {
    let rows = table();
    if rows.is_empty() {
        return Vec::new();
    }
    let own: BTreeSet<u64> = descendants(pid).into_iter().flat_map(sockets).collect();
    listeners(rows.into_iter().filter(|row| own.contains(&row.inode)))
}

fn listeners(rows: impl Iterator<Item = Row>) -> Vec<Listener> {
    let all: BTreeSet<(String, u16)> = rows.map(|r| (r.address.to_string(), r.port)).collect();
    all.into_iter().map(|(address, port)| Listener { address, port }).collect()
}

fn table() -> Vec<Row> {
    ["/proc/net/tcp", "/proc/net/tcp6"]
        .into_iter()
        .filter_map(|path| fs::read_to_string(path).ok())
        .flat_map(|text| text.lines().skip(1).filter_map(parse).collect::<Vec<Row>>())
        .collect()
}

/// `0: 0100007F:1F90 00000000:0000 0A … uid timeout inode`.
fn parse(line: &str) -> Option<Row> {
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    if *fields.get(3)? != LISTEN {
        return None;
    }
    let (address, port) = fields.get(1)?.split_once(':')?;
    let inode = fields.get(9)?.parse().ok()?;
    Some(Row { address: read(address)?, port: u16::from_str_radix(port, 16).ok()?, inode })
}

/// Words of four bytes each, in the order of this machine.
fn read(hex: &str) -> Option<IpAddr> {
    let words: Vec<[u8; 4]> = hex
        .as_bytes()
        .chunks(8)
        .map(|word| {
            let word = std::str::from_utf8(word).ok()?;
            Some(u32::from_str_radix(word, 16).ok()?.to_ne_bytes())
        })
        .collect::<Option<_>>()?;
    match words.as_slice() {
        [word] => Some(IpAddr::V4(Ipv4Addr::from(*word))),
        [a, b, c, d] => {
            let bytes: [u8; 16] = [*a, *b, *c, *d].concat().try_into().ok()?;
            Some(IpAddr::V6(Ipv6Addr::from(bytes)))
        }
        _ => None,
    }
}

/// The sockets that a process holds, as far as we may look.
fn sockets(pid: i32) -> Vec<u64> {
    let Ok(dir) = fs::read_dir(format!("/proc/{pid}/fd")) else { return Vec::new() };
    dir.flatten()
        .filter_map(|entry| fs::read_link(entry.path()).ok())
        .filter_map(|link| link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok())
        .collect()
}

#[cfg(all(test, target_os = "linux", target_endian = "little"))]
mod tests {
    use super::*;

    #[test]
    fn rows_of_the_table_are_read_and_others_left_out() {
        let head = "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000 1000 0 777 1";
        let row = parse(head).unwrap();
        assert_eq!(
            (row.address.to_string().as_str(), row.port, row.inode),
            ("127.0.0.1", 8080, 777)
        );
        assert_eq!(parse(&head.replace(" 0A ", " 01 ")), None);
        let six = head.replace("0100007F", "00000000000000000000000001000000");
        assert_eq!(parse(&six).unwrap().address.to_string(), "::1");
    }

    #[test]
    fn our_own_listeners_are_seen_by_port_and_by_process() {
        let here = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = here.local_addr().unwrap().port();
        let wanted = Listener { address: "127.0.0.1".to_owned(), port };
        assert_eq!(at_port(port), [wanted.clone()]);
        assert!(of_tree(std::process::id()).contains(&wanted));
    }
}
