//! The network. Everything stays on this machine.

use super::{Asked, Context, Hint, Meaning, Row, Texts::Fixed, Texts::Made};
use crate::probe::words;
use crate::seed::Seed;

pub(super) const ROWS: &[Row] = &[
    Row::of(
        Meaning::Url,
        "url|urls|uri|uris|link|links|href|endpoint|webhook|website|homepage|baseurl|permalink",
        "url|urls|web page|webpage|website",
        Made(url),
    ),
    Row::of(
        Meaning::Email,
        "email|emails|mail|recipient|recipients|cc|bcc|attendees",
        "e mail|email|mail address",
        Made(email),
    ),
    Row::of(
        Meaning::Ip,
        "ip|ipv4|ipaddress|ip address",
        "ip address",
        Fixed(&["127.0.0.1", "127.0.0.2"]),
    ),
    Row::of(
        Meaning::Host,
        "host|hostname|domain|fqdn|server address",
        "hostname|host name|domain name",
        Fixed(&["localhost"]),
    ),
    Row::of(Meaning::Port, "port", "port number", Fixed(&["8080", "8081"])),
    Row::of(
        Meaning::MimeType,
        "mime|mimetype|mime type|content type|media type",
        "mime type|media type",
        Fixed(&["text/plain", "application/json", "image/png"]),
    ),
    Row::of(
        Meaning::HttpMethod,
        "http method|request method|verb",
        "http method",
        Fixed(&["GET", "HEAD"]),
    ),
    Row::of(
        Meaning::UserAgent,
        "user agent|useragent",
        "user agent",
        Fixed(&["Mozilla/5.0 (compatible; sample)"]),
    ),
];

/// The page whose kind the name or the tool asks for.
const PAGES: &[(&str, &str)] = &[
    ("image|images|img|picture|photo|avatar|logo|icon|thumbnail", "/image.png"),
    ("pdf", "/report.pdf"),
    ("csv", "/data.csv"),
    ("json|api", "/data.json"),
    ("rss|feed|feeds|atom|podcast", "/feed.xml"),
    ("sitemap|xml", "/sitemap.xml"),
    ("txt|download|file", "/text.txt"),
    ("article|news|post|blog|scrape", "/article"),
];

/// Whom a mail goes to: only the tool tells that it is one.
pub(super) fn of(asked: &Asked<'_>) -> Option<Meaning> {
    const PEOPLE: &[&str] = &["to", "sender", "addressee", "receiver"];
    let mails = asked.tool_has(&["email", "emails", "mail", "mails", "newsletter"]);
    (mails && asked.ends(PEOPLE)).then_some(Meaning::Email)
}

fn url(hint: Hint<'_>, context: &Context, _: Seed) -> String {
    let of = |text: &str| {
        let words = words(text);
        let fits = |clues: &str| clues.split('|').any(|clue| words.iter().any(|w| w == clue));
        PAGES.iter().find(|(clues, _)| fits(clues)).map(|(_, path)| *path)
    };
    let path = match hint.index {
        0 => of(hint.name).or_else(|| of(&context.tool)).unwrap_or("/"),
        n => ["/text.txt", "/index.html", "/article"][n % 3],
    };
    format!("{}{path}", context.pages)
}

fn email(hint: Hint<'_>, _: &Context, _: Seed) -> String {
    format!("sample{}@example.com", hint.index)
}
