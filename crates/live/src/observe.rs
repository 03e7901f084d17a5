//! Observing: what the process tree of a server has used, read from `/proc` before and after a
//! call. Nothing is known where there is no `/proc`, or no process of ours.

use std::fs;

use proofmark_core::evidence::{ExchangeId, Observation};

/// How long one tick of the kernel's process clock is, on every Linux we know of.
const TICK_MS: u64 = 10;
const PAGE_KIB: u64 = 4;
/// More processes than this are no tree to walk for one call.
const MOST: usize = 64;

/// What a tree has used up to now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Load {
    ticks: u64,
    pages: u64,
    /// The most memory that each process had, in all.
    peak_kib: u64,
    alive: u64,
    /// Page faults of children that have ended: every process that ever ran has some.
    ended: u64,
}

impl Load {
    /// The load of a process and all below it.
    pub(crate) fn of(root: u32) -> Option<Load> {
        let mut load = Load::default();
        let mut waiting = vec![root];
        while let Some(pid) = waiting.pop() {
            if load.alive as usize >= MOST {
                break;
            }
            if load.add(pid).is_some() {
                waiting.extend(children(pid));
            }
        }
        (load.alive > 0).then_some(load)
    }

    fn add(&mut self, pid: u32) -> Option<()> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name may hold spaces and parentheses; the fields come after its end.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let field = |n: usize| fields.get(n - 3).and_then(|f| f.parse::<u64>().ok());
        self.ended += field(11)?;
        self.ticks += (14..=17).filter_map(field).sum::<u64>();
        self.pages += field(24)?;
        self.peak_kib += peak_kib(pid).unwrap_or_default();
        self.alive += 1;
        Some(())
    }

    pub(crate) fn cpu_ms_until(self, later: Load) -> u64 {
        later.ticks.saturating_sub(self.ticks) * TICK_MS
    }

    /// What happened between this look and a later one.
    pub(crate) fn until(self, later: Load, exchange: ExchangeId) -> Observation {
        let kib = |pages: u64| i64::try_from(pages * PAGE_KIB).unwrap_or(i64::MAX);
        Observation {
            exchange,
            cpu_ms: self.cpu_ms_until(later),
            memory_kib: later.pages * PAGE_KIB,
            grown_kib: kib(later.pages) - kib(self.pages),
            peak_kib: later.peak_kib.saturating_sub(self.peak_kib),
            started_process: later.ended > self.ended || later.alive > self.alive,
        }
    }
}

fn peak_kib(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn children(pid: u32) -> Vec<u32> {
    let listed = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    listed.unwrap_or_default().split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_process_that_was_started_and_has_ended_is_noticed() {
        let mut shell =
            Command::new("sh").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut input = shell.stdin.take().unwrap();
        let mut output = BufReader::new(shell.stdout.take().unwrap());
        let mut run = |line: &str| {
            writeln!(input, "{line}; echo done").unwrap();
            output.read_line(&mut String::new()).unwrap();
        };
        run(":");
        let before = Load::of(shell.id()).unwrap();
        run(":");
        let idle = Load::of(shell.id()).unwrap();
        run("/bin/sh -c 'exit 0'");
        let after = Load::of(shell.id()).unwrap();
        assert!(!before.until(idle, ExchangeId(1)).started_process);
        assert!(idle.until(after, ExchangeId(2)).started_process);
        assert!(after.until(after, ExchangeId(3)).memory_kib > 0);
        shell.kill().unwrap();
        shell.wait().unwrap();
    }

    #[test]
    fn nobody_has_no_load() {
        assert_eq!(Load::of(u32::MAX), None);
    }
}
