//! The exchanges of a run, in plan order, and where those of each probe are: planners and checks ask
//! for them thousands of times.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::slice;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Exchange;

/// A list that grows at its end. What happened in an exchange may be filled in later; which probe it
/// belongs to stays.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Transcript {
    exchanges: Vec<Exchange>,
    by_probe: Places,
}

/// Where the exchanges of each probe are.
type Places = BTreeMap<String, Vec<usize>>;

fn note(places: &mut Places, exchange: &Exchange, at: usize) {
    match places.get_mut(&exchange.probe) {
        Some(known) => known.push(at),
        None => drop(places.insert(exchange.probe.clone(), vec![at])),
    }
}

impl Transcript {
    pub fn push(&mut self, exchange: Exchange) {
        note(&mut self.by_probe, &exchange, self.exchanges.len());
        self.exchanges.push(exchange);
    }

    pub(super) fn of(&self, probe: &str) -> impl Iterator<Item = &Exchange> + use<'_> {
        let places = self.by_probe.get(probe).map(Vec::as_slice).unwrap_or_default();
        places.iter().filter_map(|at| self.exchanges.get(*at))
    }
}

impl From<Vec<Exchange>> for Transcript {
    fn from(exchanges: Vec<Exchange>) -> Transcript {
        let mut places = Places::new();
        exchanges.iter().enumerate().for_each(|(at, x)| note(&mut places, x, at));
        Transcript { exchanges, by_probe: places }
    }
}

impl Deref for Transcript {
    type Target = [Exchange];

    fn deref(&self) -> &[Exchange] {
        &self.exchanges
    }
}

impl DerefMut for Transcript {
    fn deref_mut(&mut self) -> &mut [Exchange] {
        &mut self.exchanges
    }
}

impl<'a> IntoIterator for &'a Transcript {
    type Item = &'a Exchange;
    type IntoIter = slice::Iter<'a, Exchange>;

    fn into_iter(self) -> Self::IntoIter {
        self.exchanges.iter()
    }
}

impl<'a> IntoIterator for &'a mut Transcript {
    type Item = &'a mut Exchange;
    type IntoIter = slice::IterMut<'a, Exchange>;

    fn into_iter(self) -> Self::IntoIter {
        self.exchanges.iter_mut()
    }
}

impl Serialize for Transcript {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.exchanges.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Transcript {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Transcript, D::Error> {
        Vec::<Exchange>::deserialize(deserializer).map(Transcript::from)
    }
}
