//! Orders aimed at the model: told by features that work together, not by phrases.

use super::encoded::decoded;
use super::filled::{filled_with, wants_more};
use super::foreign;
use super::heads::{Deed, deeds, is_called};
use super::lexicon::{Sort, is};
use super::objects::{Private, in_slot, is_pronoun, leaves, private};
use super::overrides::overrides;
use super::sentence::{Sentence, sentences, unquoted};
use super::signs::{has_authority, is_report, lasts, persona, precedence, secrecy};

/// Where a text stands; it decides what is ordinary there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    Definition,
    Parameter,
    Answer,
}

/// An order that a text gives to the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// The sentences that give it.
    pub text: String,
    /// The features that it was known by.
    pub rule: String,
    /// From here on it is certain: see [`Order::is_certain`].
    pub weight: f64,
}

const CERTAIN: f64 = 1.0;
const SUSPECT: f64 = 0.7;
/// Sentences that are read together.
const WINDOW: usize = 4;
/// Items of a list that one introduction speaks for.
const LISTED: usize = 8;
/// Longer texts are read up to here.
const MOST: usize = 40_000;

impl Order {
    pub fn is_certain(&self) -> bool {
        self.weight >= CERTAIN
    }
}

/// The strongest order that a text, or what it encodes, gives to the model; `own` are the names of
/// the server's tools.
pub fn order(text: &str, context: Context, own: &[&str]) -> Option<Order> {
    let plain = strongest(text, context, own);
    let encoded = decoded(text).into_iter().filter_map(|inner| {
        // Nobody encodes what a tool does.
        let found = strongest(&inner, Context::Parameter, own)?;
        Some(Order {
            rule: format!("encoded, {}", found.rule),
            weight: found.weight + 0.3,
            ..found
        })
    });
    plain.into_iter().chain(encoded).max_by(|a, b| a.weight.total_cmp(&b.weight))
}

fn strongest(text: &str, context: Context, own: &[&str]) -> Option<Order> {
    let text = &text[..text.floor_char_boundary(MOST)];
    let all = sentences(text);
    let read: Vec<Vec<Deed>> = all.iter().map(deeds).collect();
    // What the whole does not hold, no sentence does.
    let tongue = foreign::weight(text) > 0.0;
    let tongue = |s: &Sentence<'_>| if tongue { foreign::weight(s.raw) } else { 0.0 };
    let signs = |(s, deeds): (&_, &Vec<_>)| signs(s, deeds, context, own, tongue(s));
    let signs: Vec<[Feature; SIGNS]> = all.iter().zip(&read).map(signs).collect();
    let abouts: Vec<Vec<Private>> = all.iter().zip(&read).map(|(s, d)| abouts(s, d)).collect();
    // A way out and a pose are all that is left without signs and without private things, and both
    // together are too little.
    let quiet = |nth: usize| {
        signs[nth].iter().all(|(_, weight)| *weight == 0.0)
            && abouts[nth].iter().all(|about| *about == Private::No)
    };
    let quiet: Vec<bool> = (0..all.len()).map(quiet).collect();
    let windows = (0..all.len()).map(|from| from..all.len().min(from + WINDOW));
    let scored = windows.filter_map(|range| {
        if context != Context::Parameter && quiet[range.clone()].iter().all(|quiet| *quiet) {
            return None;
        }
        let (from, to) = (range.start, range.end);
        let window = Window { all: &all, deeds: &read, abouts: &abouts, signs: &signs, from, to };
        let found = window.features(context);
        let weight = weigh(&found, context);
        if weight < SUSPECT - 1e-9 {
            return None;
        }
        // Examples of attacks are introduced at most two sentences ahead, or ahead of their list.
        let listed = all[..=range.start].iter().rev().take(LISTED).take_while(|s| s.is_listed());
        let from = range.start.saturating_sub(2 + listed.count());
        let told = &all[from..all.len().min(range.end + 1)];
        let reported = is_report(told) || is_mentioned(&window.quote(), context, own);
        let weight = if reported { weight * 0.3 } else { weight };
        let rule = found.iter().map(|(sign, _)| sign.as_str()).collect::<Vec<_>>().join(" + ");
        (weight >= SUSPECT - 1e-9).then(|| Order {
            text: window.quote(),
            rule,
            weight: weight + 1e-9,
        })
    });
    // Of equals the first: windows overlap.
    scored.reduce(|best, next| if next.weight > best.weight + 1e-6 { next } else { best })
}

/// An order that stands in quotation marks, and outside of them it is told that it is an example.
fn is_mentioned(text: &str, context: Context, own: &[&str]) -> bool {
    let Some(bare) = unquoted(text) else { return false };
    // "A mail says: …": somebody else does, and outside of the marks nothing is ordered.
    const SAYS: &[&str] = &["reads", "said", "saying", "says", "states", "text", "wrote"];
    let quotes = |s: &Sentence<'_>| s.words.iter().any(|w| SAYS.contains(&w.text.as_str()));
    sentences(&bare).iter().any(|s| s.has(Sort::Report) || quotes(s))
        && strongest(&bare, context, own).is_none()
}

/// What private data does is an order to the model only if something says so: that it is to be
/// kept quiet, whom it is for, or that it is to leave through the tool itself.
fn weigh(found: &[Feature], context: Context) -> f64 {
    const FLOW: [Sign; 4] = [Sign::Takes, Sign::Gives, Sign::Way, Sign::Tool];
    let sum: f64 = found.iter().map(|(_, w)| w).sum();
    let has = |sign: Sign| found.iter().any(|(s, _)| *s == sign);
    // Which tool to call when is what descriptions are for.
    const USUAL: [Sign; 6] =
        [Sign::Tool, Sign::Way, Sign::Precedence, Sign::Lasting, Sign::Pose, Sign::Address];
    let spoken_to = context == Context::Answer && has(Sign::Address);
    if !spoken_to && found.iter().all(|(name, _)| USUAL.contains(name)) {
        return sum.min(0.6);
    }
    let only_flow = found.iter().all(|(name, _)| FLOW.contains(name));
    if only_flow && (context == Context::Answer || !has(Sign::Way)) { sum.min(0.9) } else { sum }
}

/// A feature of orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Override,
    Role,
    Secrecy,
    Precedence,
    Lasting,
    Address,
    Tool,
    Deed,
    Tongue,
    Takes,
    Gives,
    Way,
    Pose,
}

impl Sign {
    fn as_str(self) -> &'static str {
        match self {
            Sign::Override => "earlier instructions set aside",
            Sign::Role => "new role",
            Sign::Secrecy => "secrecy",
            Sign::Precedence => "precedence",
            Sign::Lasting => "meant to last",
            Sign::Address => "speaks to the model",
            Sign::Tool => "another tool",
            Sign::Deed => "a deed nobody asked for",
            Sign::Tongue => "another language",
            Sign::Takes => "takes private data",
            Sign::Gives => "passes it on",
            Sign::Way => "a way out",
            Sign::Pose => "poses as the system",
        }
    }
}

struct Window<'a> {
    all: &'a [Sentence<'a>],
    deeds: &'a [Vec<Deed>],
    /// How private what each deed is about is.
    abouts: &'a [Vec<Private>],
    /// Of each sentence alone: windows overlap, and most sentences have none.
    signs: &'a [[Feature; SIGNS]],
    from: usize,
    to: usize,
}

type Feature = (Sign, f64);

/// How many a sentence can show by itself.
const SIGNS: usize = 9;

impl Window<'_> {
    fn each(&self) -> impl Iterator<Item = (&Sentence<'_>, &[Deed])> {
        (self.from..self.to).map(|i| (&self.all[i], self.deeds[i].as_slice()))
    }

    fn quote(&self) -> String {
        self.each().map(|(s, _)| s.raw).collect::<Vec<_>>().join(" ")
    }

    fn features(&self, context: Context) -> Vec<Feature> {
        let most = |nth: usize| -> Feature {
            let each = self.signs[self.from..self.to].iter().map(|signs| signs[nth]);
            each.fold((Sign::Override, 0.0), |a, b| (b.0, f64::max(a.1, b.1)))
        };
        let mut found: Vec<Feature> = (0..SIGNS).map(most).collect();
        found.extend(self.flow(context));
        if found.iter().any(|(_, w)| *w > 0.0) {
            let marked = self.each().any(|(s, _)| has_authority(s.raw));
            found.push((Sign::Pose, if marked { 0.3 } else { 0.0 }));
        }
        found.retain(|(_, w)| *w > 0.0);
        found
    }

    /// Private things taken, passed on, and the way they go.
    fn flow(&self, context: Context) -> Vec<Feature> {
        let (mut take, mut give, mut way): (f64, f64, f64) = (0.0, 0.0, 0.0);
        let mut held = Private::No;
        for (nth, (s, deeds)) in self.each().enumerate() {
            let opening = self.from + nth == 0 && context == Context::Definition;
            for (i, deed) in deeds.iter().enumerate() {
                // What the tool does itself is said first, and often as an order.
                if deed.negated || deed.plain && opening {
                    continue;
                }
                let (from, end) = reach(s, deeds, i);
                let gives = is(deed.verb, Sort::Give);
                let mut about = self.abouts[self.from + nth][i];
                if deed.to_model && about == Private::Weak {
                    about = Private::Strong;
                }
                let carries = is(deed.verb, Sort::Call) && about >= Private::Strong;
                if is(deed.verb, Sort::Take) {
                    take = take.max(worth(about));
                    held = held.max(about);
                }
                if gives || carries {
                    if is_pronoun(s, from, end) {
                        about = about.max(held);
                    }
                    give = give.max(worth(about));
                    held = held.max(about);
                    let out = leaves(s, from, end) || deed.verb == "bcc";
                    let slot = about >= Private::Strong && in_slot(s, deed.at, end);
                    way = way.max(if out || slot { 0.3 } else { 0.0 });
                }
            }
            if context == Context::Parameter {
                let filled = filled_with(s);
                give = give.max(filled);
                let all = filled > 0.0 && wants_more(s);
                way = way.max(if all { 0.3 } else { 0.0 });
            }
        }
        vec![(Sign::Takes, take), (Sign::Gives, give), (Sign::Way, way)]
    }
}

/// The words that a deed is about.
fn reach(s: &Sentence<'_>, deeds: &[Deed], nth: usize) -> (usize, usize) {
    let end = deeds.get(nth + 1).map_or(s.words.len(), |next| next.at);
    if deeds[nth].passive { (0, s.words.len()) } else { (deeds[nth].at + 1, end) }
}

/// How private what each deed is about is.
fn abouts(s: &Sentence<'_>, deeds: &[Deed]) -> Vec<Private> {
    let about = |(nth, deed): (usize, &Deed)| {
        // Only of these it matters.
        if ![Sort::Take, Sort::Give, Sort::Call].iter().any(|sort| is(deed.verb, *sort)) {
            return Private::No;
        }
        let (from, end) = reach(s, deeds, nth);
        private(s, from, end, is(deed.verb, Sort::Give))
    };
    deeds.iter().enumerate().map(about).collect()
}

/// What a sentence shows by itself.
fn signs(
    s: &Sentence<'_>,
    deeds: &[Deed],
    context: Context,
    own: &[&str],
    tongue: f64,
) -> [Feature; SIGNS] {
    [
        (Sign::Override, overrides(s, deeds)),
        (Sign::Role, persona(s)),
        (Sign::Secrecy, secrecy(s, deeds)),
        (Sign::Precedence, precedence(s)),
        (Sign::Lasting, lasts(s)),
        (Sign::Address, addressed(s, deeds, context)),
        (Sign::Tool, calls(s, deeds, context, own)),
        (Sign::Deed, ruins(s, deeds, context)),
        (Sign::Tongue, tongue),
    ]
}

fn calls(s: &Sentence<'_>, deeds: &[Deed], context: Context, own: &[&str]) -> f64 {
    let foreign = |deed: &Deed| {
        let words = s.words.iter().skip(deed.at + 1).take(8);
        let mut names = words.filter(|w| w.is_name && !w.text.contains(['/', '@', '~', '.']));
        names.any(|w| context == Context::Answer || !own.contains(&w.text.as_str()))
    };
    let shell =
        |deed: &Deed| (deed.at + 1..deed.at + 6).any(|i| ["shell", "curl"].contains(&s.word(i)));
    let told = deeds.iter().filter(|d| !d.negated && is(d.verb, Sort::Call));
    let weights = told.map(|d| if foreign(d) || shell(d) { 0.4 } else { 0.0 });
    weights.fold(0.0, f64::max)
}

fn worth(about: Private) -> f64 {
    match about {
        Private::No => 0.0,
        Private::Weak => 0.25,
        Private::Strong => 0.5,
        Private::Top => 0.8,
    }
}

const ADDRESSED: &[&str] = &["as an ai", "you the assistant"];

/// All phrases that are looked for here.
pub(super) const PHRASES: &[&[&str]] = &[ADDRESSED];

fn addressed(s: &Sentence<'_>, deeds: &[Deed], context: Context) -> f64 {
    let told = deeds.iter().any(|d| d.to_model && !d.negated);
    let swayed = deeds.iter().any(|d| d.to_model && is(d.verb, Sort::Sway));
    let as_one = s.says(ADDRESSED) || is_called(s);
    match (told || as_one, swayed) {
        (_, true) => 0.6,
        // Data has no business to speak to its reader.
        (true, false) if context == Context::Answer => 0.4,
        (true, false) => 0.3,
        (false, false) => 0.0,
    }
}

/// Deeds with consequences, on all there is or right away.
fn ruins(s: &Sentence<'_>, deeds: &[Deed], context: Context) -> f64 {
    const WIDE: &[&str] =
        &["all", "any", "each", "every", "everything", "immediately", "now", "pending"];
    const RIGHTS: &[&str] = &[
        "admin",
        "balance",
        "collaborator",
        "permission",
        "permissions",
        "recipient",
        "rights",
        "funds",
        "account",
    ];
    let wide = |deed: &Deed| {
        (deed.at + 1..deed.at + 8).any(|i| WIDE.contains(&s.word(i)) || RIGHTS.contains(&s.word(i)))
    };
    let told = |d: &Deed| !d.plain || context == Context::Answer;
    let told = deeds.iter().any(|d| !d.negated && told(d) && is(d.verb, Sort::Ruin) && wide(d));
    if told { 0.4 } else { 0.0 }
}
