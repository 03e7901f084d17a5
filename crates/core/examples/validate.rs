//! Validates recorded responses: a snippet of evidence per line on stdin, a JSON object for each
//! scenario on stdout. Used by `bench/validator`.

use std::io::{BufRead, Write};

use proofmark_core::pages;
use proofmark_core::response::{Category, Context, validate};
use serde_json::json;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let evidence = pages::evidence(&line?).map_err(std::io::Error::other)?;
        for exchange in &evidence.transcript {
            let Some(category) = Category::of(exchange) else { continue };
            let Some(context) = Context::of(&evidence, exchange) else { continue };
            let v = validate(&context);
            let row = json!({
                "label": exchange.label,
                "category": category,
                "ours": v.ours,
                "seed": v.seed,
                "basis": format!("{:?}", context.basis),
                "blame": v.blame.map(|b| format!("{b:?}")),
            });
            writeln!(out, "{row}")?;
        }
    }
    Ok(())
}
