//! Precision and recall of what is taken for an order to the model, over texts of our own.
#![expect(clippy::print_stdout, reason = "measures are printed for people")]

use proofmark_core::wording::{Context, Order, order};

const ORDERS: &str = include_str!("wording/orders.txt");
const HONEST: &str = include_str!("wording/honest.txt");
const OWN: &[&str] = &["list_notes", "get_note", "add_note", "login", "get_docs", "close_db"];

fn rows(list: &str) -> Vec<(Context, &str)> {
    let rows = list.lines().filter(|l| !l.starts_with('#') && !l.is_empty());
    rows.map(|line| match line.split_at(2) {
        ("d ", text) => (Context::Definition, text),
        ("p ", text) => (Context::Parameter, text),
        ("a ", text) => (Context::Answer, text),
        (other, _) => unreachable!("`{other}`: a row begins with d, p or a"),
    })
    .collect()
}

/// Every third row was set aside while the rules were made.
fn held_back<T>((index, _): &(usize, T)) -> bool {
    index % 3 == 2
}

#[test]
fn orders_are_told_from_honest_texts() {
    let count = |list: &'static str, wanted: bool, back: bool| -> (usize, usize) {
        let all: Vec<_> =
            rows(list).into_iter().enumerate().filter(|r| held_back(r) == back).collect();
        let hit = all.iter().filter(|(_, (context, text))| {
            let found = order(text, *context, OWN);
            let certain = found.as_ref().is_some_and(Order::is_certain);
            if certain != wanted && !back {
                println!("{} {text}\n    {found:?}", if wanted { "MISSED" } else { "FALSE" });
            }
            certain
        });
        (hit.count(), all.len())
    };
    let mut results = Vec::new();
    for back in [false, true] {
        let ((hits, orders), (falls, honest)) =
            (count(ORDERS, true, back), count(HONEST, false, back));
        let precision = hits as f64 / (hits + falls).max(1) as f64;
        let recall = hits as f64 / orders as f64;
        let name = if back { "held back" } else { "designed with" };
        println!(
            "{name}: precision {precision:.3}, recall {recall:.3} ({hits}/{orders}, {falls}/{honest})"
        );
        results.push((precision, recall));
    }
    assert!(results.iter().all(|r| r.0 >= 1.0), "an honest text was taken for an order");
    assert!(results.iter().all(|r| r.1 >= 0.8), "too few orders were recognised");
}
