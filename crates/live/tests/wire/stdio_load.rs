//! stdio under load: many frames, slow peers, floods.

use std::sync::Arc;
use std::time::Duration;

use proofmark_live::wire::Inbound;
use proofmark_live::wire::stdio::Stdio;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, duplex};
use tokio::sync::mpsc;

use super::{assert_closed, frame, garbage, kinds, message, next, shared};

const FRAMES: u64 = 10_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_frames_both_ways_survive_a_slow_peer_with_small_pipes() {
    let shared = shared(1 << 20);
    let (ours_out, stdin) = duplex(512);
    let (mut stdout, ours_in) = duplex(512);
    let (deliver, mut inbox) = mpsc::unbounded_channel();
    let stdio = Arc::new(Stdio::open(0, ours_out, ours_in, shared.clone(), deliver));
    // It talks without being asked before it reads, and answers one by one: the classic deadlock.
    let peer = tokio::spawn(async move {
        for n in 0..FRAMES {
            stdout.write_all(format!("{{\"own\":{n}}}\n").as_bytes()).await.unwrap();
        }
        let mut lines = BufReader::new(stdin).lines();
        let mut got = Vec::new();
        while let Some(line) = lines.next_line().await.unwrap() {
            if got.len() % 1000 == 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            stdout.write_all(format!("{line}\n").as_bytes()).await.unwrap();
            got.push(line.parse::<u64>().unwrap());
        }
        got
    });
    let mut senders = Vec::new();
    for lane in 0..8 {
        let stdio = Arc::clone(&stdio);
        senders.push(tokio::spawn(async move {
            for n in (lane..FRAMES).step_by(8) {
                stdio.send(frame(n.to_string())).await.unwrap();
            }
        }));
    }
    for sender in senders {
        sender.await.unwrap();
    }
    stdio.close_input().await;
    let mut got = peer.await.unwrap();
    got.sort_unstable();
    assert_eq!(got, (0..FRAMES).collect::<Vec<_>>());
    let mut back = Vec::new();
    for n in 0..2 * FRAMES {
        let value = message(&mut inbox).await;
        match value.as_u64() {
            Some(echo) => back.push(echo),
            None => assert_eq!(value["own"], n, "in order of arrival"),
        }
    }
    back.sort_unstable();
    assert_eq!(back, got);
    assert_closed(&mut inbox).await;
    assert_eq!(shared.record.kept().frames.len() as u64, 3 * FRAMES);
    assert_eq!(kinds(&shared), []);
}

#[tokio::test]
async fn a_line_far_over_the_limit_does_not_fill_memory() {
    let shared = shared(64 << 10);
    let (ours_out, _stdin) = duplex(16);
    let endless = tokio::io::repeat(b'x').take(256 << 20);
    let (deliver, mut inbox) = mpsc::unbounded_channel();
    let _stdio = Stdio::open(0, ours_out, endless, shared.clone(), deliver);
    assert_eq!(garbage(&mut inbox).await.len(), 64 << 10);
    assert_closed(&mut inbox).await;
    assert_eq!(shared.record.kept().frames[0].bytes, 256 << 20);
    let peak = peak_kib();
    assert!(peak < 200 << 10, "{peak} KiB resident at most");
}

#[tokio::test]
async fn a_flood_of_noise_is_counted_once_it_is_too_much_and_answers_still_come() {
    let shared = shared(1 << 20);
    let (ours_out, _stdin) = duplex(16);
    let noise = std::io::Cursor::new("noise\n".repeat(200_000) + "{\"id\":1}\n");
    let (deliver, mut inbox) = mpsc::unbounded_channel();
    let _stdio = Stdio::open(0, ours_out, noise, shared.clone(), deliver);
    let mut stray = 0;
    loop {
        match next(&mut inbox).await {
            Inbound::Garbage { .. } => stray += 1,
            Inbound::Message { value, .. } => {
                assert_eq!(value["id"], 1);
                break;
            }
            Inbound::Closed => panic!("the answer was lost"),
        }
    }
    assert_closed(&mut inbox).await;
    assert!((10_000..20_000).contains(&stray), "{stray}");
    let kept = shared.record.kept();
    assert_eq!(kept.frames.len(), stray + 1);
    let last = &kept.anomalies[kept.anomalies.len() - 1].detail;
    assert!(last.starts_with(&(200_000 - stray).to_string()), "{last}");
}

/// The most memory this process ever held.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap_or("0 kB");
    line.trim().trim_end_matches(" kB").trim().parse().unwrap()
}
