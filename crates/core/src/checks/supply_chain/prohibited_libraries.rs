//! Direct dependencies that directories do not admit: moving money, and producing media.

use crate::check::{Check, Facet, Finding, Grade, Revisions, Severity};
use crate::evidence::{Dependencies, Ecosystem, Evidence, Subject};

pub(super) const CHECK: Check = Check {
    id: "supply_chain/prohibited-libraries",
    title: "No library moves money or produces media",
    facet: Facet::SupplyChain,
    severity: Severity::Medium,
    class: None,
    requirements: &[],
    revisions: Revisions::All,
    needs: &[],
    page: include_str!("prohibited_libraries.md"),
    judge,
};

#[derive(Debug, Clone, Copy)]
enum Kind {
    Money,
    Media,
}

/// Exact names, by kind and ecosystem.
const LIBRARIES: &[(Kind, Ecosystem, &str)] = &[
    (
        Kind::Money,
        Ecosystem::Npm,
        "stripe @stripe/stripe-js @stripe/agent-toolkit paypal-rest-sdk @paypal/checkout-server-sdk @paypal/paypal-server-sdk @paypal/agent-toolkit square braintree @adyen/api-library plaid coinbase @coinbase/agentkit ccxt binance node-binance-api",
    ),
    (
        Kind::Money,
        Ecosystem::Pypi,
        "stripe paypalrestsdk paypal-server-sdk squareup square braintree adyen plaid-python yodlee coinbase coinbase-advanced-py python-binance binance-connector ccxt",
    ),
    (
        Kind::Money,
        Ecosystem::Go,
        "github.com/stripe/stripe-go github.com/plaid/plaid-go github.com/adshao/go-binance",
    ),
    (Kind::Money, Ecosystem::Crate, "async-stripe binance-rs"),
    (
        Kind::Media,
        Ecosystem::Npm,
        "sharp jimp gm imagemagick fluent-ffmpeg @ffmpeg/ffmpeg canvas @napi-rs/canvas",
    ),
    (
        Kind::Media,
        Ecosystem::Pypi,
        "pillow opencv-python opencv-python-headless wand moviepy pydub sox ffmpeg-python imageio",
    ),
    (Kind::Media, Ecosystem::Crate, "image imageproc ffmpeg-next"),
];

fn judge(evidence: &Evidence) -> Vec<Finding> {
    match evidence.dependencies() {
        Err(why) => vec![Finding::unseen(Subject::Server, why)],
        Ok(dependencies) => verdicts(dependencies),
    }
}

fn verdicts(dependencies: &Dependencies) -> Vec<Finding> {
    let direct: Vec<_> = dependencies.packages().filter(|(_, p)| p.direct && !p.dev).collect();
    if direct.is_empty() {
        let why = match dependencies.packages().next() {
            Some(_) => "which of the packages are used directly can't be told from the lock file",
            None => return Vec::new(),
        };
        return vec![Finding::unseen(Subject::Server, why)];
    }
    let mut found: Vec<Finding> = direct
        .iter()
        .filter_map(|(lock, package)| {
            let name = package.ecosystem.normal(&package.name);
            let subject = Subject::File { file: lock.path.clone(), line: None };
            kind(package.ecosystem, &name).map(|kind| finding(subject, &package.label(), kind))
        })
        .collect();
    if found.is_empty() {
        let says = format!("none among {} direct dependencies", direct.len());
        found.push(Finding::pass(Subject::Server, says));
    }
    found
}

fn kind(ecosystem: Ecosystem, name: &str) -> Option<Kind> {
    // The major version is a part of the path in Go.
    let parts = |listed: &str| {
        name == listed || (ecosystem == Ecosystem::Go && name.starts_with(&format!("{listed}/v")))
    };
    let fits = |(_, kind, names): &&(Kind, Ecosystem, &str)| {
        *kind == ecosystem && names.split(' ').any(parts)
    };
    LIBRARIES.iter().find(fits).map(|(kind, ..)| *kind)
}

fn finding(subject: Subject, label: &str, kind: Kind) -> Finding {
    let (grade, what, fix) = match kind {
        Kind::Money => (
            Grade::FAIL,
            "moves money or trades",
            "directories refuse servers that carry out payments; leave that to the user, or publish elsewhere",
        ),
        Kind::Media => (
            Grade::new(0.75),
            "produces or changes pictures, sound or film",
            "say in the README what it is used for: reviewers ask whether media is generated",
        ),
    };
    Finding::partial(subject, grade, format!("{label} {what}"), fix)
}
