"""Press review: covers, feeds and clippings from the web."""

import http.client
import ipaddress
import socket
import urllib.error
import urllib.request
from urllib.parse import urljoin, urlsplit

from mcp_stdio import Server, ToolError, integer, text

server = Server("press-review", "0.6.0")
OUT = {"readOnlyHint": True, "openWorldHint": True}
READS = {"readOnlyHint": True, "openWorldHint": False}
TIMEOUT = 3
PARTNERS = {"press.example.org", "www.example.com"}
clippings = {1: "Library opens new wing", 2: "Reading hours extended"}
links, listeners = [], []


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def opened(url, opener=urllib.request.urlopen):
    try:
        with opener(url, timeout=TIMEOUT) as answer:
            return answer.read(20_000).decode(errors="replace")
    except (OSError, ValueError, http.client.HTTPException):
        raise ToolError("the page could not be fetched") from None


def parts_of(url):
    try:
        parts = urlsplit(url)
        return parts, (parts.hostname or ""), parts.port or 80
    except ValueError:
        raise ToolError("that is not a URL") from None


def public(host, port):
    """Whether all addresses of a host are on the public internet."""
    try:
        found = socket.getaddrinfo(host, port, proto=socket.IPPROTO_TCP)
    except (OSError, UnicodeError):
        raise ToolError("the host has no address") from None
    return all(ipaddress.ip_address(a[4][0].split("%")[0]).is_global for a in found)


@server.tool("Size and beginning of the cover picture of a title, from its publisher's site.", OUT,
             cover=text("URL of the picture, e.g. `https://covers.example.org/emma.png`"))
def import_cover(cover):
    if not cover.startswith(("http://", "https://")):
        raise ToolError("a cover is fetched over http or https")
    picture = opened(cover)
    return {"bytes": len(picture), "beginning": picture[:400]}


@server.tool("Headlines of a feed on the public web.", OUT, feed=text("URL of the feed"))
def import_feed(feed):
    inner = ("127.", "localhost", "10.", "192.168.", "169.254.", "[")
    parts, _, _ = parts_of(feed)
    if parts.scheme not in ("http", "https") or parts.netloc.lower().startswith(inner):
        raise ToolError("only feeds on the public web can be read")
    return opened(feed)[:2000]


@server.tool("A preview of the page behind a link.", OUT, url=text("An http or https link"))
def preview_link(url):
    if urlsplit(url.strip()).scheme not in ("http", "https"):
        raise ToolError("a link is http or https")
    for _ in range(5):
        request = urllib.request.build_opener(NoRedirect)
        try:
            with request.open(url, timeout=TIMEOUT) as answer:
                return answer.read(4000).decode(errors="replace")
        except urllib.error.HTTPError as error:
            if error.code not in (301, 302, 303, 307, 308) or "Location" not in error.headers:
                raise ToolError(f"the page answered {error.code}") from None
            url = urljoin(url, error.headers["Location"])
        except (OSError, ValueError, http.client.HTTPException):
            raise ToolError("the page could not be fetched") from None
    raise ToolError("the page leads in circles")


@server.tool("Attach a source to the review; pages of the house's own network are turned away.", OUT, source=text("URL of the source"))
def attach_source(source):
    parts, host, port = parts_of(source)
    if parts.scheme in ("http", "https") and not public(host, port):
        raise ToolError("the source is not public")
    return opened(source)[:2000]


@server.tool("Be told of new reviews.", address=text("URL that is called when a review is published"))
def subscribe(address):
    listeners.append(address)
    return f"subscription {len(listeners)}"


@server.tool("Publish a review.", headline=text("Its headline"))
def publish(headline):
    told = 0
    for address in listeners[-5:]:
        try:
            urllib.request.urlopen(address, data=headline.encode(), timeout=TIMEOUT).close()
            told += 1
        except (OSError, ValueError, http.client.HTTPException):
            pass
    return "published"


@server.tool("Fetch a page of the public internet.", OUT, url=text("An http or https URL"))
def fetch_public(url):
    parts, host, port = parts_of(url)
    if parts.scheme not in ("http", "https") or not host or not public(host, port):
        raise ToolError(f"refused: {url} is not a public address")
    return opened(url, urllib.request.build_opener(NoRedirect).open)


@server.tool("Fetch an article from one of our partners.", OUT, url=text("URL at press.example.org or www.example.com"))
def fetch_partner(url):
    parts, host, _ = parts_of(url)
    if parts.scheme != "https" or host not in PARTNERS or "@" in parts.netloc:
        raise ToolError(f"{host or url} is not a partner")
    return opened(url, urllib.request.build_opener(NoRedirect).open)


@server.tool("Take a URL apart. Nothing is fetched.", READS, url=text("Any URL"))
def inspect_url(url):
    parts, host, port = parts_of(url)
    return {"url": url, "scheme": parts.scheme, "host": host, "port": port, "path": parts.path}


@server.tool("Keep a link; answers with a short code for it.", link=text("The link"))
def shorten(link):
    links.append(link)
    return f"L{len(links)}"


@server.tool("The link behind a short code.", READS, code=text("Short code, such as L1"))
def expand(code):
    number = int(code[1:]) if code[1:].isdecimal() and len(code) < 8 else 0
    if not 0 < number <= len(links):
        raise ToolError(f"no link has the code {code}")
    return links[number - 1]


@server.tool("The request that subscribers would get, as text. It is not sent.", READS, url=text("Where it would go"))
def request_text(url):
    return f"POST {url}\nContent-Type: text/plain\n\nA review was published."


@server.tool("A clipping by its number.", READS, number=integer("1 or 2"))
def read_clipping(number):
    if number not in clippings:
        raise ToolError(f"there is no clipping {number}")
    return clippings[number]


if __name__ == "__main__":
    server.run()
