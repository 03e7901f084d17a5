//! The formats a report is written in: their names, and the file names that ask for them.

use clap::ValueEnum;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people, as wide and colourful as the terminal
    Terminal,
    /// For people, plain, with everything
    Text,
    /// The same in colour
    Ansi,
    /// For machines: everything
    Json,
    /// One page for a browser: everything, with the calls
    Html,
    /// A comment: what to fix first, the rest folded
    Markdown,
    /// For code scanning: SARIF 2.1.0
    Sarif,
    /// For test reports of CI
    Junit,
    /// The findings, for spreadsheets
    Csv,
    /// JSON as directories of servers read it
    Directory,
    /// The same with risks, regulation and speed
    Enterprise,
    /// SVG with the score
    Badge,
    /// The same for shields.io
    Shields,
    /// The bill of materials: CycloneDX
    Cyclonedx,
    /// The areas as a radar chart: SVG, or PNG by the name of the file
    Radar,
    /// The areas as bars
    Bars,
    /// The calls as test_report_SERVER.json, for judges of test cases
    TestReport,
}

/// Ends of file names, those first that others would take.
const ENDINGS: &[(&str, Format)] = &[
    (".sarif.json", Format::Sarif),
    (".directory.json", Format::Directory),
    (".enterprise.json", Format::Enterprise),
    (".badge.json", Format::Shields),
    (".cdx.json", Format::Cyclonedx),
    (".json", Format::Json),
    (".txt", Format::Text),
    (".ansi", Format::Ansi),
    (".md", Format::Markdown),
    (".sarif", Format::Sarif),
    (".xml", Format::Junit),
    (".csv", Format::Csv),
    (".html", Format::Html),
    ("badge.svg", Format::Badge),
    ("bars.svg", Format::Bars),
    ("bars.png", Format::Bars),
    (".svg", Format::Radar),
    (".png", Format::Radar),
];

impl Format {
    /// `None` where the name asks for nothing known.
    pub(crate) fn of_name(name: &str) -> Option<Format> {
        let name = name.to_lowercase();
        if name.starts_with("test_report_") && name.ends_with(".json") {
            return Some(Format::TestReport);
        }
        ENDINGS.iter().find(|(end, _)| name.ends_with(end)).map(|(_, format)| *format)
    }

    pub(crate) fn endings() -> String {
        let ends: Vec<&str> = ENDINGS.iter().map(|(end, _)| *end).collect();
        ends.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_ending_decides() {
        assert_eq!(Format::of_name("a.json"), Some(Format::Json));
        assert_eq!(Format::of_name("A.SARIF.JSON"), Some(Format::Sarif));
        assert_eq!(Format::of_name("test_report_files.json"), Some(Format::TestReport));
        assert_eq!(Format::of_name("a.pdf"), None);
        for (n, (end, format)) in ENDINGS.iter().enumerate() {
            assert_eq!(Format::of_name(&format!("x{end}")), Some(*format), "{end}");
            assert!(ENDINGS[..n].iter().all(|(earlier, _)| earlier != end), "{end} is twice");
        }
    }
}
