//! Under which conditions the run took place: all that must be known to repeat or to trust it.

use std::collections::BTreeSet;
use std::net::IpAddr;

use globset::Glob;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Micros;
use crate::fixtures::Fixtures;
use crate::pin::Pin;
use crate::probe::Risk;
use crate::revision::Revision;
use crate::seed::Seed;
use crate::target::{AuditKind, Transport};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Conditions {
    pub seed: Seed,
    pub profile: Profile,
    pub transport: Transport,
    pub audit: AuditKind,
    pub policy: Policy,
    pub scope: Scope,
    pub isolation: Isolation,
    pub client: ClientCapabilities,
    /// Set by `--protocol`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pinned: Option<Revision>,
    /// How long one call may take.
    pub call_timeout_ms: u64,
    pub max_calls: u64,
    pub max_time_ms: u64,
    pub concurrency: u32,
    /// Planted files and values.
    pub canaries: Vec<Canary>,
    /// Where the server may work, as it appears in the evidence.
    pub workspace: String,
    /// Base address of our own pages on loopback, as it appears in the evidence; unset where the
    /// server could not reach them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// What the user supplied for parameters; secrets are masked.
    #[serde(default, skip_serializing_if = "Fixtures::is_empty")]
    pub fixtures: Fixtures,
    /// Which further tokens the user supplied.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub tokens: BTreeSet<TokenKind>,
    /// The definitions that `--baseline` gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Pin>,
    /// Licences that the user's settings allow for dependencies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licences: Option<Vec<String>>,
    /// At which addresses of this machine the port of the server is open; empty where unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub listens: Vec<IpAddr>,
    pub usage: Usage,
}

/// A token of the user's besides the one that opens the session, by what sets it apart.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum TokenKind {
    /// Its scopes do not suffice for anything.
    LowScope,
    /// Its scope implies the ones that are needed.
    BroadScope,
    /// Issued for another resource.
    ForeignAudience,
    Expired,
    /// As good as ours, but of another user.
    OtherUser,
}

impl TokenKind {
    pub const ALL: [TokenKind; 5] = [
        TokenKind::LowScope,
        TokenKind::BroadScope,
        TokenKind::ForeignAudience,
        TokenKind::Expired,
        TokenKind::OtherUser,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            TokenKind::LowScope => "low-scope",
            TokenKind::BroadScope => "broad-scope",
            TokenKind::ForeignAudience => "foreign-audience",
            TokenKind::Expired => "expired",
            TokenKind::OtherUser => "other-user",
        }
    }

    /// How it stands in evidence, and in what a probe plans to send.
    pub fn mask(self) -> String {
        format!("[redacted token {}]", self.as_str())
    }
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    Quick,
    Standard,
    Deep,
}

impl Profile {
    pub fn as_str(self) -> &'static str {
        match self {
            Profile::Quick => "quick",
            Profile::Standard => "standard",
            Profile::Deep => "deep",
        }
    }
}

/// What the run was allowed to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// List, never call.
    pub passive: bool,
    /// Benign calls go to tools up to this risk.
    pub allow: Risk,
    /// Hostile calls go to tools up to this risk.
    pub allow_hostile: Risk,
    /// Nothing of value is within reach, so everything may be exercised.
    pub disposable: bool,
}

/// What was asked for: tools by glob, checks by id or topic.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scope {
    #[serde(default)]
    pub tools: Vec<String>,
    #[serde(default)]
    pub skip_tools: Vec<String>,
    #[serde(default)]
    pub only: Vec<String>,
    #[serde(default)]
    pub skip: Vec<String>,
}

impl Scope {
    pub fn is_everything(&self) -> bool {
        *self == Scope::default()
    }

    pub fn includes_tool(&self, name: &str) -> bool {
        let hit = |globs: &[String]| globs.iter().any(|g| glob_matches(g, name));
        (self.tools.is_empty() || hit(&self.tools)) && !hit(&self.skip_tools)
    }

    /// `id` is `topic/smell`; an entry names a check or a whole topic.
    pub fn includes_check(&self, id: &str) -> bool {
        let hit = |entries: &[String]| {
            entries
                .iter()
                .any(|e| e == id || id.strip_prefix(e.as_str()).is_some_and(|r| r.starts_with('/')))
        };
        (self.only.is_empty() || hit(&self.only)) && !hit(&self.skip)
    }
}

fn glob_matches(glob: &str, name: &str) -> bool {
    // Globs are checked when the command line is read; one that slips through matches literally.
    Glob::new(glob).map_or(glob == name, |g| g.compile_matcher().is_match(name))
}

/// How far the server was kept from the rest of the machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Isolation {
    pub level: IsolationLevel,
    /// What was really achieved, in words.
    pub notes: Vec<String>,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum IsolationLevel {
    /// Someone else's machine (HTTP), or no server at all.
    None,
    /// Scratch home and workspace, limits, own process group; the file system is the user's.
    Scratch,
    /// Besides, the kernel refuses writes outside the scratch area (landlock).
    Confined,
    /// Besides, own namespaces (bubblewrap): no sight of other processes.
    Namespaces,
}

/// What we declare as a client.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct ClientCapabilities {
    pub roots: bool,
    pub sampling: bool,
    pub elicitation: bool,
    /// Turns down whatever it is asked for, as a user who says no.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub declines: bool,
    /// Can send its user to a page.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pages: bool,
    /// Fills in forms as their schema does not allow.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub careless: bool,
    /// Who we say we are.
    #[serde(default, skip_serializing_if = "ClientName::is_own")]
    pub name: ClientName,
}

/// The name a client gives; a server may tell others something else than us.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ClientName {
    #[default]
    Proofmark,
    Claude,
    Cursor,
    VsCode,
}

impl ClientName {
    /// As it stands in `clientInfo`.
    pub fn as_str(self) -> &'static str {
        match self {
            ClientName::Proofmark => "proofmark",
            ClientName::Claude => "claude-ai",
            ClientName::Cursor => "cursor-vscode",
            ClientName::VsCode => "Visual Studio Code",
        }
    }

    fn is_own(&self) -> bool {
        *self == ClientName::Proofmark
    }
}

impl ClientCapabilities {
    pub const NONE: ClientCapabilities = ClientCapabilities {
        roots: false,
        sampling: false,
        elicitation: false,
        declines: false,
        pages: false,
        careless: false,
        name: ClientName::Proofmark,
    };
    pub const ALL: ClientCapabilities =
        ClientCapabilities { roots: true, sampling: true, elicitation: true, ..Self::NONE };

    /// Whether a server may send this request to the client; `ping` it always may.
    pub fn allow(self, method: &str) -> bool {
        match method.split('/').next() {
            Some("roots") => self.roots,
            Some("sampling") => self.sampling,
            Some("elicitation") => self.elicitation,
            Some(_) | None => true,
        }
    }
}

/// Something of ours that must never come back unasked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Canary {
    /// Short name, e.g. `outside-file`.
    pub id: String,
    pub place: CanaryPlace,
    /// The text that proves a leak.
    pub value: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum CanaryPlace {
    /// In the workspace, where the server may read.
    Inside {
        path: String,
    },
    /// In scratch, but where the server has no business.
    Outside {
        path: String,
    },
    Env {
        name: String,
    },
}

/// What the run used up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    pub planned: u64,
    pub made: u64,
    pub skipped: u64,
    pub rounds: u32,
    pub restarts: u32,
    /// Seconds since the epoch when the run began.
    pub began: u64,
    pub wall: Micros,
}
