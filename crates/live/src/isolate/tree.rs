//! The process tree below a server: who belongs to it, and its end.

use std::collections::BTreeSet;
use std::time::Duration;

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

/// Rounds of looking and killing; a fork in flight survives a single one.
const ROUNDS: u32 = 400;
const PAUSE: Duration = Duration::from_millis(5);

/// The first process of a server, and what is known about those below it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Root {
    pub pid: i32,
    /// Its number may belong to a stranger by now.
    pub reaped: bool,
    /// Orphans that came to us may be taken for its own.
    pub adopts: bool,
}

/// One row of the process table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row {
    pub pid: i32,
    pub parent: i32,
    pub group: i32,
    pub session: i32,
    pub zombie: bool,
}

/// A process and all below it.
pub(crate) fn descendants(pid: u32) -> Vec<i32> {
    let table = table();
    let root = Root { pid: pid as i32, reaped: false, adopts: false };
    members(&table, root, std::process::id() as i32, &BTreeSet::new()).into_iter().collect()
}

/// Asks the server itself to leave: its group, but not the bubblewrap processes around it, whose
/// death would take the server along before it could say goodbye.
pub(super) fn ask_to_leave(root: Root, namespaced: bool) {
    if !namespaced {
        if !root.reaped {
            let _ = killpg(Pid::from_raw(root.pid), Signal::SIGTERM);
        }
        return;
    }
    let table = table();
    let wrapper: BTreeSet<i32> =
        table.iter().filter(|r| r.parent == root.pid).map(|r| r.pid).chain([root.pid]).collect();
    let own = Root { adopts: false, ..root };
    let members = members(&table, own, std::process::id() as i32, &BTreeSet::new());
    for row in table.iter().filter(|r| members.contains(&r.pid) && !wrapper.contains(&r.pid)) {
        if row.group == root.pid {
            let _ = kill(Pid::from_raw(row.pid), Signal::SIGTERM);
        }
    }
}

/// Kills everything that belongs to `root`. `leaders` are the first processes of all servers
/// that run; they are not orphans. Returns whether nothing was left alive.
pub(super) fn kill_all(root: Root, leaders: &BTreeSet<i32>) -> bool {
    let me = std::process::id() as i32;
    for round in 0..ROUNDS {
        if round > 0 {
            std::thread::sleep(PAUSE);
        }
        let table = table();
        if table.is_empty() {
            return kill_group(root);
        }
        let members = members(&table, root, me, leaders);
        reap_orphans(&table, me, leaders, &members);
        let alive: Vec<i32> =
            table.iter().filter(|r| members.contains(&r.pid) && !r.zombie).map(|r| r.pid).collect();
        if alive.is_empty() {
            return true;
        }
        // A stopped process can't fork while we look for its children.
        for signal in [Signal::SIGSTOP, Signal::SIGKILL] {
            for &pid in &alive {
                let _ = kill(Pid::from_raw(pid), signal);
            }
        }
    }
    false
}

/// Without a process table the group is all we can reach.
fn kill_group(root: Root) -> bool {
    root.reaped || killpg(Pid::from_raw(root.pid), Signal::SIGKILL).is_ok()
}

fn members(table: &[Row], root: Root, me: i32, leaders: &BTreeSet<i32>) -> BTreeSet<i32> {
    let reused = root.reaped && table.iter().any(|r| r.pid == root.pid);
    let mut found: BTreeSet<i32> = table
        .iter()
        .filter(|r| {
            let own = !reused
                && (r.pid == root.pid || r.group == root.pid || r.session == root.pid)
                && !(root.reaped && r.pid == root.pid);
            own || (root.adopts && is_orphan(r, table, me, leaders))
        })
        .map(|r| r.pid)
        .collect();
    loop {
        let before = found.len();
        for row in table {
            if found.contains(&row.parent) && row.pid != me {
                found.insert(row.pid);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Our child, but not started by us: servers get a group of their own, everything else we start
/// stays in ours.
fn is_orphan(row: &Row, table: &[Row], me: i32, leaders: &BTreeSet<i32>) -> bool {
    let ours = table.iter().find(|r| r.pid == me).map(|r| r.group);
    row.parent == me && !leaders.contains(&row.pid) && Some(row.group) != ours
}

fn reap_orphans(table: &[Row], me: i32, leaders: &BTreeSet<i32>, members: &BTreeSet<i32>) {
    use nix::sys::wait::{WaitPidFlag, waitpid};
    for row in table.iter().filter(|r| r.zombie && members.contains(&r.pid)) {
        if is_orphan(row, table, me, leaders) {
            let _ = waitpid(Pid::from_raw(row.pid), Some(WaitPidFlag::WNOHANG));
        }
    }
}

/// All processes of this machine; empty where there is no `/proc`.
#[cfg(target_os = "linux")]
pub(super) fn table() -> Vec<Row> {
    let Ok(dir) = std::fs::read_dir("/proc") else { return Vec::new() };
    let mut rows: Vec<Row> = dir
        .flatten()
        .filter(|e| e.file_name().as_encoded_bytes().first().is_some_and(u8::is_ascii_digit))
        .filter_map(|e| parse(&std::fs::read_to_string(e.path().join("stat")).ok()?))
        .collect();
    rows.sort_by_key(|r| r.pid);
    rows
}

#[cfg(not(target_os = "linux"))]
pub(super) fn table() -> Vec<Row> {
    Vec::new()
}

/// One `/proc/PID/stat`. The name may hold spaces and brackets, so the last bracket counts.
#[cfg(target_os = "linux")]
fn parse(stat: &str) -> Option<Row> {
    let (head, rest) = stat.rsplit_once(')')?;
    let pid = head.split_once(' ')?.0.parse().ok()?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    let mut number = || fields.next()?.parse::<i32>().ok();
    let (parent, group, session) = (number()?, number()?, number()?);
    Some(Row { pid, parent, group, session, zombie: matches!(state, "Z" | "X" | "x") })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn row(pid: i32, parent: i32, group: i32) -> Row {
        Row { pid, parent, group, session: group, zombie: false }
    }

    #[test]
    fn a_name_with_brackets_and_spaces_does_not_confuse_the_parser() {
        let row = parse("42 (odd) name (x)) S 7 42 40 0 -1 4194304").unwrap();
        assert_eq!(row, Row { pid: 42, parent: 7, group: 42, session: 40, zombie: false });
    }

    #[test]
    fn the_table_holds_this_process() {
        let me = std::process::id() as i32;
        assert!(table().iter().any(|r| r.pid == me && !r.zombie));
    }

    #[test]
    fn a_reused_number_is_no_member() {
        let table = [row(1, 0, 1), row(10, 1, 10), row(50, 1, 50), row(51, 50, 50)];
        let root = Root { pid: 50, reaped: true, adopts: false };
        assert!(members(&table, root, 10, &BTreeSet::new()).is_empty());
        let alive = Root { reaped: false, ..root };
        assert_eq!(members(&table, alive, 10, &BTreeSet::new()), BTreeSet::from([50, 51]));
    }

    #[test]
    fn an_orphan_is_a_child_in_a_group_that_is_neither_ours_nor_a_servers() {
        let table = [row(10, 1, 10), row(20, 10, 10), row(30, 10, 30), row(40, 10, 40)];
        let root = Root { pid: 99, reaped: true, adopts: true };
        assert_eq!(members(&table, root, 10, &BTreeSet::from([30])), BTreeSet::from([40]));
    }
}
