//! Delivery: how payloads get to every place of every tool, one at a time, all else ordinary.

use serde_json::Value;

use super::{Nonce, door};
use crate::arguments::{Place, Slot};
use crate::evidence::{Evidence, Exchange, Profile, Tool};
use crate::probe::{Call, Risk};
use crate::probes::benign::{self, Tried, is_refused};
use crate::probes::valid_call;
use crate::proof::{Oracle, is_alike, twin};
use crate::response::Answer;
use crate::seed::Seed;

/// One way in which a text may be taken for something else.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    pub name: &'static str,
    /// The first profile in which it is sent.
    pub least: Profile,
    /// With the marks of [`Nonce::fill`].
    pub text: &'static str,
    /// What would prove that it was more than a text; `None` where it need not be sent.
    pub oracle: fn(&Nonce<'_>) -> Option<Oracle>,
}

impl Form {
    pub const fn new(
        name: &'static str,
        least: Profile,
        text: &'static str,
        oracle: fn(&Nonce<'_>) -> Option<Oracle>,
    ) -> Form {
        Form { name, least, text, oracle }
    }

    /// One whose value, a product between two words, has to come back.
    pub const fn computed(name: &'static str, least: Profile, text: &'static str) -> Form {
        Form::new(name, least, text, |n| Some(n.computed()))
    }
}

/// Two conditions that differ in nothing but their truth; best of the same characters in another
/// order, since no filter and no echo can tell those apart. The true one goes first; the others
/// follow when its answer is unlike that to an unknown word.
#[derive(Debug)]
pub struct Pair {
    pub name: &'static str,
    pub least: Profile,
    /// Where it works, more is touched than was named: only for what reads.
    pub widens: bool,
    /// The texts are JSON, and sent as what they say.
    pub json: bool,
    /// The false one is expected to fail: it goes first, and its failure is what tells.
    pub fails: bool,
    /// Both with the marks of [`Nonce::fill`]; filled with other values in each turn.
    pub truth: &'static str,
    pub falsehood: &'static str,
}

impl Pair {
    pub const fn new(
        name: &'static str,
        least: Profile,
        truth: &'static str,
        falsehood: &'static str,
    ) -> Pair {
        Pair { name, least, widens: true, json: false, fails: false, truth, falsehood }
    }

    /// One that touches no more than was named.
    pub const fn narrow(
        name: &'static str,
        least: Profile,
        truth: &'static str,
        falsehood: &'static str,
    ) -> Pair {
        Pair { widens: false, ..Pair::new(name, least, truth, falsehood) }
    }

    /// One whose false half makes an error of what would else be done.
    pub const fn failing(
        name: &'static str,
        least: Profile,
        truth: &'static str,
        falsehood: &'static str,
    ) -> Pair {
        Pair { fails: true, ..Pair::narrow(name, least, truth, falsehood) }
    }

    /// One that is sent as what its JSON says.
    pub const fn json(
        name: &'static str,
        least: Profile,
        truth: &'static str,
        falsehood: &'static str,
    ) -> Pair {
        Pair { json: true, ..Pair::new(name, least, truth, falsehood) }
    }
}

/// What is put in a place, and what would prove that it was more than a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Payload {
    pub value: Value,
    pub oracle: Oracle,
}

/// Every form for every open place.
pub fn deliver(evidence: &Evidence, seed: Seed, probe: &str, forms: &[Form]) -> Vec<Call> {
    let profile = evidence.conditions.profile;
    deliver_where(evidence, seed, probe, forms, |_, _, form| form.least <= profile)
}

/// Every form for every open place for which it is due.
pub fn deliver_where(
    evidence: &Evidence,
    seed: Seed,
    probe: &str,
    forms: &[Form],
    due: impl Fn(&Tool, &Tried<'_>, &Form) -> bool,
) -> Vec<Call> {
    everywhere(evidence, |tool, tried| {
        let nonce = |name: &str| Nonce::new(evidence, tool, &tried.place, probe, name, seed);
        let call = |form: &&Form| {
            let nonce = nonce(form.name);
            let value = Value::String(nonce.fill(form.text)?);
            let payload = Payload { value, oracle: (form.oracle)(&nonce)? };
            shot(evidence, tool, tried, probe, form.name, &payload)
        };
        let is_worth = is_worth(evidence, tried);
        let worth = |form: &&Form| {
            is_worth(form.least)
                && due(tool, tried, form)
                && made(evidence, tried, probe, form.name).is_none()
        };
        forms.iter().filter(worth).filter_map(|f| call(&f)).collect()
    })
}

/// Every pair for every open place, the second half only where the first shows something. Where
/// the place is touchy, all pairs are due, whatever the profile.
pub fn deliver_pairs(evidence: &Evidence, seed: Seed, probe: &str, pairs: &[Pair]) -> Vec<Call> {
    let profile = evidence.conditions.profile;
    everywhere(evidence, |tool, tried| {
        let touchy = is_touchy(evidence, tried, probe);
        let wide = may_widen(evidence, tool);
        let due = pairs.iter().filter(|p| touchy || p.least <= profile);
        let is_worth = is_worth(evidence, tried);
        due.filter(|p| (wide || !p.widens) && is_worth(p.least))
            .flat_map(|p| of_pair(evidence, tool, tried, probe, p, seed))
            .collect()
    })
}

/// Beside a choice that is made otherwise, an ordinary run only tries what is tried first; unless the
/// text matters beside that choice alone.
pub(super) fn is_worth(evidence: &Evidence, tried: &Tried<'_>) -> impl Fn(Profile) -> bool {
    let deep = evidence.conditions.profile == Profile::Deep;
    let all = deep || tried.place.choice.is_none() || is_awake(evidence, tried);
    move |least| all || least == Profile::Quick
}

/// Whether another word in the place changes the answer beside this choice, and not beside the usual
/// one.
fn is_awake(evidence: &Evidence, tried: &Tried<'_>) -> bool {
    let heard = |word: &Exchange| {
        let twin = twin(evidence, word);
        twin.is_some_and(|t| word.reply.text() != t.reply.text())
    };
    let usual = benign::label(&Place { choice: None, ..tried.place.clone() });
    let mut usual = evidence
        .of(benign::PROBE.id)
        .filter(|x| x.label == usual && x.subject == tried.word.subject);
    usual.any(|x| !heard(x)) && heard(tried.word)
}

/// Whether an attack on the place made an error where an unknown word makes none, or none where it
/// makes one.
pub(super) fn is_touchy(evidence: &Evidence, tried: &Tried<'_>, probe: &str) -> bool {
    let fails = |x: &Exchange| !valid_call::took(x);
    evidence
        .of(probe)
        .filter(|x| x.subject == tried.word.subject && x.reply.why_unseen().is_none())
        .any(|x| !is_refused(&Answer::of(evidence, x)) && fails(x) != fails(tried.word))
}

fn of_pair(
    evidence: &Evidence,
    tool: &Tool,
    tried: &Tried<'_>,
    probe: &str,
    pair: &Pair,
    seed: Seed,
) -> Vec<Call> {
    // Not in turn: what fails every other time would follow the truth, too.
    const TURNS: [(bool, u8); 4] = [(true, 1), (false, 1), (false, 2), (true, 2)];
    let name = |truth: bool, turn: u8| format!("{} {truth} {turn}", pair.name);
    let first = made(evidence, tried, probe, &name(!pair.fails, 1));
    let telling = first.is_some_and(|x| {
        let unlike = || x.reply.why_unseen().is_none() && !is_alike(x, tried.word);
        (pair.fails || Answer::of(evidence, x) == Answer::Accepted) && unlike()
    });
    let due = match (first, telling) {
        (None, _) => &TURNS[..1],
        (Some(_), true) => &TURNS[1..],
        (Some(_), false) => return Vec::new(),
    };
    let tried = &if pair.json { among_likes(evidence, tool, tried, pair) } else { tried.clone() };
    let calls = due.iter().filter_map(|(truth, turn)| {
        let truth = &(*truth != pair.fails);
        let name = name(*truth, *turn);
        // Both truths of a turn are made of the same values.
        let turn = format!("{} {turn}", pair.name);
        let nonce = Nonce::new(evidence, tool, &tried.place, probe, &turn, seed);
        let oracle = Oracle::Differential {
            group: tried.entry.group(pair.name, &tried.place),
            truth: *truth,
        };
        let made = |text: &str| {
            let text = nonce.fill(text)?;
            if pair.json { serde_json::from_str(&text).ok() } else { Some(Value::String(text)) }
        };
        // Where the schema lets only one of the two pass, it tells them apart, not what is behind.
        let allows = |value: &Value| tried.place.filled(tool, value).map(|(_, allowed)| allowed);
        let (yes, no) = (made(pair.truth)?, made(pair.falsehood)?);
        if allows(&yes) != allows(&no) {
            return None;
        }
        let payload = Payload { value: if *truth { yes } else { no }, oracle };
        shot(evidence, tool, tried, probe, &name, &payload)
    });
    calls.collect()
}

/// The call of that name for that place, if it was made before.
fn made<'a>(
    evidence: &'a Evidence,
    tried: &Tried<'_>,
    probe: &'a str,
    name: &str,
) -> Option<&'a Exchange> {
    let label = tried.entry.label(name, &tried.place);
    evidence.of(probe).find(|x| x.label == label && x.subject == tried.word.subject)
}

/// The same place where nothing ordinary works, as with a user and a password that nobody told:
/// then the texts beside it are true for everything, in all calls alike.
fn among_likes<'a>(
    evidence: &'a Evidence,
    tool: &Tool,
    tried: &Tried<'a>,
    pair: &Pair,
) -> Tried<'a> {
    let mut among = tried.clone();
    let twin = evidence.of_tool(benign::PROBE.id, &tool.name).find(|x| x.label == tried.place.twin);
    let beside: Vec<Place> = benign::tried(evidence, tool).into_iter().map(|t| t.place).collect();
    let value = serde_json::from_str(&pair.truth.replace(['«', '»'], ""));
    let (Ok(value), true) = (value, twin.is_some_and(|x| !valid_call::took(x))) else {
        return among;
    };
    for other in beside.iter().filter(|p| p.slot == Slot::Text && p.twin == tried.place.twin) {
        let place = Place { arguments: among.place.arguments.clone(), ..other.clone() };
        if let Some((arguments, true)) = place.filled(tool, &value)
            && other.pointer != tried.place.pointer
        {
            among.place.arguments = arguments;
        }
    }
    among
}

/// Asks for calls at every place that takes texts, in tools and by all other doors. To what is closed
/// only that goes which the schema allows: an address where addresses are asked for.
pub fn everywhere(
    evidence: &Evidence,
    mut calls: impl FnMut(&Tool, &Tried<'_>) -> Vec<Call>,
) -> Vec<Call> {
    let mut all = in_tools(evidence, &mut calls);
    for door in door::doors(evidence) {
        for tried in door.tried(evidence, benign::PROBE.id) {
            all.extend(calls(&door.tool, &tried));
        }
    }
    all
}

/// Asks for calls at every place of every tool that takes texts.
pub fn in_tools(
    evidence: &Evidence,
    mut calls: impl FnMut(&Tool, &Tried<'_>) -> Vec<Call>,
) -> Vec<Call> {
    let mut all = Vec::new();
    for tool in evidence.tools() {
        for tried in &benign::tried(evidence, tool) {
            all.extend(calls(tool, tried));
        }
    }
    all
}

/// The call that carries a payload. Where the schema forbids it, one call finds out whether anyone
/// minds; the others follow if not. Where a hole is proven, nothing more is sent.
pub fn shot(
    evidence: &Evidence,
    tool: &Tool,
    tried: &Tried<'_>,
    probe: &str,
    name: &str,
    payload: &Payload,
) -> Option<Call> {
    let place = &tried.place;
    let (arguments, allowed) = place.filled(tool, &payload.value)?;
    let call =
        tried.entry.call(tool, tried.entry.label(name, place), &arguments, place.subject())?;
    let mut before =
        evidence.of(probe).filter(|x| x.subject == call.subject && x.label != call.label);
    let minded =
        |x: &Exchange| x.reply.why_unseen().is_some() || is_refused(&Answer::of(evidence, x));
    if !allowed && (tried.closed || before.any(minded)) {
        return None;
    }
    Some(call.with_control(&place.twin).with_oracle(payload.oracle.clone()))
}

/// Whether a condition that is true for everything may reach this tool. One that writes or
/// destroys would do it to everything; what is only written to may be, where all is disposable.
fn may_widen(evidence: &Evidence, tool: &Tool) -> bool {
    let most = if evidence.conditions.policy.disposable { Risk::Writes } else { Risk::Reads };
    Risk::of_tool(tool) <= most
}
