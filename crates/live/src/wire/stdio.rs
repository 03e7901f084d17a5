//! stdio: one message a line. The process itself is started elsewhere.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use proofmark_core::evidence::FrameId;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, oneshot};
use tokio::task::{AbortHandle, JoinHandle};

use super::intake::Intake;
use super::lines::Splitter;
use super::{Delivery, Outgoing, Sent, Shared, WireError};

const READ_BYTES: usize = 64 << 10;
/// Frames that may wait behind one the server does not read.
const QUEUE: usize = 256;
/// How long frames already queued may take to leave when we close the server's input.
const LAST_WORDS: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub struct Stdio {
    connection: u32,
    /// `None` once the input is closed.
    queue: Mutex<Option<mpsc::Sender<Job>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
    stop_writer: AbortHandle,
    stop_reader: AbortHandle,
}

/// One frame to write, and who waits for it.
#[derive(Debug)]
struct Job {
    text: String,
    written: oneshot::Sender<Result<FrameId, WireError>>,
}

impl Stdio {
    /// Reads and writes until either side closes. Must be called within a tokio runtime.
    pub fn open<W, R>(
        connection: u32,
        stdin: W,
        stdout: R,
        shared: Shared,
        deliver: Delivery,
    ) -> Stdio
    where
        W: AsyncWrite + Send + Unpin + 'static,
        R: AsyncRead + Send + Unpin + 'static,
    {
        let intake = Intake::new(connection, shared, deliver);
        let (queue, jobs) = mpsc::channel(QUEUE);
        let writer = tokio::spawn(write(stdin, jobs, intake.clone()));
        Stdio {
            connection,
            queue: Mutex::new(Some(queue)),
            stop_writer: writer.abort_handle(),
            writer: Mutex::new(Some(writer)),
            stop_reader: tokio::spawn(read(stdout, intake)).abort_handle(),
        }
    }

    pub fn connection(&self) -> u32 {
        self.connection
    }

    /// Writes one line and returns once the pipe has taken it whole. It waits as long as the server
    /// does not read; dropping the future withdraws a frame that has not begun, and one that has is
    /// still written to its end before any other.
    pub async fn send(&self, outgoing: Outgoing) -> Result<Sent, WireError> {
        if outgoing.verb.is_some() {
            return Err(WireError::Unsupported);
        }
        let queue = lock(&self.queue).clone().ok_or(WireError::Closed)?;
        let (written, done) = oneshot::channel();
        let job = Job { text: outgoing.text, written };
        queue.send(job).await.map_err(|_| WireError::Closed)?;
        // Held any longer it would keep the pipe open after `close_input`.
        drop(queue);
        let frame = done.await.map_err(|_| WireError::Closed)??;
        Ok(Sent { frame, http: None, ended: None })
    }

    /// Closes the server's stdin, which asks it to end. Frames already queued get a moment to leave.
    pub async fn close_input(&self) {
        lock(&self.queue).take();
        let Some(mut writer) = lock(&self.writer).take() else { return };
        if tokio::time::timeout(LAST_WORDS, &mut writer).await.is_err() {
            writer.abort();
            // The pipe closes when the task is gone, not when it is told to go.
            let _ = writer.await;
        }
    }
}

impl Drop for Stdio {
    fn drop(&mut self) {
        self.stop_reader.abort();
        self.stop_writer.abort();
    }
}

async fn write<W: AsyncWrite + Unpin>(mut stdin: W, mut jobs: mpsc::Receiver<Job>, intake: Intake) {
    while let Some(Job { mut text, written }) = jobs.recv().await {
        // Whoever sent it has stopped waiting; the server need not see it.
        if written.is_closed() {
            continue;
        }
        // Recorded first, so that no answer can stand before its request.
        let frame = intake.sent(&text);
        text.push('\n');
        let outcome = match stdin.write_all(text.as_bytes()).await {
            Ok(()) => stdin.flush().await,
            Err(error) => Err(error),
        };
        match outcome {
            Ok(()) => {
                let _ = written.send(Ok(frame));
            }
            Err(error) => {
                intake.transport(Some(frame), &format!("the server's stdin is closed: {error}"));
                let _ = written.send(Err(WireError::Closed));
                return;
            }
        }
    }
}

async fn read<R: AsyncRead + Unpin>(mut stdout: R, intake: Intake) {
    let mut lines = Splitter::new(intake.limit());
    let mut buffer = vec![0; READ_BYTES];
    loop {
        match stdout.read(&mut buffer).await {
            Ok(0) => break,
            Ok(count) => lines.feed(&buffer[..count], |line| {
                if line.bytes > 0 {
                    intake.json(&line.kept, line.bytes);
                }
            }),
            Err(error) => {
                intake.transport(None, &format!("reading the server's stdout failed: {error}"));
                break;
            }
        }
    }
    if let Some(line) = lines.finish().filter(|l| l.bytes > 0) {
        intake.json(&line.kept, line.bytes);
    }
    intake.closed();
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
