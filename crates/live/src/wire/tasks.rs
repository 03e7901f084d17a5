//! Tasks that end with the connection they serve.

use std::sync::{Mutex, PoisonError};

use tokio::task::JoinSet;

#[derive(Debug, Default)]
pub(crate) struct Tasks(Mutex<JoinSet<()>>);

impl Tasks {
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut set = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // One finished task is kept per request otherwise.
        while set.try_join_next().is_some() {}
        set.spawn(task);
    }

    pub(crate) fn end(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).abort_all();
    }
}
