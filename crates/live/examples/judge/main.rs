//! Holds the five-dimension evaluation against labelled runs: `judge LABELS REPORTS [BANDS]`.
//!
//! LABELS is a file of JSON lines with `id`, `server`, `task`, `flags` and `scores`; REPORTS a folder
//! with a `test_report_<id>.json` for each. The fair measure: a run's score against the mean of the
//! *other* labelled runs of its server, beside what the label of that run itself achieves.
#![expect(clippy::print_stdout, reason = "a measurement is read from standard output")]

mod labels;
mod stats;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::time::Instant;
use std::{env, fs};

use labels::{Label, NAMES};
use proofmark_core::dimensions::{Dimension, Evaluation, Flag, Profile, Recording};
use stats::{Interval, bootstrap, mean_absolute, pearson, spearman};

/// A labelled run, what we make of it, and what the other runs of its server got.
struct Row {
    label: Label,
    ours: [f64; 6],
    others: Option<[f64; 6]>,
    flags: Vec<Flag>,
    level: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [labels, reports, rest @ ..] = args.as_slice() else {
        return Err("usage: judge LABELS REPORTS [seed|labels]".into());
    };
    let wanted = rest.first().map_or("seed", String::as_str);
    let bands = Profile::ALL.into_iter().find(|p| p.name() == wanted);
    let bands = bands.ok_or("the bands are `seed` or `labels`")?;
    let rows = rows(Path::new(labels), Path::new(reports), bands)?;
    if let Ok(path) = env::var("ROWS") {
        fs::write(path, table(&rows))?;
    }
    agreement(&rows);
    by_task(&rows);
    fooled(&rows);
    Ok(())
}

fn rows(labels: &Path, reports: &Path, bands: Profile) -> Result<Vec<Row>, Box<dyn Error>> {
    let labels = Label::read(&fs::read_to_string(labels)?)?;
    let (mut rows, mut cases, mut spent) = (Vec::new(), 0, 0.0);
    for label in labels {
        let path = reports.join(format!("test_report_{}.json", label.id));
        let bytes = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let began = Instant::now();
        let recording = Recording::parse(&bytes).map_err(|e| format!("{}: {e}", path.display()))?;
        let evaluation = Evaluation::of(&recording, bands)?;
        spent += began.elapsed().as_secs_f64();
        cases += recording.cases.len();
        rows.push(Row {
            ours: points(&evaluation),
            others: None,
            flags: evaluation.flags,
            level: evaluation.level,
            label,
        });
    }
    println!(
        "{} runs, {cases} cases, read and judged in {spent:.2} s; bands: {}",
        rows.len(),
        bands.name()
    );
    compare_with_others(&mut rows);
    Ok(rows)
}

fn points(evaluation: &Evaluation) -> [f64; 6] {
    let mut points = [0.0; 6];
    for (place, dimension) in points.iter_mut().zip(Dimension::ALL) {
        // Nothing seen is no reason to rank a server low: its whole is what the others make of it.
        let share = evaluation.total.unwrap_or_default() / 100.0;
        let max =
            evaluation.dimensions.iter().find(|d| d.dimension == dimension).map_or(0.0, |d| d.max);
        *place = evaluation.points(dimension).unwrap_or(share * max);
    }
    points[5] = evaluation.total.unwrap_or_default();
    points
}

fn compare_with_others(rows: &mut [Row]) {
    let mut servers: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (n, row) in rows.iter().enumerate() {
        servers.entry(row.label.server.clone()).or_default().push(n);
    }
    for runs in servers.values().filter(|runs| runs.len() > 1) {
        for &n in runs {
            let mut mean = [0.0; 6];
            for &other in runs.iter().filter(|&&other| other != n) {
                for (sum, score) in mean.iter_mut().zip(rows[other].label.scores) {
                    *sum += score / (runs.len() - 1) as f64;
                }
            }
            rows[n].others = Some(mean);
        }
    }
}

/// Score, label of the same run, mean label of the other runs, server: of one dimension.
fn series(rows: &[Row], dimension: usize) -> Vec<(f64, f64, f64, &str)> {
    rows.iter()
        .filter_map(|row| {
            let others = row.others?;
            let (ours, label) = (row.ours[dimension], row.label.scores[dimension]);
            Some((ours, label, others[dimension], row.label.server.as_str()))
        })
        .collect()
}

fn agreement(rows: &[Row]) {
    println!(
        "\nagainst the mean of the other labelled runs of the server (95 % by bootstrap over servers)"
    );
    println!(
        "{:14} {:>28} {:>28}  {:>16} {:>16}",
        "", "ours: Spearman", "one LLM run: Spearman", "Pearson", "mean abs. error"
    );
    for (dimension, name) in NAMES.into_iter().enumerate() {
        let series = series(rows, dimension);
        let ours: Vec<(f64, f64)> = series.iter().map(|s| (s.0, s.2)).collect();
        let llm: Vec<(f64, f64)> = series.iter().map(|s| (s.1, s.2)).collect();
        let groups: Vec<&str> = series.iter().map(|s| s.3).collect();
        println!(
            "{name:14} {:>28} {:>28}  {:>7.3} {:>8.3} {:>7.2} {:>8.2}",
            shown(spearman(&ours), bootstrap(&ours, &groups)),
            shown(spearman(&llm), bootstrap(&llm, &groups)),
            pearson(&ours),
            pearson(&llm),
            mean_absolute(&ours),
            mean_absolute(&llm),
        );
    }
    let paired = rows.iter().filter(|r| r.others.is_some()).count();
    println!("{paired} runs have others to compare with; right columns: ours, one LLM run");
    let noise: Vec<String> = NAMES
        .into_iter()
        .enumerate()
        .map(|(d, n)| format!("{n} {:.1}", labels::noise(rows.iter().map(|r| &r.label), d)))
        .collect();
    println!("label noise, SD between runs of one server: {}", noise.join(", "));
}

fn shown(value: f64, interval: Interval) -> String {
    format!("{value:.3} ({:.2} to {:.2})", interval.low, interval.high)
}

/// A choice that only serves some tasks shows here: each line leaves one task out.
fn by_task(rows: &[Row]) {
    println!("\nwithout one task: ours − LLM run, Spearman");
    let tasks: std::collections::BTreeSet<&str> =
        rows.iter().map(|r| r.label.task.as_str()).collect();
    for task in tasks {
        let differences: Vec<String> = (0..6)
            .map(|d| {
                let kept = rows.iter().filter(|r| r.label.task != task);
                let pairs: Vec<_> = kept
                    .filter_map(|r| Some((r.ours[d], r.label.scores[d], r.others?[d])))
                    .collect();
                let ours: Vec<_> = pairs.iter().map(|p| (p.0, p.2)).collect();
                let llm: Vec<_> = pairs.iter().map(|p| (p.1, p.2)).collect();
                format!("{:+.3}", spearman(&ours) - spearman(&llm))
            })
            .collect();
        println!("{task:26} {}", differences.join("  "));
    }
}

fn fooled(rows: &[Row]) {
    println!("\nnot fooled (ours | labels)");
    let flagged = |name: &str| {
        rows.iter().filter(|r| r.label.flags.iter().any(|f| f == name)).collect::<Vec<&Row>>()
    };
    let count = |rows: &[&Row], is: &dyn Fn(&Row) -> bool| rows.iter().filter(|r| is(r)).count();
    let dead = flagged("all_functional_failed");
    println!(
        "all_functional_failed: {} runs; functionality over 17: {} | {}; total of 60 or more: {} | {}; passing: {}; highest total {:.1}",
        dead.len(),
        count(&dead, &|r| r.ours[0] > 17.0),
        count(&dead, &|r| r.label.scores[0] > 17.0),
        count(&dead, &|r| r.ours[5] >= 60.0),
        count(&dead, &|r| r.label.scores[5] >= 60.0),
        count(&dead, &|r| r.level == "PASS"),
        dead.iter().map(|r| r.ours[5]).fold(0.0, f64::max)
    );
    let holes = flagged("traversal_succeeded");
    println!(
        "traversal_succeeded: {} runs; security of 12 or more: {} | {}",
        holes.len(),
        count(&holes, &|r| r.ours[2] >= 12.0),
        count(&holes, &|r| r.label.scores[2] >= 12.0)
    );
    let lost = flagged("server_lost_midway");
    println!(
        "server_lost_midway: {} runs; reported: {}",
        lost.len(),
        count(&lost, &|r| r.flags.contains(&Flag::ServerLostMidway))
    );
    for (name, flag) in [
        ("all_functional_failed", Flag::AllFunctionalFailed),
        ("traversal_succeeded", Flag::TraversalSucceeded),
        ("server_lost_midway", Flag::ServerLostMidway),
    ] {
        let more = rows
            .iter()
            .filter(|r| r.flags.contains(&flag) && !r.label.flags.iter().any(|f| f == name))
            .count();
        println!("{name}: seen by us in {more} further runs");
    }
}

fn table(rows: &[Row]) -> String {
    let mut lines = vec![format!("id,server,task,{}", NAMES.join(","))];
    lines.extend(rows.iter().map(|r| {
        let scores: Vec<String> = r.ours.iter().map(f64::to_string).collect();
        format!("{},{},{},{}", r.label.id, r.label.server, r.label.task, scores.join(","))
    }));
    lines.join("\n") + "\n"
}
