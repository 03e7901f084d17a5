//! Labels: what is wrong with each mode and what a test may expect of it. The data is in
//! `labels.toml`.

use serde::Deserialize;

use crate::Error;

/// One mode, as tests and people see it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    pub name: String,
    pub kind: Kind,
    /// One sentence.
    pub wrong: String,
    pub transports: Vec<Transport>,
    #[serde(default)]
    pub startup: Startup,
    /// Checks that must have a failing finding.
    #[serde(default)]
    pub expect_fail: Vec<String>,
    /// Checks that must not have one; `*` stands for all that are not in `expect_fail`.
    #[serde(default)]
    pub expect_not_fail: Vec<String>,
    /// Checks that may have one besides: the defect breaks more than the one thing it is for.
    #[serde(default)]
    pub may_fail: Vec<String>,
    /// No rubric may call this server a pass.
    #[serde(default)]
    pub never_pass: bool,
    #[serde(default, rename = "hole")]
    pub holes: Vec<Hole>,
    /// Safe look-alikes: nothing may be proven against them.
    #[serde(default, rename = "decoy")]
    pub decoys: Vec<Decoy>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Good,
    Broken,
    Vulnerable,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transport {
    Stdio,
    Http,
    Sse,
}

impl Transport {
    pub fn as_str(self) -> &'static str {
        match self {
            Transport::Stdio => "stdio",
            Transport::Http => "http",
            Transport::Sse => "sse",
        }
    }
}

/// How starting the server must be understood.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Startup {
    #[default]
    Up,
    MissingCredential,
    InitializeError,
    /// Only with a token.
    Unauthorized,
    SilentHang,
    ExitedEarly,
}

/// A weakness that is really there.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hole {
    pub tool: String,
    /// JSON pointer into the arguments; empty when the tool as a whole is meant.
    #[serde(default)]
    pub pointer: String,
    pub class: Class,
}

/// A tool that looks like a hole of this class and is none.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decoy {
    pub tool: String,
    #[serde(default)]
    pub pointer: String,
    pub class: Class,
}

/// The classes of weakness that modes have so far, named as in reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    CommandInjection,
    PathTraversal,
    SecretLeak,
    InfoDisclosure,
    HiddenUnicode,
    DnsRebinding,
    RugPull,
}

impl Label {
    /// Whether a failing finding of this check contradicts the label.
    pub fn forbids_failure(&self, check: &str) -> bool {
        let listed = |list: &[String], id: &str| list.iter().any(|l| l == id);
        listed(&self.expect_not_fail, check)
            || (listed(&self.expect_not_fail, "*")
                && !listed(&self.expect_fail, check)
                && !listed(&self.may_fail, check))
    }
}

impl Class {
    pub fn as_str(self) -> &'static str {
        match self {
            Class::CommandInjection => "command_injection",
            Class::PathTraversal => "path_traversal",
            Class::SecretLeak => "secret_leak",
            Class::InfoDisclosure => "info_disclosure",
            Class::HiddenUnicode => "hidden_unicode",
            Class::DnsRebinding => "dns_rebinding",
            Class::RugPull => "rug_pull",
        }
    }
}

pub(crate) fn all() -> Result<Vec<Label>, Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        mode: Vec<Label>,
    }
    Ok(toml::from_str::<File>(include_str!("../labels.toml"))?.mode)
}
