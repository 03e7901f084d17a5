//! Work that is independent, on as many threads as the machine has room for.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Each further thread costs memory that nobody has touched before.
const MOST: usize = 8;

/// What becomes of each item, in the order of the items.
pub fn abreast<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(MOST);
    let next = AtomicUsize::new(0);
    let some = || {
        let mut done = Vec::new();
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(n) else { return done };
            done.push((n, work(item)));
        }
    };
    let mut done: Vec<(usize, R)> = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(some)).collect();
        let own = some();
        // A panic takes the whole down with it, as it would on this thread.
        let theirs = others.into_iter().map(|o| o.join().unwrap_or_else(|p| resume_unwind(p)));
        theirs.flatten().chain(own).collect()
    });
    done.sort_by_key(|(n, _)| *n);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::abreast;

    #[test]
    fn results_stand_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..200).collect();
        let late_first = |n: &u64| {
            (*n..200).for_each(|_| std::thread::yield_now());
            n * 2
        };
        let expected: Vec<u64> = items.iter().map(|n| n * 2).collect();
        assert_eq!(abreast(&items, late_first), expected);
        assert_eq!(abreast(&[], late_first), Vec::<u64>::new());
    }
}
