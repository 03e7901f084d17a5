//! What the charts share: the page, colours, texts.

/// Told apart by people who see colours differently (Okabe and Ito).
const COLORS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5b5b5b"];

pub(super) fn color(n: usize) -> &'static str {
    COLORS.get(n % COLORS.len()).copied().unwrap_or("#000000")
}

pub(super) fn page(width: f64, height: f64, title: &str, body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{body}</svg>\n",
        escaped(title)
    )
}

pub(super) fn text(x: f64, y: f64, anchor: &str, words: &str) -> String {
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"#222222\">{}</text>\n",
        escaped(words)
    )
}

/// Text of unknown origin: no mark-up, nothing invisible.
pub(super) fn escaped(text: &str) -> String {
    let clean = crate::render::text::clean(text);
    clean.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
