//! What input goes through on its way to a dangerous call.

use proofmark_core::evidence::Language;

use super::flows;

#[test]
fn input_is_followed_through_lists_kept_values_and_functions_handed_on() {
    let text = r#"
import subprocess, urllib.request
kept = []

def fetched(url, opener=urllib.request.urlopen):
    return opener(url)

def output_of(line, **rest):
    return subprocess.run(line, **rest)

@mcp.tool()
def gather(files: list[str]):
    words = ["ls"]
    for file in files:
        words.append(file)
    return output_of(" ".join(words), shell=True)

@mcp.tool()
def quiet(file: str):
    return output_of(["ls", "--", file])

@mcp.tool()
def keep(line: str):
    kept.append(line)

@mcp.tool()
def play():
    return eval(kept[-1])

@mcp.tool()
def show():
    return kept[-1]

@mcp.tool()
def page(url: str):
    return fetched(url)

@mcp.tool()
def some(url: str):
    if url.scheme == "http" and not public(url):
        raise ValueError
    return fetched(url)
"#;
    assert_eq!(
        flows("s.py", Language::Python, text),
        [
            "play code_injection eval",
            "gather /files command_injection subprocess.run",
            "page /url ssrf urllib.request.urlopen",
            "some /url ssrf urllib.request.urlopen",
        ]
    );
}

#[test]
fn whoever_sets_the_beginning_of_an_address_chooses_the_host() {
    let text = r#"
const BASE = process.env.BASE_URL;
const SCHEME = "https://";
server.tool("fixed", {}, ({ path }) => fetch(`${BASE}/v2/${path}`));
server.tool("fixed_sum", {}, ({ path }) => fetch(BASE + "/v2/" + path));
server.tool("fixed_end", {}, ({ word }) => {
  let url = `${BASE}/find`;
  url += `?q=${word}`;
  return fetch(url);
});
server.tool("open", {}, ({ host }) => fetch(`https://${host}/x`));
server.tool("open_sum", {}, ({ host }) => fetch(SCHEME + host));
server.tool("open_start", {}, ({ url }) => fetch(`${url}/status`));
"#;
    assert_eq!(
        flows("s.js", Language::Javascript, text),
        ["open /host ssrf fetch", "open_start /url ssrf fetch", "open_sum /host ssrf fetch"]
    );
}

#[test]
fn filters_and_paths_of_other_languages_are_statements() {
    let text = r#"
import ldap
from lxml import etree

@mcp.tool()
def person(name: str):
    return con.search_s(BASE, SCOPE, f"(&(objectClass=person)(cn={name}))")

@mcp.tool()
def person_escaped(name: str):
    return con.search_s(BASE, SCOPE, f"(cn={ldap.filter.escape_filter_chars(name)})")

@mcp.tool()
def card(owner: str):
    return tree.xpath("//card[@owner='%s']" % owner)

@mcp.tool()
def words(text: str):
    return re.search(f"({text})", PAGE)
"#;
    assert_eq!(
        flows("s.py", Language::Python, text),
        ["card /owner xpath_injection tree.xpath", "person /name ldap_injection con.search_s"]
    );
}
