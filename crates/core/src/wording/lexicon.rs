//! Classes of words. A text is understood as far as these go.

#![expect(clippy::disallowed_types, reason = "asked for every word and text, never walked")]

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::FixedState;

use super::{objects, orders, overrides, shadow, signs};

/// What a word does in a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// To get hold of something.
    Take,
    /// To pass something on.
    Give,
    /// To let a person know.
    Tell,
    /// To make a tool run.
    Call,
    /// Deeds with consequences.
    Ruin,
    /// To leave aside what was said before.
    Skip,
    /// To change what the reader says or prefers.
    Sway,
    /// To follow, as an order.
    Obey,
    /// To make something other than it was.
    Alter,
    /// The reader as a machine.
    Model,
    /// The one who must not know.
    Person,
    /// Must, should.
    Modal,
    Negation,
    /// May stand before the verb of an order.
    Lead,
    /// Said earlier.
    Prior,
    /// What binds the reader.
    Rule,
    /// Said of rules: they bind no longer.
    Void,
    /// Quietly.
    Covert,
    /// Weak secrets: honest tools speak of their own.
    Key,
    /// Stands for what was named before.
    Pronoun,
    /// The place in a call where something goes.
    Slot,
    /// Somewhere else.
    Elsewhere,
    /// Threats as a topic.
    Threat,
    /// What follows is an example or a report.
    Report,
    /// Begins one of the phrases that are looked for.
    First,
}

/// All that a word is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sorts(u32);

impl Sorts {
    pub(super) fn has(self, sort: Sort) -> bool {
        self.0 & (1 << sort as u32) != 0
    }

    pub(super) fn and(self, sort: Sort) -> Sorts {
        Sorts(self.0 | 1 << sort as u32)
    }

    pub(super) fn or(self, other: Sorts) -> Sorts {
        Sorts(self.0 | other.0)
    }
}

const WORDS: &[(Sort, &str)] = &[
    (
        Sort::Take,
        "access browse cat check collect copy dump extract fetch find gather get grab harvest inspect load locate
         look obtain open pull query read retrieve scan search steal take view",
    ),
    (
        Sort::Give,
        "copy carry contain drop enter feed hold paste ping push slip smuggle type add append attach bcc cc deliver disclose dump email embed encode exfiltrate export fill
         forward give hand include insert leak mail output pass place post print provide publish put
         relay repeat report return reveal route save send set share ship store submit supply
         transmit transfer upload use write",
    ),
    (
        Sort::Tell,
        "announce bother comment let speak spoil trouble acknowledge admit advise alert announce ask bring confirm describe disclose discuss display
         divulge explain inform hint indicate mention notify point print prompt report reveal say
         show talk tell warn",
    ),
    (Sort::Call, "call execute invoke launch run trigger use"),
    (
        Sort::Ruin,
        "approve authorize buy cancel clear delete destroy disable drop erase grant install move pay
         purchase remove revoke set transfer uninstall wipe wire withdraw",
    ),
    (
        Sort::Skip,
        "abandon bypass circumvent discard dismiss disregard disobey forget ignore neglect override
         overrule stop suspend violate",
    ),
    (
        Sort::Sway,
        "act answer behave claim convince endorse keep persuade praise prefer pretend promote rank
         rate recommend reply respond state suggest treat trust",
    ),
    (Sort::Obey, "comply execute follow obey"),
    (
        Sort::Alter,
        "add adjust alter append attach bcc change change copy divert double edit forward include
         insert modify prepend redirect replace reroute rewrite route set substitute swap",
    ),
    (Sort::Model, "agent agents ai assistant assistants bot chatbot claude copilot gpt llm llms model models"),
    (
        Sort::Person,
        "anybody anyone customer everybody human humans operator owner people person them they user
         user's users users'",
    ),
    (Sort::Modal, "must should shall need needs have has ought required obliged expected instructed told going are"),
    (Sort::Negation, "not never don't doesn't mustn't shouldn't needn't cannot can't won't nor avoid refrain without"),
    (
        Sort::Lead,
        "additionally afterwards also always and at automatically but carefully directly do every finally
         first firstly furthermore immediately in instead just kindly likewise moreover next now once
         only or please plus promptly quietly secondly secretly silently simply so step still then therefore
         thereafter thus to you yourself",
    ),
    (
        Sort::Prior,
        "above all any before earlier everything existing foregoing former initial original other own
         preceding previous prior their user's whatever your",
    ),
    (
        Sort::Rule,
        "asked consent guideline refusals typed wanted wants wrote alignment command commands constraints directive directives guardrails guidance guidelines
         instruction instructions limitations order orders policies policy programming prompt prompts
         query question request requests restrictions rule rules safeguards safety said task told
         training",
    ),
    (
        Sort::Void,
        "cancelled disabled invalid lifted obsolete outdated overridden revoked suspended void waived",
    ),
    (Sort::Covert, "unannounced unbeknownst clandestinely covertly discreetly invisibly quietly secretly silently stealthily surreptitiously
         undisclosed unmentioned unnoticed unsaid unspoken untold"),
    (Sort::Key, "apikey auth cookie cookies credential credentials key keys password passwords secret secrets token tokens"),
    (
        Sort::Pronoun,
        "content contents data everything information it its output result results same text that them
         these this those value values what",
    ),
    (Sort::Slot, "arg argument arguments field here input parameter parameters property value"),
    (Sort::Elsewhere, "address collector drop endpoint ftp host inbox proxy remote server site url webhook"),
    (
        Sort::Threat,
        "adversarial attack attacker attackers attacks fraud injection injections jailbreak jailbreaks
         malicious phishing scam scammers threat threats",
    ),
    (
        Sort::Report,
        "chapter classifies contain contains course detect detected detects detecting detector
         example examples explains flag flagged flags guide instance learn lesson like look phrase
         phrases quiz recognise recognize sample samples scan scans scanner simulates such training try tutorial write writes",
    ),
];

/// Asked for every word of every answer.
static SORTS: LazyLock<HashMap<&str, Sorts, FixedState>> = LazyLock::new(|| {
    let mut map: HashMap<&str, Sorts, FixedState> = HashMap::default();
    let listed = WORDS.iter().flat_map(|(sort, list)| list.split_whitespace().map(|w| (w, *sort)));
    let lists =
        [signs::PHRASES, objects::PHRASES, orders::PHRASES, overrides::PHRASES, shadow::PHRASES];
    let phrases = lists.into_iter().flatten().copied().flatten();
    let firsts = phrases.filter_map(|p| p.split(' ').next()).map(|w| (w, Sort::First));
    for (word, sort) in listed.chain(firsts) {
        let known = map.entry(word).or_default();
        *known = known.and(sort);
    }
    map
});

pub(super) fn sorts(word: &str) -> Sorts {
    SORTS.get(word).copied().unwrap_or_default()
}

pub(super) fn is(word: &str, sort: Sort) -> bool {
    sorts(word).has(sort)
}

/// Any verb an order could be made of.
pub(super) fn is_verb(word: &str) -> bool {
    const VERBS: [Sort; 9] = [
        Sort::Take,
        Sort::Give,
        Sort::Tell,
        Sort::Call,
        Sort::Ruin,
        Sort::Skip,
        Sort::Sway,
        Sort::Obey,
        Sort::Alter,
    ];
    let sorts = sorts(word);
    VERBS.iter().any(|verb| sorts.has(*verb))
}

/// The word itself, if we know it.
pub(super) fn plain(word: &str) -> Option<&'static str> {
    SORTS.get_key_value(word).map(|(key, _)| *key)
}

/// The plain form of a verb that ends in -ing or -ed, if we know it.
pub(super) fn base(word: &str) -> Option<&'static str> {
    let irregular = match word {
        "sent" => Some("send"),
        "told" | "telling" => Some("tell"),
        "shown" => Some("show"),
        "given" => Some("give"),
        "put" | "read" => Some(word),
        "taken" => Some("take"),
        "written" => Some("write"),
        "said" => Some("say"),
        "made" => Some("make"),
        "forgotten" => Some("forget"),
        "brought" => Some("bring"),
        "hidden" => Some("hide"),
        _ => None,
    };
    if let Some(plain) = irregular {
        return known(plain);
    }
    let stem = word.strip_suffix("ing").or_else(|| word.strip_suffix("ed"))?;
    let single = stem.strip_suffix(|c: char| stem.chars().rev().nth(1) == Some(c));
    [known(stem), known(&format!("{stem}e")), single.and_then(known)].into_iter().flatten().next()
}

/// The plain form of a verb in the third person, if we know it.
pub(super) fn third_person(word: &str) -> Option<&'static str> {
    let stem = word.strip_suffix('s').filter(|stem| stem.len() > 2)?;
    let whole = stem.strip_suffix("ie").map(|s| format!("{s}y"));
    let short = stem.strip_suffix('e').and_then(known);
    known(stem).or(short).or_else(|| known(&whole?))
}

fn known(word: &str) -> Option<&'static str> {
    plain(word).filter(|key| is_verb(key))
}
