//! The values of one attack, drawn afresh for each: nothing that another call has sent or seen.

use serde_json::{Map, Value};

use super::{Offer, offer, openness, path, xml};
use crate::arguments::{Place, described, enumerated, listed_values};
use crate::evidence::{CanaryPlace, Evidence, Tool};
use crate::probes::benign;
use crate::proof::{Oracle, payload};
use crate::seed::Seed;

/// In the order in which they are replaced: the ordinary text comes last, it may hold anything.
const MARKS: [&str; 36] = [
    "«O»", "«o»", "«s»", "«G»", "«f»", "«P»", "«p»", "«i»", "«r»", "«E»", "«H»", "«D»", "«d»",
    "«L»", "«R»", "«M»", "«A»", "«B»", "«a»", "«b»", "«W»", "«F»", "«N»", "«U»", "«n»", "«K»",
    "«Q»", "«X»", "«Y»", "«C»", "«c»", "«J»", "«j»", "«T»", "«I»", "«V»",
];

#[derive(Debug)]
pub struct Nonce<'a> {
    pub evidence: &'a Evidence,
    pub place: &'a Place,
    tool: &'a Tool,
    seed: Seed,
    /// Two factors, and the words around their product.
    pub a: u64,
    pub b: u64,
    pub left: String,
    pub right: String,
}

/// A page of ours is visited by the name that is in the payload, where the server can reach one.
pub(super) fn visited(n: &Nonce<'_>) -> Option<Oracle> {
    n.evidence.conditions.content.as_ref()?;
    Some(Oracle::Callback { token: n.token() })
}

impl<'a> Nonce<'a> {
    pub fn new(
        evidence: &'a Evidence,
        tool: &'a Tool,
        place: &'a Place,
        probe: &str,
        name: &str,
        seed: Seed,
    ) -> Nonce<'a> {
        let seed =
            seed.part(&format!("{probe} {} {:?} {}", tool.name, place.slot, place.location()));
        let seed = seed.part(name);
        // Below a thousand: some engines write larger products with separators.
        let (a, b) = (seed.between("a", 13, 31), seed.between("b", 13, 31));
        let (left, right) = (letters(seed, "left"), letters(seed, "right"));
        Nonce { evidence, place, tool, seed, a, b, left, right }
    }

    /// The ordinary text of the place.
    pub fn text(&self) -> &str {
        &self.place.text
    }

    /// A text with its marks replaced. `«V»` the ordinary text of the place, `«X»` the same letters in
    /// another order, `«W»` a word that nobody
    /// knows, `«L»` `«M»` `«R»` a word, a product as it is asked for, a word; `«A»` `«B»` two words
    /// and `«a»` `«b»` two numbers, the smaller first; `«F»` a folder, `«N»` a planted variable,
    /// `«U»` an address of ours, `«n»` the ordinary text if it is a number, `«E»` its ending if it
    /// names a file, `«H»` its host if it is an address; `«O»` `«P»` `«i»` the paths of files outside, beside and in the workspace, `«o»` `«p»` the
    /// same from the folder above it, `«s»` without its ending; `«r»` a file in a folder beside one of the server's own, from there; `«G»` `«f»` a folder outside, and from
    /// the folder above the workspace; `«K»` its first name if it is an object
    /// in JSON, `«Y»` if it is YAML, `«Q»` what a placeholder in braces names; `«C»` `«c»` the last two of the names to choose from; `«J»` the ordinary text with letters written as JSON writes any, `«j»` the same with another letter instead of the last; `«T»` the ordinary text up to its last slash; `«I»` an example of the place up to the last name of a query whose value is a path or an address; `«D»` a document with an entity `e` and `«d»` its root. `None` where there is no such thing.
    pub fn fill(&self, text: &str) -> Option<String> {
        let mut filled = text.to_owned();
        for mark in MARKS.iter().filter(|mark| text.contains(**mark)) {
            filled = filled.replace(mark, &self.value(mark)?);
        }
        Some(filled)
    }

    /// What a mark stands for. Only what a text holds is worked out.
    fn value(&self, mark: &str) -> Option<String> {
        let planted = |id: &str| self.planted(id).map(str::to_owned);
        let beside = |id: &str| planted(id).map(|path| self.relative(&path));
        let words = || sorted(self.word("operand"), self.word("other operand"));
        match mark {
            "«O»" => planted("outside-file"),
            "«o»" => beside("outside-file"),
            "«s»" => planted("outside-file").map(|path| self.relative(without_ending(&path))),
            "«G»" => planted("outside-name"),
            "«f»" => beside("outside-name"),
            "«P»" => planted("beside-file"),
            "«p»" => beside("beside-file"),
            "«i»" => planted("inside-file"),
            "«r»" => self.neighbour().map(|(_, path)| path),
            "«E»" => Some(self.ending()),
            "«H»" => Some(self.host()),
            "«D»" => Some(xml::document(self.tool, self.place).0),
            "«d»" => Some(xml::document(self.tool, self.place).1),
            "«L»" => Some(self.left.clone()),
            "«R»" => Some(self.right.clone()),
            "«M»" => Some(format!("{}*{}", self.a, self.b)),
            "«A»" => Some(words().0),
            "«B»" => Some(words().1),
            "«a»" => Some(self.number("less", 1_000, 4_999).to_string()),
            "«b»" => Some(self.number("more", 5_000, 9_999).to_string()),
            "«W»" => Some(self.word("unknown")),
            "«F»" => Some(self.folder().to_owned()),
            "«N»" => self.variable().map(|(name, _)| name.to_owned()),
            "«U»" => self.page().map(|(url, _)| url),
            "«n»" => self.text().parse::<u64>().ok().map(|n| n.to_string()),
            "«K»" => self.key(),
            "«Q»" => self.placeholder(),
            "«X»" => self.shuffled(),
            "«Y»" => Some(self.first_key()),
            "«C»" => self.columns().map(|(one, _)| one),
            "«c»" => self.columns().map(|(_, other)| other),
            "«J»" => self.escaped(true),
            "«j»" => self.escaped(false),
            "«T»" => self.text().rfind('/').map(|at| self.text()[..=at].to_owned()),
            "«I»" => self.leading(),
            "«V»" => Some(self.text().to_owned()),
            _ => None,
        }
    }

    /// The last two of the names that the description lists: those of columns, where it sorts.
    fn columns(&self) -> Option<(String, String)> {
        let about = described(self.tool, &self.place.pointer);
        let named = Some(listed_values(&about)).filter(|names| names.len() > 1);
        let named = named.unwrap_or_else(|| enumerated(&about));
        let is_name = |n: &&String| n.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let mut last = named.iter().rev().filter(is_name).cloned();
        Some((last.next()?, last.next()?))
    }

    /// What the tool openly does with a text in this place.
    pub fn offer(&self) -> Offer {
        offer::of_parameter(self.tool, &self.place.pointer)
    }

    /// What only multiplying and joining yields: an echo does not multiply, a calculator does not
    /// join, and leaving characters out does neither.
    pub fn joined(&self) -> String {
        format!("{}{}{}", self.left, self.a * self.b, self.right)
    }

    pub fn computed(&self) -> Oracle {
        Oracle::Computed { expected: self.joined() }
    }

    /// A name that nothing else has.
    pub fn token(&self) -> String {
        format!("{}{}", self.left, self.right)
    }

    /// A word that nobody knows.
    pub fn word(&self, label: &str) -> String {
        letters(self.seed, label)
    }

    /// The word that was sent to this place before any attack.
    pub fn ordinary_word(&self) -> Option<String> {
        let label = benign::label(self.place);
        let of_tool = self.evidence.of_tool(benign::PROBE.id, &self.tool.name);
        let mut words = of_tool.filter(|x| x.label == label);
        words.next().map(payload)
    }

    pub fn number(&self, label: &str, low: u64, high: u64) -> u64 {
        self.seed.between(label, low, high)
    }

    /// The folder where files may appear.
    pub fn folder(&self) -> &str {
        self.evidence.conditions.workspace.trim_end_matches('/')
    }

    /// Where a file was planted.
    fn planted(&self, id: &str) -> Option<&'a str> {
        let canary = self.evidence.conditions.canaries.iter().find(|c| c.id == id)?;
        match &canary.place {
            CanaryPlace::Inside { path } | CanaryPlace::Outside { path } => Some(path),
            CanaryPlace::Env { .. } => None,
        }
    }

    /// What was planted beside the folder of the server that the tool speaks of: its id, and a file in the
    /// folder there that is called otherwise.
    pub fn neighbour(&self) -> Option<(&'a str, String)> {
        let (canary, _) = path::neighbours(self.evidence)
            .find(|(_, folder)| path::is_spoken_of(self.tool, folder))?;
        let nth = canary.id.strip_prefix(path::NEIGHBOUR)?;
        let file = format!("{}{nth}/{}{}", path::OTHER, path::REFERENCE, self.ending());
        Some((&canary.id, file))
    }

    /// "/go?to=" of "a short link such as /go?to=/feeds/a.xml".
    fn leading(&self) -> Option<String> {
        let about = described(self.tool, &self.place.pointer);
        let of_tool = self.tool.description.as_deref().unwrap_or_default();
        let texts = [self.text(), &about, of_tool];
        texts.into_iter().flat_map(str::split_whitespace).find_map(|word| {
            let word = word.trim_matches(['"', '\'', '`', '(', ')', ',', '.']);
            let (before, value) = word.rsplit_once('=')?;
            let leads = value.starts_with('/') || value.starts_with("http");
            let query = before.contains('?') && before.starts_with(['/', 'h']);
            (leads && query).then(|| format!("{before}="))
        })
    }

    /// A path as seen from the folder above the workspace.
    fn relative(&self, path: &str) -> String {
        let above = self.folder().rsplit_once('/').map_or("", |(above, _)| above);
        path.strip_prefix(above).unwrap_or(path).trim_start_matches('/').to_owned()
    }

    /// How names of files end here, with the dot: as the ordinary text does, or as is said of the
    /// parameter, or in a complaint about a name.
    pub fn ending(&self) -> String {
        let about = openness::of_parameter(self.tool, &self.place.pointer);
        let replies = self.evidence.of_tool(benign::PROBE.id, &self.tool.name);
        let said = replies.map(|x| x.reply.text());
        let texts = [self.text().to_owned(), about].into_iter().chain(said);
        texts.filter_map(|text| openness::ending(&text)).next().unwrap_or_default()
    }

    /// The host that is asked for here: of the ordinary address, or as is said of the parameter, of
    /// the tool or to a word that is no address; else one that does not exist.
    fn host(&self) -> String {
        let about = openness::of_parameter(self.tool, &self.place.pointer);
        let of_tool = self.tool.description.clone().unwrap_or_default();
        let replies = self.evidence.of_tool(benign::PROBE.id, &self.tool.name);
        let said = replies.map(|x| x.reply.text());
        let mut texts = [self.text().to_owned(), about, of_tool].into_iter().chain(said);
        let named = texts.find_map(|text| openness::host(&text));
        named.unwrap_or_else(|| "partner.invalid".to_owned())
    }

    /// A file appears whose name had to be computed.
    pub fn appears(&self) -> Oracle {
        Oracle::Effect { path: format!("{}/{}", self.folder(), self.joined()) }
    }

    /// An address of ours, if the server can reach one, and the token by which a visit is known.
    pub fn page(&self) -> Option<(String, Oracle)> {
        let token = self.token();
        let base = self.evidence.conditions.content.as_deref()?;
        Some((format!("{base}/{token}"), Oracle::Callback { token }))
    }

    /// The letters of the ordinary text in another order, another one in each turn. Not those of an
    /// address: turned about, it could be one of somebody else.
    fn shuffled(&self) -> Option<String> {
        let is_plain = |c: char| c.is_alphanumeric() || "-_ ".contains(c);
        if !self.text().chars().all(is_plain) {
            return None;
        }
        let letters: Vec<char> = self.text().chars().collect();
        let last = u64::try_from(letters.len()).ok()?.checked_sub(1).filter(|last| *last > 0)?;
        let turned = |turn: u64| {
            let mut turned = letters.clone();
            turned.rotate_left(usize::try_from(turn).unwrap_or(1));
            turned.into_iter().collect::<String>()
        };
        let first = self.number("turn", 1, last);
        (0..last).map(|n| turned((first + n - 1) % last + 1)).find(|text| text != self.text())
    }

    /// The ordinary text with some of its letters written by their numbers; if `false`, the digits of the
    /// last one the other way round.
    fn escaped(&self, truth: bool) -> Option<String> {
        // Of these two, turning the digits changes nothing.
        let fit = |c: char| c.is_ascii_lowercase() && c != 'f' && c != 'w';
        // What is built of more than words may be code, which writes letters so as well.
        let is_plain = |c: char| c.is_alphanumeric() || " -_.,@".contains(c);
        let last = self.text().rfind(fit).filter(|_| self.text().chars().all(is_plain))?;
        let mut written = String::new();
        for (at, letter) in self.text().char_indices() {
            let chosen = at == last || self.number(&format!("letter {at}"), 0, 1) == 1;
            let digits = format!("{:02x}", u32::from(letter));
            match (fit(letter) && chosen, at == last && !truth) {
                (false, _) => written.push(letter),
                (true, false) => written += &format!("\\u00{digits}"),
                (true, true) => {
                    written += "\\u00";
                    written.extend(digits.chars().rev());
                }
            }
        }
        Some(written)
    }

    /// Under which name a document says something first, as the ordinary one or the words about the
    /// parameter have it.
    fn first_key(&self) -> String {
        let about = openness::of_parameter(self.tool, &self.place.pointer);
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let named = |text: &str| {
            let (before, _) = text.split_once(": ")?;
            let start = before.rfind(|c: char| !is_name(c)).map_or(0, |at| at + 1);
            let kinds = ["csv", "e", "example", "json", "toml", "yaml"];
            let is_kind = |name: &String| kinds.contains(&name.to_lowercase().as_str());
            Some(before[start..].to_owned()).filter(|name| !name.is_empty() && !is_kind(name))
        };
        let found = [self.text(), &about].into_iter().find_map(named);
        found.unwrap_or_else(|| "sample".to_owned())
    }

    fn key(&self) -> Option<String> {
        let object: Map<String, Value> = serde_json::from_str(self.text()).ok()?;
        object.keys().next().filter(|key| !key.contains(['"', '\\'])).cloned()
    }

    /// As the ordinary text or the words about the parameter have it: `to` of `{to.name}`.
    fn placeholder(&self) -> Option<String> {
        let about = offer::about(self.tool, &self.place.pointer);
        let told = [self.text(), &about, self.tool.description.as_deref().unwrap_or_default()];
        let is_name = |name: &&str| {
            name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        let parts = told.iter().flat_map(|text| text.split('{').skip(1));
        let inner = parts.filter_map(|part| part.split_once('}').map(|(inner, _)| inner));
        let has_parts = |inner: &str| inner.contains(['.', '[']);
        let mut named: Vec<(bool, &str)> = inner
            .filter_map(|i| Some((!has_parts(i), i.split(['.', '[', ':', '!']).next()?)))
            .filter(|(_, name)| is_name(name))
            .collect();
        // What has parts is more than a text.
        named.sort_by_key(|(plain, _)| *plain);
        named.first().map(|(_, name)| (*name).to_owned())
    }

    /// The name of a variable that was planted in the environment, and what its value proves.
    pub fn variable(&self) -> Option<(&'a str, Oracle)> {
        self.evidence.conditions.canaries.iter().find_map(|c| match &c.place {
            CanaryPlace::Env { name } => {
                Some((name.as_str(), Oracle::Planted { canary: c.id.clone() }))
            }
            CanaryPlace::Inside { .. } | CanaryPlace::Outside { .. } => None,
        })
    }
}

/// Where expressions are openly offered, more must be shown: a planted variable that the interpreter
/// behind them gives away.
pub fn escaped(n: &Nonce<'_>) -> Option<Oracle> {
    n.variable().map(|(_, oracle)| oracle).filter(|_| n.offer() == Offer::Expressions)
}

fn without_ending(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

/// Letters alone: digits beside a product would blur where it begins.
fn letters(seed: Seed, label: &str) -> String {
    let word = seed.word(label, 24);
    word.chars().filter(char::is_ascii_lowercase).take(7).collect()
}

fn sorted(a: String, b: String) -> (String, String) {
    if a < b { (a, b) } else { (b, a) }
}
