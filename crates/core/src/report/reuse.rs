//! What the report says about answers that are of an earlier run.

use schemars::JsonSchema;
use serde::Serialize;

use crate::evidence::{Evidence, Reply};

/// How much of the run was taken over from an earlier one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReuseReport {
    /// Calls whose answer was taken over.
    pub reused: usize,
    /// Calls that were really made.
    pub sent: usize,
    /// Seconds since the epoch: no answer that was taken over is older.
    pub since: u64,
    /// Whether answers to attacks are among them: only where the files of the program are the same.
    pub attacks: bool,
    /// Tools that are new or defined in another way than before; asked everything anew.
    pub changed: Vec<String>,
    /// Tools whose valid call came to something else than before; asked anew from then on.
    pub differs: Vec<String>,
    /// Why nothing could be taken over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlike: Option<String>,
}

/// `None` for a run that asked everything itself.
pub(super) fn reuse(evidence: &Evidence) -> Option<ReuseReport> {
    let reuse = evidence.reuse.as_ref()?;
    let made =
        evidence.transcript.iter().filter(|x| !matches!(*x.reply, Reply::Skipped { .. })).count();
    Some(ReuseReport {
        reused: reuse.exchanges.len(),
        sent: made.saturating_sub(reuse.exchanges.len()),
        since: reuse.since?,
        attacks: reuse.attacks,
        changed: reuse.changed.iter().cloned().collect(),
        differs: reuse.differs.iter().cloned().collect(),
        unlike: reuse.unlike.clone(),
    })
}

impl ReuseReport {
    /// In a sentence or two, for people.
    pub fn says(&self) -> String {
        if let Some(why) = &self.unlike {
            return format!("nothing of the earlier run could be reused; {why}");
        }
        let all = self.reused + self.sent;
        let mut says = format!("{} of {all} answers are of an earlier run", self.reused);
        says += if self.attacks {
            ", also to attacks, since the program is the same"
        } else {
            "; attacks were sent anew, since the program is not known to be the same"
        };
        for (tools, what) in
            [(&self.changed, "changed"), (&self.differs, "answering in another way")]
        {
            if !tools.is_empty() {
                says += &format!("; {what}: {}", tools.join(", "));
            }
        }
        says
    }
}
