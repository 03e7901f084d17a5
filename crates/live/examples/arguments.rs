//! Measures sample arguments over tool schemas: how many are valid, and how long they take.
//! Reads evidence files, and JSON lines with `tools` whose members have `name` and `schema`.
#![expect(clippy::print_stdout, reason = "a measurement is read from standard output")]

use std::io::BufRead;
use std::time::{Duration, Instant};

use proofmark_core::arguments::{Context, Fill, sample, validator};
use proofmark_core::evidence::{Evidence, Tool};
use proofmark_core::pages;
use proofmark_core::seed::Seed;
use proofmark_live::store;
use serde_json::{Value, json};

#[derive(Default)]
struct Tally {
    tools: usize,
    schemas: usize,
    samples: usize,
    valid: usize,
    times: Vec<(Duration, String)>,
    /// The very first, which compiles our own expressions.
    first: Option<Duration>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let verbose = std::env::var_os("VERBOSE").is_some();
    let mut tally = Tally::default();
    for path in std::env::args().skip(1) {
        if path.ends_with(".jsonl") {
            for line in std::io::BufReader::new(std::fs::File::open(&path)?).lines() {
                let row: Value = serde_json::from_str(&line?)?;
                tally.of_row(&row, verbose)?;
            }
        } else {
            let evidence = store::read_evidence(std::path::Path::new(&path))?;
            tally.of(&evidence, &path, verbose);
        }
    }
    tally.print();
    Ok(())
}

impl Tally {
    fn of_row(&mut self, row: &Value, verbose: bool) -> Result<(), Box<dyn std::error::Error>> {
        let mut evidence = pages::evidence("{}")?;
        let tools = row["tools"].as_array().map_or(&[][..], Vec::as_slice);
        for tool in tools {
            let raw = json!({"name": tool["name"], "description": tool["description"],
                "inputSchema": tool["schema"]});
            evidence.inventory.tools.push(Tool::from_raw(&raw)?);
        }
        self.of(&evidence, row["server"].as_str().unwrap_or("row"), verbose);
        Ok(())
    }

    fn of(&mut self, evidence: &Evidence, source: &str, verbose: bool) {
        for tool in &evidence.inventory.tools {
            self.tools += 1;
            let context = Context::of(evidence, &tool.name);
            for schema in
                [Some(&tool.input_schema), tool.output_schema.as_ref()].into_iter().flatten()
            {
                self.schemas += 1;
                for fill in [Fill::Minimal, Fill::Typical, Fill::Full] {
                    self.one(schema, &context, fill, &format!("{source} {}", tool.name), verbose);
                }
            }
        }
    }

    fn one(&mut self, schema: &Value, context: &Context, fill: Fill, label: &str, verbose: bool) {
        // The quickest of three: the machine has other work, too.
        let times = [(); 3].map(|()| {
            let began = Instant::now();
            let value = sample(schema, context, Seed(1), fill);
            (began.elapsed(), value)
        });
        self.first.get_or_insert(times[0].0);
        let [(one, value), (two, _), (three, _)] = times;
        self.times.push((one.min(two).min(three), format!("{label} {fill:?}")));
        self.samples += 1;
        let valid = match (&value, validator(schema)) {
            (Some(value), Some(validator)) => validator.is_valid(value),
            (Some(_) | None, _) => false,
        };
        self.valid += usize::from(valid);
        if !valid {
            println!("INVALID {label} {fill:?}: {value:?}");
        } else if verbose {
            println!("{label} {fill:?}: {}", value.unwrap_or_default());
        }
    }

    fn print(&mut self) {
        self.times.sort_by_key(|(took, _)| std::cmp::Reverse(*took));
        let total: Duration = self.times.iter().map(|(took, _)| *took).sum();
        let ms = |d: Duration| d.as_secs_f64() * 1_000.0;
        println!(
            "tools {}   schemas {}   samples {}   valid {} ({:.2} %)",
            self.tools,
            self.schemas,
            self.samples,
            self.valid,
            100.0 * self.valid as f64 / self.samples.max(1) as f64
        );
        let mean = ms(total) / self.times.len().max(1) as f64;
        let over = self.times.iter().filter(|(took, _)| ms(*took) > 5.0).count();
        let first = self.first.map_or(0.0, ms);
        println!("mean {mean:.3} ms   over 5 ms: {over}   very first, cold: {first:.1} ms");
        for (took, label) in self.times.iter().take(3) {
            println!("slowest {:.3} ms   {label}", ms(*took));
        }
    }
}
