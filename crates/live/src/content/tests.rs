//! The pages, asked for as a tool would.

use std::sync::Arc;

use proofmark_core::scrub::Scrub;
use reqwest::{Client, Method, redirect};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::*;

fn open() -> Content {
    let mut content = Content::bind().unwrap();
    let mut scrub = Scrub::default();
    for (real, shown) in content.address().placeholders() {
        scrub.add(real, shown);
    }
    content.serve(Arc::new(Record::new(scrub))).unwrap();
    content
}

fn client() -> Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().redirect(redirect::Policy::none()).no_proxy().build().unwrap()
}

#[tokio::test]
async fn every_page_has_its_content_type_and_length() {
    let content = open();
    let client = client();
    for (path, kind, part) in [
        ("/", "text/html; charset=utf-8", "<h1>Park Notes</h1>"),
        ("/index.html?x=1", "text/html; charset=utf-8", "<table>"),
        ("/article", "text/html; charset=utf-8", "Benches in the shade"),
        ("/text.txt", "text/plain; charset=utf-8", "Opening hours"),
        ("/data.json", "application/json", "\"areas\""),
        ("/data.csv", "text/csv; charset=utf-8", "1,Ada,Lisbon"),
        ("/robots.txt", "text/plain; charset=utf-8", "Allow: /"),
        ("/feed.xml", "application/rss+xml", "<rss version=\"2.0\">"),
        ("/sitemap.xml", "application/xml", "<urlset"),
        ("/image.png", "image/png", "PNG"),
        ("/report.pdf", "application/pdf", "%PDF-1.4"),
    ] {
        let url = format!("{}{path}", content.address().base());
        let got = client.get(&url).send().await.unwrap();
        assert_eq!(got.status(), 200, "{path}");
        assert_eq!(got.headers()["content-type"], kind, "{path}");
        assert!(!got.headers().contains_key("date"), "{path}");
        let length = got.content_length().unwrap();
        let body = got.bytes().await.unwrap();
        assert_eq!(length, body.len() as u64);
        assert!(String::from_utf8_lossy(&body).contains(part), "{path}");
        let head = client.head(&url).send().await.unwrap();
        assert_eq!(head.headers()["content-length"], length.to_string(), "{path}");
        assert!(head.bytes().await.unwrap().is_empty(), "{path}");
    }
}

#[tokio::test]
async fn what_is_elsewhere_not_there_or_sent_is_told_apart() {
    let content = open();
    let client = client();
    let ask = async |method: Method, path: &str| {
        let url = format!("{}{path}", content.address().base());
        client.request(method, url).body("some text").send().await.unwrap()
    };
    let moved = ask(Method::GET, "/redirect").await;
    assert_eq!(
        (moved.status().as_u16(), &moved.headers()["location"]),
        (302, &"/article".parse().unwrap())
    );
    let missing = ask(Method::GET, "/missing").await;
    assert_eq!(missing.status(), 404);
    assert!(missing.text().await.unwrap().contains("<h1>Not found</h1>"));
    assert!(ask(Method::POST, "/").await.text().await.unwrap().contains("received"));
    assert_eq!(ask(Method::PUT, "/missing").await.status(), 404);
    assert_eq!(ask(Method::TRACE, "/").await.status(), 405);
}

#[tokio::test]
async fn visits_are_written_down_in_order_with_steady_addresses() {
    let content = open();
    let base = content.address().base();
    let client = client();
    for path in ["/article?token=abc", "/nowhere"] {
        client.get(format!("{base}{path}&back={base}")).send().await.unwrap();
    }
    let visits = content.visits();
    let paths: Vec<&str> = visits.iter().map(|v| v.path.as_str()).collect();
    assert_eq!(paths[0], format!("/article?token=abc&back={BASE}"));
    assert_eq!(paths[1], format!("/nowhere&back={BASE}"));
    assert_eq!(visits[0].method, "GET");
    assert!(visits[0].at <= visits[1].at);
}

#[tokio::test]
async fn a_connection_serves_several_requests_and_a_huge_body_ends_it() {
    let content = open();
    let mut stream =
        tokio::net::TcpStream::connect(("127.0.0.1", content.address().port)).await.unwrap();
    let mut buffer = vec![0; 4096];
    for _ in 0..2 {
        stream.write_all(b"GET /text.txt HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        let n = stream.read(&mut buffer).await.unwrap();
        assert!(buffer[..n].starts_with(b"HTTP/1.1 200 OK"));
    }
    let much = vec![b'x'; 4 << 20];
    let head = format!("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n", much.len());
    stream.write_all(head.as_bytes()).await.unwrap();
    let _ = stream.write_all(&much).await;
    let end = stream.read(&mut buffer).await;
    assert!(matches!(end, Ok(0) | Err(_)), "{end:?}");
}

#[tokio::test]
async fn dropping_it_closes_the_port() {
    let content = open();
    let port = content.address().port;
    assert!(tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_ok());
    drop(content);
    for _ in 0..100 {
        if tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("port {port} still answers");
}

#[test]
fn addresses_go_into_evidence_and_back() {
    let address = Address { port: 43121 };
    let mut scrub = Scrub::default();
    for (real, shown) in address.placeholders() {
        scrub.add(real, shown);
    }
    for (real, shown) in [
        ("http://127.0.0.1:43121/a", "http://content.proofmark.localhost:8080/a"),
        (
            "?u=http%3A%2F%2F127.0.0.1%3A43121%2F",
            "?u=http%3A%2F%2Fcontent.proofmark.localhost%3A8080%2F",
        ),
        ("at 127.0.0.1:43121.", "at content.proofmark.localhost:8080."),
        ("http://127.0.0.1:80/", "http://127.0.0.1:80/"),
    ] {
        assert_eq!(scrub.text(real), shown);
        assert_eq!(address.actual(shown), real);
    }
    assert_eq!(scrub.text("localhost:43121"), "content.proofmark.localhost:8080");
    assert_eq!(address.actual("content.proofmark.localhost"), "127.0.0.1");
    assert!(BASE.starts_with(&format!("http://{HOST}:{PORT}")));
}

#[tokio::test]
async fn a_guest_who_does_not_speak_http_is_written_down() {
    let content = open();
    let mut raw =
        tokio::net::TcpStream::connect(("127.0.0.1", content.address().port)).await.unwrap();
    raw.write_all(b"token-abc\r\nmore").await.unwrap();
    let mut rest = Vec::new();
    // The other side hangs up, with or without a reset.
    let _ = raw.read_to_end(&mut rest).await;
    assert!(rest.is_empty());
    let visits = content.visits();
    assert_eq!((visits[0].method.as_str(), visits[0].path.as_str()), ("TCP", "token-abcmore"));
}
