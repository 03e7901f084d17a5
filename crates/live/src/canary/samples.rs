//! The sample files of a workspace: small, realistic, the same bytes in every run.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use super::write;

pub(crate) const CSV: &str = "id,name,city,amount,date\n1,Ada,Lisbon,120.50,2024-01-15\n2,Bo,Oslo,75.00,2024-02-03\n\
         3,Chidi,Lagos,310.25,2024-02-19\n4,Dana,Prague,42.10,2024-03-07\n\
         5,Emre,Izmir,89.99,2024-03-30\n";
pub(crate) const IMAGE: &[u8] = include_bytes!("../../assets/image.png");
pub(crate) const REPORT: &[u8] = include_bytes!("../../assets/report.pdf");

const TEXTS: &[(&str, &str)] = &[
    (
        "notes.md",
        "# Notes\n\n- Water the plants on Monday.\n- Ask Ines about the quarterly figures.\n\
         - The build on the second machine takes twelve minutes.\n\n## Ideas\n\n\
         A map of all benches in the park, sorted by shade.\n",
    ),
    ("data.csv", CSV),
    (
        "config.json",
        "{\n  \"name\": \"sample\",\n  \"version\": 3,\n  \"debug\": false,\n  \"limits\": {\n    \
         \"rows\": 100,\n    \"seconds\": 30\n  },\n  \"tags\": [\"alpha\", \"beta\"]\n}\n",
    ),
    (
        "config.yaml",
        "name: sample\nversion: 3\ndebug: false\nlimits:\n  rows: 100\n  seconds: 30\ntags:\n  \
         - alpha\n  - beta\n",
    ),
    (
        "src/main.py",
        "\"\"\"Adds the numbers of a list.\"\"\"\n\n\ndef total(numbers):\n    \
         return sum(numbers)\n\n\nif __name__ == \"__main__\":\n    print(total([1, 2, 3]))\n",
    ),
    (
        "docs/guide.md",
        "# Guide\n\nRun `python src/main.py` to see the total of a short list.\n\n\
         ## Configuration\n\n`config.json` and `config.yaml` say the same thing.\n",
    ),
    ("page.html", include_str!("../../assets/article.html")),
    ("data.json", include_str!("../../assets/data.json")),
    ("empty.txt", ""),
    ("unicode-ü.txt", "Grüße aus Köln, 東京 and Αθήνα 🌿\n"),
];

const BINARIES: &[(&str, &[u8])] = &[
    ("image.png", IMAGE),
    ("report.pdf", REPORT),
    ("letter.docx", include_bytes!("../../assets/letter.docx")),
    ("table.xlsx", include_bytes!("../../assets/table.xlsx")),
    ("archive.zip", include_bytes!("../../assets/archive.zip")),
    ("store.sqlite", include_bytes!("../../assets/store.sqlite")),
];

/// When all samples were last changed, in every run: 30 March 2024, noon.
const CHANGED: Duration = Duration::from_secs(1_711_800_000);

/// Adds each sample whose name is still free, and says how many that were.
pub fn add_missing(dir: &Path) -> io::Result<usize> {
    // Addresses in a file must lead nowhere but to this machine, and be the same in every run.
    let feed = include_str!("../../assets/feed.xml").replace("{base}", "http://127.0.0.1");
    let texts = TEXTS.iter().map(|(name, text)| (*name, text.as_bytes()));
    let all = texts.chain(BINARIES.iter().copied()).chain([("feed.xml", feed.as_bytes())]);
    let mut added = 0;
    for (name, content) in all {
        let path = dir.join(name);
        // A link counts as taken wherever it leads: nothing is ever written through one.
        if path.symlink_metadata().is_err() && plain_parents(dir, name) {
            write(&path, content)?;
            fs::File::open(&path)?.set_modified(UNIX_EPOCH + CHANGED)?;
            added += 1;
        }
    }
    Ok(added)
}

fn plain_parents(dir: &Path, name: &str) -> bool {
    Path::new(name)
        .parent()
        .is_none_or(|p| dir.join(p).symlink_metadata().map_or(true, |m| m.is_dir()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str) -> &'static str {
        TEXTS.iter().find(|(n, _)| *n == name).unwrap().1
    }

    fn binary(name: &str) -> &'static [u8] {
        BINARIES.iter().find(|(n, _)| *n == name).unwrap().1
    }

    #[test]
    fn the_configuration_files_say_the_same() {
        let json: serde_json::Value = serde_json::from_str(text("config.json")).unwrap();
        assert_eq!(json["limits"]["rows"], 100);
        assert!(text("config.yaml").contains("rows: 100"));
    }

    #[test]
    fn each_binary_is_what_its_name_says_and_small() {
        let starts: &[(&str, &[u8])] = &[
            ("image.png", b"\x89PNG\r\n\x1a\n"),
            ("report.pdf", b"%PDF-1.4"),
            ("letter.docx", b"PK\x03\x04"),
            ("table.xlsx", b"PK\x03\x04"),
            ("archive.zip", b"PK\x03\x04"),
            ("store.sqlite", b"SQLite format 3\0"),
        ];
        assert_eq!(starts.len(), BINARIES.len());
        for (name, start) in starts {
            let bytes = binary(name);
            assert!(bytes.starts_with(start), "{name}");
            assert!(bytes.len() < 16 << 10, "{name}");
        }
    }

    #[test]
    fn the_cross_references_of_the_report_point_at_its_objects() {
        let report = String::from_utf8_lossy(REPORT).replace('\u{fffd}', "?");
        let start: usize = report.lines().rev().nth(1).unwrap().parse().unwrap();
        let bytes = &REPORT[start..];
        assert!(bytes.starts_with(b"xref\n0 9\n"));
        let table = String::from_utf8_lossy(bytes);
        for (n, entry) in table.lines().skip(3).take(8).enumerate() {
            let at: usize = entry[..10].parse().unwrap();
            assert!(REPORT[at..].starts_with(format!("{} 0 obj", n + 1).as_bytes()), "{entry}");
        }
    }

    #[test]
    fn the_end_of_each_archive_counts_its_files() {
        for (name, files) in [("letter.docx", 6), ("table.xlsx", 7), ("archive.zip", 2)] {
            let bytes = binary(name);
            let end = &bytes[bytes.len() - 22..];
            assert!(end.starts_with(b"PK\x05\x06"), "{name}");
            assert_eq!(end[10], files, "{name}");
        }
    }

    #[test]
    fn what_is_there_already_stays_and_nothing_is_written_through_a_link() {
        let dir = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("notes.md"), "mine").unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), dir.path().join("src")).unwrap();
        let gone = elsewhere.path().join("gone");
        std::os::unix::fs::symlink(&gone, dir.path().join("data.csv")).unwrap();
        let added = add_missing(dir.path()).unwrap();
        assert_eq!(added, TEXTS.len() + BINARIES.len() + 1 - 3);
        assert_eq!(fs::read_to_string(dir.path().join("notes.md")).unwrap(), "mine");
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
        assert_eq!(add_missing(dir.path()).unwrap(), 0);
    }
}
