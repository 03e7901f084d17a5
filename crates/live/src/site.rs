//! The site of a run: what is prepared before a server starts, and how it shows in evidence.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use proofmark_core::evidence::{
    Conditions, Effect, Isolation, IsolationLevel, Policy as Allowed, Profile, Usage, Visit,
};
use proofmark_core::probe::Risk;
use proofmark_core::scrub::{SCRATCH, Scrub};
use proofmark_core::target::Target;

use crate::canary::{Planted, plant};
use crate::connect::Connector;
use crate::content::{BASE, Content};
use crate::gather::GatherError;
use crate::ground::Grounds;
use crate::isolate::{Launcher, Scratch};
use crate::listening;
use crate::options::Options;
use crate::record::Record;
use crate::session::Policy;
use crate::wire::Shared;

/// The ground on which a run takes place.
pub(crate) struct Site {
    grounds: Arc<Grounds>,
    planted: Planted,
    pub(crate) record: Arc<Record>,
    content: Option<Content>,
}

impl Site {
    pub(crate) fn prepare(target: &Target, options: &Options) -> Result<Site, GatherError> {
        let scratch = Scratch::new()?;
        let planted = plant(&scratch, options.seed.part("canaries"))?;
        let mut scrub = Scrub::default();
        scrub.learn(target);
        for (real, placeholder) in scratch.placeholders() {
            scrub.add(real, placeholder);
        }
        let mut content = content_for(target, options);
        for (real, placeholder) in content.iter().flat_map(|c| c.address().placeholders()) {
            scrub.add(real, placeholder);
        }
        for (secret, mask) in options.fixtures.fixtures.masked().1 {
            // Frames hold it as JSON writes it.
            let escaped = serde_json::Value::from(secret.as_str()).to_string();
            scrub.add(&escaped[1..escaped.len() - 1], mask.clone());
            scrub.add(secret, mask);
        }
        for (kind, token) in &options.tokens {
            scrub.add(token, kind.mask());
        }
        let record = Arc::new(Record::new(scrub));
        if let Some(content) = &mut content {
            content.serve(Arc::clone(&record))?;
        }
        Ok(Site { grounds: Arc::new(Grounds::new(scratch)), planted, record, content })
    }

    /// What changed on our side of the fence since the beginning.
    pub(crate) fn effects(&self) -> Vec<Effect> {
        let shown = |path: String| self.record.scrub().text(&path);
        self.grounds
            .effects()
            .into_iter()
            .map(|effect| match effect {
                Effect::FileCreated { path } => Effect::FileCreated { path: shown(path) },
                Effect::FileChanged { path } => Effect::FileChanged { path: shown(path) },
                Effect::FileDeleted { path } => Effect::FileDeleted { path: shown(path) },
            })
            .collect()
    }

    /// What our pages were asked for so far.
    pub(crate) fn visits(&self) -> Vec<Visit> {
        self.content.as_ref().map(Content::visits).unwrap_or_default()
    }

    /// The target as the evidence shows it.
    pub(crate) fn shown(&self, target: &Target) -> Target {
        self.record.scrub().target(&self.expanded(target))
    }

    /// `{workspace}`, `{repo}` and `{content}` in arguments and variables name planted places.
    fn expanded(&self, target: &Target) -> Target {
        let mut names = Scrub::default();
        let workspace = self.grounds.main().workspace();
        names.add("{workspace}", workspace.to_string_lossy());
        names.add("{repo}", workspace.join("repo").to_string_lossy());
        if let Some(content) = &self.content {
            names.add("{content}", content.address().base());
        }
        names.target(target)
    }

    pub(crate) fn connector(&self, target: &Target, options: &Options) -> Connector {
        let target = self.expanded(target);
        let mut unmask = Scrub::default();
        for (secret, mask) in options.fixtures.fixtures.masked().1 {
            unmask.add(mask, secret);
        }
        Connector {
            policy: Policy {
                client: options.client,
                workspace: self.grounds.main().workspace(),
                given: self.given(&target),
                seed: options.seed.part("policy"),
            },
            tokens: self.tokens(&target, options),
            target,
            unmask,
            scratch: Arc::clone(self.grounds.main()),
            grounds: Arc::clone(&self.grounds),
            content: self.content.as_ref().map(Content::address),
            planted: self.planted.env.clone(),
            isolation: options.isolation,
            shim: options.shim.clone(),
            shared: Shared { record: Arc::clone(&self.record), max_frame: options.max_frame },
            pinned: options.protocol,
            startup_timeout: options.startup_timeout,
            opened: Arc::default(),
        }
    }

    /// Puts back the tokens that a request beside the session is to carry.
    fn tokens(&self, target: &Target, options: &Options) -> Scrub {
        let mut tokens = Scrub::default();
        for (kind, token) in &options.tokens {
            tokens.add(kind.mask(), token);
        }
        if let Target::Http { headers, .. } = target {
            for bare in headers.values().filter_map(|v| v.strip_prefix("Bearer ")) {
                tokens.add(self.record.scrub().text(bare), bare);
            }
        }
        tokens
    }

    /// Folders of the user's among the arguments, as they stand there.
    fn given(&self, target: &Target) -> Vec<PathBuf> {
        let args: &[String] = match target {
            Target::Stdio { args, .. } => args,
            Target::Http { .. } | Target::Sse { .. } | Target::Source { .. } => &[],
        };
        let folders = args.iter().map(PathBuf::from).filter(|p| p.is_absolute() && p.is_dir());
        folders.filter(|p| !p.starts_with(self.grounds.main().root())).collect()
    }

    /// What may be called: everything where nothing of value is in reach, else only what reads.
    ///
    /// Credentials reach beyond the sandbox, so with them a run is disposable only by the user's
    /// word.
    pub(crate) fn allowed(&self, options: &Options, isolation: &Isolation) -> Allowed {
        let credentials = self.record.scrub().knows_secrets();
        let walled = isolation.level >= IsolationLevel::Confined && !credentials;
        let disposable = options.disposable || walled;
        let default = if disposable { Risk::Destroys } else { Risk::Reads };
        let allow = options.allow.unwrap_or(default);
        Allowed {
            passive: options.passive,
            allow,
            allow_hostile: if disposable { allow } else { Risk::Reads },
            disposable,
        }
    }

    pub(crate) fn conditions(&self, target: &Target, options: &Options) -> Conditions {
        // For a server we start ourselves, what was reached is known once it runs.
        let isolation = Isolation {
            level: IsolationLevel::None,
            notes: vec!["the server runs elsewhere; nothing of it is isolated".to_owned()],
        };
        let profile = options.profile;
        let max_time = options.max_time.unwrap_or_else(|| default_time(profile));
        Conditions {
            seed: options.seed,
            profile,
            transport: target.transport(),
            audit: options.audit.unwrap_or_else(|| target.audit_kind()),
            policy: self.allowed(options, &isolation),
            scope: options.scope.clone(),
            isolation,
            client: options.client,
            pinned: options.protocol,
            call_timeout_ms: millis(options.call_timeout),
            max_calls: options.max_calls.unwrap_or_else(|| default_calls(profile)),
            max_time_ms: millis(max_time),
            concurrency: options.concurrency,
            canaries: self.planted.canaries.clone(),
            workspace: format!("{SCRATCH}/workspace"),
            content: self.content.as_ref().map(|_| BASE.to_owned()),
            fixtures: options.fixtures.fixtures.masked().0,
            tokens: options.tokens.keys().copied().collect(),
            baseline: options.baseline.clone(),
            licences: options.licences.clone(),
            listens: listens(target),
            usage: Usage::default(),
        }
    }
}

/// Only of a server on this machine.
fn listens(target: &Target) -> Vec<IpAddr> {
    match target {
        Target::Http { url, .. } | Target::Sse { url, .. } if is_loopback(url) => {
            listening::addresses(url)
        }
        Target::Http { .. } | Target::Sse { .. } | Target::Stdio { .. } | Target::Source { .. } => {
            Vec::new()
        }
    }
}

/// Pages for a server that can reach them: one on this machine, and not in a container, which has
/// a loopback of its own.
fn content_for(target: &Target, options: &Options) -> Option<Content> {
    let here = match target {
        Target::Stdio { command, args, .. } => {
            Launcher::of(command, args) != Some(Launcher::Container)
        }
        Target::Http { url, .. } | Target::Sse { url, .. } => is_loopback(url),
        Target::Source { .. } => false,
    };
    // Without a free port the run goes on: tools that fetch find nothing, as without us.
    (here && !options.passive).then(|| Content::bind().ok()).flatten()
}

fn is_loopback(url: &str) -> bool {
    match url::Url::parse(url).ok().as_ref().and_then(url::Url::host) {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

fn default_calls(profile: Profile) -> u64 {
    match profile {
        Profile::Quick => 500,
        Profile::Standard => 10_000,
        Profile::Deep => 50_000,
    }
}

fn default_time(profile: Profile) -> Duration {
    match profile {
        Profile::Quick => Duration::from_secs(60),
        Profile::Standard => Duration::from_secs(300),
        Profile::Deep => Duration::from_secs(1_800),
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
