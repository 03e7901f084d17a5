//! Two runs held against each other: what is new, fixed, gone, slower, and whether that is worse.
//! What one of them could not see is never a change.

mod definitions;
mod latency;
mod moved;
mod snapshot;

pub use definitions::{DefinitionChange, DefinitionKind};
pub use latency::LatencyChange;
pub use moved::{Moved, Moves};
pub use snapshot::{Look, Named, Snapshot, SnapshotError, Started};

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::render::text::{count, points};
use crate::report::ToolVerdict;

/// Format and version of the JSON of a comparison.
pub const SCHEMA: &str = "proofmark.diff/1.0";

/// Points that a score may fall without meaning: latency and the like weigh a little.
const NOISE: f64 = 1.0;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Diff {
    pub schema: &'static str,
    pub before: Side,
    pub after: Side,
    pub verdict: Change,
    /// Why it is worse.
    pub because: Vec<String>,
    /// What differs between the runs themselves, and what could not be compared for it.
    pub caveats: Vec<String>,
    /// `None` when the runs can't be compared by score.
    pub score: Option<Delta>,
    pub scores: BTreeMap<String, Delta>,
    pub areas: Vec<AreaDelta>,
    #[serde(flatten)]
    pub moves: Moves,
    pub tools: Vec<ToolChange>,
    /// `None` when one side holds no definitions.
    pub definitions: Option<Vec<DefinitionChange>>,
    pub latency: Vec<LatencyChange>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Side {
    pub server: Option<String>,
    pub version: Option<String>,
    pub score: Option<f64>,
    pub level: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    Better,
    Same,
    Worse,
    /// The runs looked at different things.
    Incomparable,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Delta {
    pub before: f64,
    pub after: f64,
    pub change: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AreaDelta {
    pub id: String,
    pub title: String,
    #[serde(flatten)]
    pub delta: Delta,
}

/// A tool that came, went, or does another thing than before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ToolChange {
    pub tool: String,
    pub before: Option<ToolVerdict>,
    pub after: Option<ToolVerdict>,
}

/// How far two runs can be compared.
#[derive(Debug, Clone, Copy)]
struct Grounds {
    /// Equally deep, with the same rights.
    look: bool,
    revision: bool,
    /// By one rubric, over the same selection.
    score: bool,
}

impl Diff {
    pub fn between(before: &Snapshot, after: &Snapshot) -> Diff {
        let (grounds, mut caveats) = grounds(before, after);
        let moves = Moves::between(before, after, grounds);
        let definitions = definitions::changes(before, after);
        if definitions.is_none() {
            caveats.push(
                "definitions were not compared: a report holds none; compare evidence files"
                    .to_owned(),
            );
        }
        let score = match (grounds.score, before.score, after.score) {
            (true, Some(a), Some(b)) => Some(Delta::of(a, b)),
            (true | false, _, _) => None,
        };
        let mut diff = Diff {
            schema: SCHEMA,
            before: Side::of(before),
            after: Side::of(after),
            verdict: Change::Same,
            because: Vec::new(),
            caveats,
            score,
            scores: scores(before, after, grounds),
            areas: areas(before, after, grounds),
            moves,
            tools: tools(before, after),
            definitions,
            latency: latency::changes(before, after),
        };
        diff.because = diff.reasons(before, after);
        diff.verdict = diff.judged(before, grounds);
        diff
    }

    fn judged(&self, before: &Snapshot, grounds: Grounds) -> Change {
        let better = !self.moves.fixed.is_empty() || self.score.is_some_and(|d| d.change > NOISE);
        match (before.startup, grounds.look) {
            (Started::Down, _) | (Started::Up | Started::NotTried, false) => Change::Incomparable,
            (Started::Up | Started::NotTried, true) if !self.because.is_empty() => Change::Worse,
            (Started::Up | Started::NotTried, true) if better => Change::Better,
            (Started::Up | Started::NotTried, true) => Change::Same,
        }
    }

    fn reasons(&self, before: &Snapshot, after: &Snapshot) -> Vec<String> {
        if after.startup == Started::Down && before.startup != Started::Down {
            return vec!["the server no longer comes up".to_owned()];
        }
        let mut reasons = Vec::new();
        if !self.moves.new.is_empty() {
            reasons.push(count(self.moves.new.len(), "new failure"));
        }
        if let Some(d) = self.score.filter(|d| d.change < -NOISE) {
            reasons.push(format!(
                "the score fell from {} to {}",
                points(d.before),
                points(d.after)
            ));
        }
        if let (None, Some(why), Some(_)) = (&before.held_back, &after.held_back, self.score) {
            reasons.push(format!("the top level is now withheld: {why}"));
        }
        let broken = self.tools.iter().filter(|t| t.is_worse()).count();
        if broken > 0 {
            reasons.push(format!("{} gone or no longer working", count(broken, "tool")));
        }
        let breaking = self.definitions.iter().flatten();
        let breaking = breaking.filter(|d| d.breaking && d.kind == DefinitionKind::Changed).count();
        if breaking > 0 {
            reasons.push(format!("callers break on {}", count(breaking, "changed definition")));
        }
        reasons
    }
}

impl Side {
    fn of(run: &Snapshot) -> Side {
        Side {
            server: run.server.name.clone(),
            version: run.server.version.clone(),
            score: run.score,
            level: run.level.clone(),
        }
    }
}

impl Delta {
    fn of(before: f64, after: f64) -> Delta {
        let change = ((after - before) * 100.0).round() / 100.0;
        // Never the negative zero that a difference of equals can leave.
        Delta { before, after, change: change + 0.0 }
    }
}

impl ToolChange {
    /// Gone, or worse at what it does. What was never called may have been broken all along.
    pub fn is_worse(&self) -> bool {
        match (self.before, self.after) {
            (Some(_), None) => true,
            (Some(a), Some(b)) => {
                a != ToolVerdict::Unexercised && b != ToolVerdict::Unexercised && b > a
            }
            (None, _) => false,
        }
    }
}

/// Differences between the runs, told one by one.
fn grounds(before: &Snapshot, after: &Snapshot) -> (Grounds, Vec<String>) {
    let (a, b) = (&before.conditions, &after.conditions);
    let mut caveats = Vec::new();
    let mut same = |what: &str, a: String, b: String, so: &str| {
        let equal = a == b;
        if !equal {
            caveats.push(format!("{what}: {a} before, {b} after; {so}"));
        }
        equal
    };
    let deep = "one run looked harder than the other, so nothing is called a change";
    let mut look = same("profile", a.profile.as_str().into(), b.profile.as_str().into(), deep);
    look &= same("rights", rights(a).into(), rights(b).into(), deep);
    look &= same("transport", a.transport.clone(), b.transport.clone(), deep);
    let told = |r: &Option<String>| r.clone().unwrap_or_else(|| "none".to_owned());
    let so = "what the protocol asks for is not compared, nor is the score";
    let revision = same("revision", told(&a.revision), told(&b.revision), so);
    let so = "only what both looked at is compared, and no score";
    let scope = same("selection", selection(a), selection(b), so);
    let so = "scores are not compared";
    let name = |s: &Snapshot| format!("{} {}", s.rubric.id, s.rubric.version);
    let rubric = same("rubric", name(before), name(after), so);
    let so = "a newer version may know checks that the older did not";
    same("proofmark", before.proofmark.clone(), after.proofmark.clone(), so);
    let so = "are these two versions of one server?";
    same("server", told(&before.server.name), told(&after.server.name), so);
    for (run, which) in [(before, "earlier"), (after, "later")] {
        if run.startup == Started::Down {
            caveats.push(format!("the server did not come up in the {which} run"));
        }
        if let Some(n) = run.reuse.as_ref().map(|r| r.reused).filter(|n| *n > 0) {
            let answers = count(n, "answer");
            caveats.push(format!(
                "the {which} run took over {answers} of one before it; a change behind them would not show"
            ));
        }
    }
    (Grounds { look, revision, score: look && revision && scope && rubric }, caveats)
}

fn rights(look: &Look) -> &'static str {
    match (look.passive, look.disposable) {
        (true, _) => "passive",
        (false, true) => "everything",
        (false, false) => "what was allowed",
    }
}

fn selection(look: &Look) -> String {
    let scope = &look.scope;
    let parts = [
        ("tool", &scope.tools),
        ("skip-tool", &scope.skip_tools),
        ("only", &scope.only),
        ("skip", &scope.skip),
    ];
    let told = parts.into_iter().filter(|(_, list)| !list.is_empty());
    let told: Vec<String> =
        told.map(|(flag, list)| format!("{flag} {}", list.join(", "))).collect();
    if told.is_empty() { "everything".to_owned() } else { told.join(" · ") }
}

fn scores(before: &Snapshot, after: &Snapshot, grounds: Grounds) -> BTreeMap<String, Delta> {
    let both = before.scores.iter().filter(|_| grounds.score);
    both.filter_map(|(id, a)| {
        let b = after.scores.get(id)?;
        Some((id.clone(), Delta::of(a.score?, b.score?)))
    })
    .collect()
}

fn areas(before: &Snapshot, after: &Snapshot, grounds: Grounds) -> Vec<AreaDelta> {
    let both = before.areas.iter().filter(|_| grounds.score);
    both.filter_map(|a| {
        let b = after.areas.iter().find(|b| b.id == a.id)?;
        let delta = Delta::of(a.score?, b.score?);
        Some(AreaDelta { id: a.id.clone(), title: a.title.clone(), delta })
    })
    .collect()
}

fn tools(before: &Snapshot, after: &Snapshot) -> Vec<ToolChange> {
    let verdicts = |run: &Snapshot| -> BTreeMap<String, ToolVerdict> {
        run.tools.iter().map(|t| (t.name.clone(), t.verdict)).collect()
    };
    // A server that stayed away lists nothing, which is told once and not by tool.
    if before.startup == Started::Down || after.startup == Started::Down {
        return Vec::new();
    }
    let (old, new) = (verdicts(before), verdicts(after));
    let names: std::collections::BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let change = |tool: &String| ToolChange {
        tool: tool.clone(),
        before: old.get(tool).copied(),
        after: new.get(tool).copied(),
    };
    let within =
        |tool: &&String| [before, after].iter().all(|run| run.conditions.scope.includes_tool(tool));
    names.into_iter().filter(within).map(change).filter(|c| c.before != c.after).collect()
}

#[cfg(test)]
mod tests;
