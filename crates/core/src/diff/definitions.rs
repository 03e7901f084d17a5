//! Definitions that came, went or changed, and whether callers break on it.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::Snapshot;
use crate::drift::{Shift, ShiftKind, shifts, told};
use crate::pin::{Pin, Pinned, PinnedKind};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DefinitionChange {
    pub of: PinnedKind,
    pub name: String,
    pub kind: DefinitionKind,
    /// Whether a caller that was right before can be wrong now.
    pub breaking: bool,
    /// Whether it can change what a model does.
    pub grave: bool,
    pub says: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DefinitionKind {
    Added,
    Removed,
    Changed,
}

pub(super) fn changes(before: &Snapshot, after: &Snapshot) -> Option<Vec<DefinitionChange>> {
    let (old, new) = (before.pin.as_ref()?, after.pin.as_ref()?);
    let keys = |pin: &Pin| -> BTreeSet<(PinnedKind, String)> {
        pin.definitions.iter().map(|d| (d.kind, d.name.clone())).collect()
    };
    let all: BTreeSet<_> = keys(old).into_iter().chain(keys(new)).collect();
    let changes = all.iter().filter_map(|(kind, name)| {
        match (old.find(*kind, name), new.find(*kind, name)) {
            (Some(a), Some(b)) => changed(a, b),
            (Some(a), None) => Some(whole(a, DefinitionKind::Removed)),
            (None, Some(b)) => Some(whole(b, DefinitionKind::Added)),
            (None, None) => None,
        }
    });
    Some(changes.collect())
}

fn whole(pinned: &Pinned, kind: DefinitionKind) -> DefinitionChange {
    let removed = kind == DefinitionKind::Removed;
    DefinitionChange {
        of: pinned.kind,
        name: pinned.name.clone(),
        kind,
        breaking: removed && pinned.kind != PinnedKind::Instructions,
        grave: true,
        says: if removed { "is gone".to_owned() } else { "is new".to_owned() },
    }
}

fn changed(before: &Pinned, after: &Pinned) -> Option<DefinitionChange> {
    if before.hash == after.hash {
        return None;
    }
    let shifts = shifts(&before.definition, &after.definition);
    (!shifts.is_empty()).then(|| DefinitionChange {
        of: after.kind,
        name: after.name.clone(),
        kind: DefinitionKind::Changed,
        breaking: shifts.iter().any(is_breaking),
        grave: shifts.iter().any(Shift::is_grave),
        says: told(&shifts),
    })
}

/// More is asked of callers than before: a parameter became required, went, or has another type.
fn is_breaking(shift: &Shift) -> bool {
    let input = ["/inputSchema/", "/arguments/"].iter().any(|p| shift.pointer.starts_with(p));
    let asks = shift.pointer.contains("/required") && shift.is_new();
    let typed = shift.pointer.ends_with("/type") && !shift.is_new();
    input && shift.kind == ShiftKind::Shape && (asks || typed)
}
