//! The flags of notifications.

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
#[command(next_help_heading = "Notification")]
pub(crate) struct NotifyArgs {
    /// Post how it went to this webhook, or to the one in an environment variable: env:NAME
    #[arg(long, value_name = "URL")]
    pub(crate) notify: Option<String>,
    /// When to post; a regression needs --baseline
    #[arg(long, value_name = "WHEN", default_value = "finish", requires = "notify")]
    pub(crate) notify_on: NotifyOn,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum NotifyOn {
    Finish,
    Regression,
}
