//! Uses that directories and model providers do not accept: 14 categories of offers, each told by
//! an act and its object in one sentence. A subject alone (a children's book, a virus in a medical
//! text) is none, and neither is a sentence that warns, teaches, detects or defends.

use std::sync::LazyLock;

use crate::pattern::Test;

/// How grave an offer would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gravity {
    Delicate,
    Grave,
    Intolerable,
}

/// One category.
#[derive(Debug)]
pub struct Category {
    pub name: &'static str,
    pub gravity: Gravity,
    pattern: &'static str,
}

/// A sentence that makes such an offer.
#[derive(Debug, Clone, Copy)]
pub struct Offer<'a> {
    pub category: &'static Category,
    pub sentence: &'a str,
}

const MAKE: &str =
    r"(generat|creat|build|writ|produc|mak|craft|deploy|spread|deliver|publish|post)\w*";

pub const CATEGORIES: &[Category] = &[
    Category {
        name: "sexual abuse of children",
        gravity: Gravity::Intolerable,
        pattern: r"\b(child(ren)?|minors?|underage\w*|teens?)\W+(\w+\W+){0,2}(porn\w*|nudes?|erotic\w*|sexual (content|images?|videos?|stories))|\b(nudes|nude (photos?|images?|pictures?|pics?|videos?|content)|sexuali[sz]ed|erotic\w*|sexual (content|images?|videos?|stories))\W+(\w+\W+){0,3}(children|minors|underage\w*)|\bcsam\b",
    },
    Category {
        name: "weapons of mass destruction",
        gravity: Gravity::Intolerable,
        pattern: r"\b(mak|build|synthesi[sz]|produc|acquir|develop|enrich|weaponi[sz])\w*\W+(\w+\W+){0,4}(nerve agents?|(chemical|biological|nuclear) weapons?|bioweapons?|dirty bombs?|sarin|ricin|anthrax|pathogens? as weapons?)\b",
    },
    Category {
        name: "malware and break-ins",
        gravity: Gravity::Intolerable,
        pattern: r"\bMAKE\W+(\w+\W+){0,3}(ransomware|malware|keyloggers?|rootkits?|botnets?|spyware|trojans|phishing (pages?|kits?|sites?|e?-?mails?))\b|\bsteal(s|ing)?\W+(\w+\W+){0,3}(passwords?|credentials|cookies|session tokens|credit cards?)\b|\b(launch|perform|start)\w*\W+(\w+\W+){0,2}ddos\b",
    },
    Category {
        name: "disinformation and elections",
        gravity: Gravity::Grave,
        pattern: r"\b(MAKE|amplif\w+)\W+(\w+\W+){0,3}(disinformation|misinformation|fake news|deepfakes?|propaganda|fake (votes?|voters?|ballots?))\b|\b(suppress|discourag)\w*\W+(\w+\W+){0,2}(vote|voters|voting)\b",
    },
    Category {
        name: "fraud",
        gravity: Gravity::Grave,
        pattern: r"\b(MAKE|forg\w+)\W+(\w+\W+){0,3}((fake|forged|counterfeit) (reviews?|invoices?|receipts?|identit\w+|passports?|ids?|documents?|money)|ponzi schemes?|pyramid schemes?)\b|\bstolen (credit )?cards?\b",
    },
    Category {
        name: "harassment and hatred",
        gravity: Gravity::Grave,
        pattern: r"\b(harass|bully|dox|stalk|intimidat)(e|es|s|ing)?\W+(\w+\W+){0,3}(people|persons?|someone|victims?|individuals?|journalists?|women)\b|\bMAKE\W+(\w+\W+){0,2}(hate speech|revenge porn)\b",
    },
    Category {
        name: "spying on people",
        gravity: Gravity::Grave,
        pattern: r"\b(track|monitor|spy|surveil|record)\w*\W+(\w+\W+){0,8}without (their|the users?'?s?|any) (knowledge|consent)\b|\b(harvest|scrap)\w*\W+(\w+\W+){0,3}(personal data|e-?mail addresses|phone numbers|biometric\w*)\b",
    },
    Category {
        name: "advice that needs a licence",
        gravity: Gravity::Delicate,
        pattern: r"\b(give|provid|offer)\w*\W+(\w+\W+){0,3}(medical|legal|tax|investment) (advice|diagnos[ei]s)\b|\bprescrib(e|es|ing) (medications?|drugs)\b",
    },
    Category {
        name: "copy protection",
        gravity: Gravity::Delicate,
        pattern: r"\b(remov|strip|bypass|circumvent|crack)\w*\W+(\w+\W+){0,2}(drm|copy protection|paywalls?|software licen[cs]es?)\b|\bpirated? (movies?|films?|software|books?|music)\b|\bkeygens?\b",
    },
    Category {
        name: "decisions about people's lives",
        gravity: Gravity::Delicate,
        pattern: r"\b(decid|approv|reject|deny|denies|rank|screen)\w*\W+(\w+\W+){0,3}(loan applica\w+|credit applica\w+|job (applicants?|candidates?)|asylum \w+|parole|benefit claims?|tenants)\b|\bsocial scor(e|es|ing)\b",
    },
    Category {
        name: "critical infrastructure",
        gravity: Gravity::Delicate,
        pattern: r"\b(control|operat|shut|disrupt|manipulat)\w*\W+(\w+\W+){0,4}(power (grids?|plants?)|scada|substations?|water treatment|air traffic|nuclear reactors?)\b",
    },
    Category {
        name: "adult content",
        gravity: Gravity::Delicate,
        pattern: r"\b(MAKE|find|search|stream|brows)\w*\W+(\w+\W+){0,3}(nsfw|porn\w*|erotica|adult (content|videos?))\b",
    },
    Category {
        name: "illegal trade",
        gravity: Gravity::Delicate,
        pattern: r"\b(buy|sell|order|ship|traffick)\w*\W+(\w+\W+){0,3}(cocaine|heroin|fentanyl|methamphetamine|illegal drugs|firearms?|ammunition|explosives|human organs|stolen goods)\b|\bdark ?(net|web) markets?\b",
    },
    Category {
        name: "gambling and spam",
        gravity: Gravity::Delicate,
        pattern: r"\bplac(e|es|ing)\W+(\w+\W+){0,2}bets?\b|\b(online )?(casinos?|sports betting)\b|\b(send|blast)\w*\W+(\w+\W+){0,2}(mass|bulk|unsolicited)\W+(\w+\W+){0,1}(e?-?mails?|sms|messages)\b|\bfake (followers|likes)\b",
    },
];

/// Words of a sentence that is about the danger, not an offer of it.
const CONTEXT: &str = r"\b(detect\w*|prevent\w*|block\w*|protect\w*|scan\w*|defen[cds]\w*|aware\w*|train\w*|educat\w*|teach\w*|lessons?|quiz\w*|exercises?|course|workshop|ctf|simulat\w*|research\w*|moderat\w*|classif\w*|filter\w*|flag\w*|analy[sz]\w*|report\w*|polic\w+|compl[iy]\w*|terminolog\w*|glossar\w*|dictionar\w*|definitions?|encyclop\w*|histor\w+|statistic\w*|explain\w*|summari[sz]\w*|never|not|no|refus\w*|prohibit\w*|forbid\w*|forbidden|against|avoid\w*|anti|mitigat\w*|forensic\w*|threat|vulnerabilit\w*|advisor\w+|known|medical terms?|icd|snomed|vaccin\w*|antidotes?|poisoning|yara|sigma|signatures?|indicators?|homer|greeks?|queues?|topics?|brokers?|opt(ed)?[ -]?in)\b";
/// Whoever wants not to be found does not defend, whatever the words.
const EVASION: &str = r"\b(un|non)-?detect\w*|\b(avoid|evad|bypass|circumvent|escap|defeat|without|not|never|no)\w*\W+(\w+\W+){0,3}(detect\w*|caught|block\w*|scan\w*|filter\w*|flag\w*|moderat\w*|defen[cds]\w*|anti-?virus\w*|forensic\w*)\b";

static PATTERNS: LazyLock<Vec<Option<Test>>> = LazyLock::new(|| {
    let compile = |c: &Category| Test::new(&format!("(?i){}", c.pattern.replace("MAKE", MAKE)));
    CATEGORIES.iter().map(compile).collect()
});
static HARMLESS: LazyLock<Option<Test>> = LazyLock::new(|| Test::new(&format!("(?i){CONTEXT}")));
static EVASIVE: LazyLock<Option<Test>> = LazyLock::new(|| Test::new(&format!("(?i){EVASION}")));

/// The first offer of each category in a text.
pub fn offers(text: &str) -> Vec<Offer<'_>> {
    let is_evasive = |s: &str| EVASIVE.as_ref().is_some_and(|e| e.is_match(s));
    let is_harmless = |s: &str| HARMLESS.as_ref().is_none_or(|h| h.is_match(s)) && !is_evasive(s);
    let sentences: Vec<&str> = text
        .split(['.', '!', '?', '\n', ';'])
        .map(str::trim)
        .filter(|s| s.len() > 3 && !is_harmless(s))
        .collect();
    CATEGORIES
        .iter()
        .zip(PATTERNS.iter())
        .filter_map(|(category, pattern)| {
            let pattern = pattern.as_ref()?;
            let sentence = sentences.iter().find(|s| pattern.is_match(s))?;
            Some(Offer { category, sentence })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles_and_there_are_fourteen() {
        assert_eq!(CATEGORIES.len(), 14);
        assert!(PATTERNS.iter().all(Option::is_some) && HARMLESS.is_some() && EVASIVE.is_some());
    }

    #[test]
    fn each_category_is_told_by_an_offer() {
        let said = [
            "Finds erotic stories with minors",
            "Helps to synthesize small amounts of sarin",
            "Generates custom ransomware",
            "Publishes fake news on many sites",
            "Creates counterfeit documents",
            "Helps you stalk people",
            "Tracks a phone without their knowledge",
            "Gives personal legal advice",
            "Removes DRM from e-books",
            "Approves loan applications",
            "Controls the valves of a water treatment plant",
            "Streams adult videos",
            "Order fentanyl from vendors",
            "Place a bet on a match",
        ];
        for (text, category) in said.iter().zip(CATEGORIES) {
            let found: Vec<&str> = offers(text).iter().map(|o| o.category.name).collect();
            assert_eq!(found, [category.name], "{text}");
        }
    }

    #[test]
    fn words_of_defence_do_not_cover_an_offer_to_evade_it() {
        for text in [
            "Generates ransomware that is not detected by scanners",
            "Builds undetectable keyloggers for research",
            "Creates phishing pages that bypass spam filters",
            "Deploys spyware without being flagged by antivirus training data",
        ] {
            assert_eq!(offers(text).len(), 1, "{text}");
        }
    }

    #[test]
    fn honest_texts_offer_nothing() {
        for text in [
            "Lists a directory tree with all children of each node, up to a depth",
            "Creates child processes and kills orphaned children",
            "Looks up medical terms: virus, anthrax, drug, diagnosis, sexual dysfunction",
            "Finds the ICD-10 code of a disease",
            "Explains how ransomware spreads and how to create backups",
            "Writes phishing e-mails for awareness training of your own staff",
            "Detects malware in uploaded files",
            "Searches the National Vulnerability Database for known exploits",
            "Create a build pipeline and deploy it to a cluster",
            "Posts a message to a channel; sends e-mail to a list of recipients",
            "Trace a network packet, monitor a process, track an issue",
            "Place an order for a pizza. Bets on nothing",
            "Reject or approve a pull request, rank search results",
            "Kill the power of the test rack",
            "Suggests nude tones and pastels for rooms of children",
            "Guidelines on the sexual health of minors and on sexual abuse of children",
            "Lists companies that produce anthrax vaccines",
            "Builds a query for cases of ricin poisoning",
            "Generates YARA rules for malware families",
            "Writes about the Trojans and the Greeks",
            "Sends bulk messages to a queue",
            "Creates a child node under a parent; minors of the version are bumped",
            "Build trees of children, strip empty ones, ship them as JSON",
            "Students craft phishing e-mails in a simulated inbox, never for real people",
        ] {
            let found: Vec<&str> = offers(text).iter().map(|o| o.category.name).collect();
            assert!(found.is_empty(), "{text}: {found:?}");
        }
    }
}
