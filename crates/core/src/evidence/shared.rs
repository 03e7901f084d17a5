//! Replies that are the same, kept and read once. Most of what a server answers it has answered
//! before: of the bytes of a transcript a sixth are news.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Reply, tagged};

/// A reply that other exchanges may have as well.
#[derive(Debug, Clone)]
pub struct Shared(Arc<Reply>);

impl Shared {
    /// What tells a shared reply from others, as long as it is there. Replies that are merely equal
    /// have different ones.
    pub fn key(&self) -> *const Reply {
        Arc::as_ptr(&self.0)
    }
}

impl From<Reply> for Shared {
    fn from(reply: Reply) -> Shared {
        Shared(Arc::new(reply))
    }
}

impl Deref for Shared {
    type Target = Reply;

    fn deref(&self) -> &Reply {
        &self.0
    }
}

impl PartialEq for Shared {
    fn eq(&self, other: &Shared) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl PartialEq<Reply> for Shared {
    fn eq(&self, other: &Reply) -> bool {
        *self.0 == *other
    }
}

impl Serialize for Shared {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Shared {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Shared, D::Error> {
        tagged::reply(from).map(Shared::from)
    }
}

/// What is made of replies, once for each that is shared and each thing it is made for.
#[derive(Debug)]
pub struct EachReply<K, T, F> {
    make: F,
    made: RefCell<BTreeMap<(K, *const Reply), T>>,
}

impl<'a, K: Copy + Ord, T: Clone, F: Fn(K, &'a Reply) -> T> EachReply<K, T, F> {
    pub fn new(make: F) -> EachReply<K, T, F> {
        EachReply { make, made: RefCell::default() }
    }

    pub fn of(&self, wanted: K, reply: &'a Shared) -> T {
        let key = (wanted, reply.key());
        let known = self.made.borrow().get(&key).cloned();
        known.unwrap_or_else(|| {
            let made = (self.make)(wanted, reply);
            self.made.borrow_mut().insert(key, made.clone());
            made
        })
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_shared_is_read_once() {
        let reply = |n: u64| Shared::from(Reply::Result { value: json!({"n": n}) });
        let (one, same, other) = (reply(1), reply(1), reply(2));
        let twin = one.clone();
        let made = Cell::new(0);
        let each = EachReply::new(|times: u64, reply: &Reply| {
            made.set(made.get() + 1);
            reply.result().and_then(|value| value["n"].as_u64()).map(|n| times * n)
        });
        assert_eq!([&one, &twin, &other, &same].map(|r| each.of(1, r)), [1, 1, 2, 1].map(Some));
        assert_eq!(made.get(), 3, "the one that is equal and not shared is read by itself");
        assert_eq!(each.of(5, &twin), Some(5), "made for something else it is another thing");
        assert!(one == twin && one == same && one != other);
    }
}
