//! What the user may choose about a run.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use proofmark_core::dimensions::ask::GeneratedCase;
use proofmark_core::evidence::{
    ClientCapabilities, Evidence, IsolationLevel, Profile, Scope, TokenKind,
};
use proofmark_core::fixtures::FixtureFile;
use proofmark_core::pin::Pin;
use proofmark_core::probe::Risk;
use proofmark_core::revision::Revision;
use proofmark_core::seed::Seed;
use proofmark_core::target::AuditKind;

use crate::advisories::Lookup;

#[derive(Debug, Clone)]
pub struct Options {
    pub seed: Seed,
    pub profile: Profile,
    pub scope: Scope,
    /// List, never call.
    pub passive: bool,
    /// `--allow`: up to which risk tools may be called. Unset: what the isolation permits.
    pub allow: Option<Risk>,
    /// The user says nothing of value is within reach.
    pub disposable: bool,
    pub protocol: Option<Revision>,
    pub client: ClientCapabilities,
    pub call_timeout: Duration,
    pub startup_timeout: Duration,
    /// Unset: by profile.
    pub max_calls: Option<u64>,
    /// Unset: by profile.
    pub max_time: Option<Duration>,
    pub concurrency: u32,
    /// Calls per second at most.
    pub rate: Option<f64>,
    pub max_frame: usize,
    /// The strongest isolation to use, where the machine offers it.
    pub isolation: IsolationLevel,
    /// Unset: by target.
    pub audit: Option<AuditKind>,
    /// A source tree to read besides.
    pub source: Option<PathBuf>,
    /// The program (and first arguments) that confines itself and then becomes the server; see
    /// [`crate::isolate`]. The binary names itself here; without one there are no limits.
    pub shim: Option<Vec<String>>,
    /// Values for parameters.
    pub fixtures: FixtureFile,
    /// Tokens besides the one that opens the session.
    pub tokens: BTreeMap<TokenKind, String>,
    /// Definitions of an earlier time.
    pub baseline: Option<Pin>,
    /// Test cases that a model wrote.
    pub generated: Vec<GeneratedCase>,
    /// Where advisories about dependencies are looked up; unset: nowhere.
    pub lookup: Option<Lookup>,
    /// Licences that dependencies may have.
    pub licences: Option<Vec<String>>,
    /// The run may be continued by another one, or continues an earlier one.
    pub incremental: Option<Incremental>,
}

/// What an incremental run goes by.
#[derive(Debug, Clone, Default)]
pub struct Incremental {
    /// Unset: this is the first run.
    pub earlier: Option<Arc<Evidence>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: Seed(1),
            profile: Profile::Standard,
            scope: Scope::default(),
            passive: false,
            allow: None,
            disposable: false,
            protocol: None,
            client: ClientCapabilities::ALL,
            call_timeout: Duration::from_secs(10),
            startup_timeout: Duration::from_secs(60),
            max_calls: None,
            max_time: None,
            concurrency: 8,
            rate: None,
            max_frame: 32 << 20,
            isolation: IsolationLevel::Namespaces,
            audit: None,
            source: None,
            shim: None,
            fixtures: FixtureFile::default(),
            tokens: BTreeMap::new(),
            baseline: None,
            generated: Vec::new(),
            lookup: None,
            licences: None,
            incremental: None,
        }
    }
}
