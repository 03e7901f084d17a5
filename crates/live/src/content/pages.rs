//! What is served at which path. Fixed texts: two runs read the same.

use hyper::body::Bytes;

use crate::canary::{CSV, IMAGE, REPORT};

const HTML: &str = "text/html; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";

const MISSING: &str = "<!DOCTYPE html>\n<html lang=\"en\"><head><title>Not found</title></head>\
    <body><h1>Not found</h1><p>There is no such page. <a href=\"/\">Start here</a>.</p></body>\
    </html>\n";
const MOVED: &str = "<!DOCTYPE html>\n<html lang=\"en\"><head><title>Moved</title></head>\
    <body><p>Moved to <a href=\"/article\">the article</a>.</p></body></html>\n";

pub(super) struct Page {
    pub status: u16,
    pub kind: &'static str,
    pub location: Option<String>,
    pub body: Bytes,
}

impl Page {
    fn ok(kind: &'static str, body: &'static (impl AsRef<[u8]> + ?Sized)) -> Page {
        Page { status: 200, kind, location: None, body: Bytes::from_static(body.as_ref()) }
    }

    fn addressed(kind: &'static str, text: &str, base: &str) -> Page {
        let body = Bytes::from(text.replace("{base}", base));
        Page { status: 200, kind, location: None, body }
    }
}

/// The page at a path with its query; `base` is where we are.
pub(super) fn page(path: &str, base: &str) -> Page {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    match path {
        "/" | "/index.html" => Page::ok(HTML, include_str!("../../assets/index.html")),
        "/article" | "/article.html" => Page::ok(HTML, include_str!("../../assets/article.html")),
        "/text.txt" => Page::ok(TEXT, include_str!("../../assets/text.txt")),
        "/data.json" => Page::ok(JSON, include_str!("../../assets/data.json")),
        "/data.csv" => Page::ok("text/csv; charset=utf-8", CSV),
        "/image.png" => Page::ok("image/png", IMAGE),
        "/report.pdf" => Page::ok("application/pdf", REPORT),
        "/robots.txt" => {
            Page::addressed(TEXT, "User-agent: *\nAllow: /\nSitemap: {base}/sitemap.xml\n", base)
        }
        "/feed.xml" => {
            Page::addressed("application/rss+xml", include_str!("../../assets/feed.xml"), base)
        }
        "/sitemap.xml" => {
            Page::addressed("application/xml", include_str!("../../assets/sitemap.xml"), base)
        }
        "/redirect" => moved("/article".to_owned()),
        "/elsewhere" => elsewhere(query, base),
        _ if path.starts_with("/seen/") => Page::ok(TEXT, "Seen.\n"),
        _ => Page { status: 404, ..Page::ok(HTML, MISSING) },
    }
}

fn moved(to: String) -> Page {
    Page { status: 302, location: Some(to), ..Page::ok(HTML, MOVED) }
}

/// Leads to a file, or to another page of ours under another name; nowhere else.
fn elsewhere(query: &str, base: &str) -> Page {
    let port = base.rsplit(':').next().unwrap_or_default();
    match query.split_once('=') {
        Some(("file", path)) => moved(format!("file://{path}")),
        Some(("page", token)) => moved(format!("http://localhost:{port}/seen/{token}")),
        Some(_) | None => Page { status: 404, ..Page::ok(HTML, MISSING) },
    }
}

/// The answer to something sent to a path.
pub(super) fn receipt(path: &str, base: &str) -> Page {
    let there = page(path, base);
    if there.status == 404 { there } else { Page::ok(JSON, "{\"received\": true}\n") }
}

pub(super) fn refusal() -> Page {
    Page { status: 405, ..Page::ok(TEXT, "This method is not for pages.\n") }
}
