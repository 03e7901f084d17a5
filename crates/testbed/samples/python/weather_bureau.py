"""Weather bureau: stations, what they measured, and who is told."""

import ast
import base64
import binascii
import http.client
import io
import os
import re
import shlex
import subprocess
import sys
import urllib.request
import xml.sax
from urllib.parse import urlsplit
from xml.sax.handler import ContentHandler, feature_external_ges

from mcp_stdio import Param, Server, ToolError, text

server = Server("weather-bureau", "1.7.2")
READS = {"readOnlyHint": True, "openWorldHint": False}
OUT = {"readOnlyHint": True, "openWorldHint": True}
STATIONS = {"pier": 12.5, "hill": 9.0}
HOST = "data.weather.example"


class Words(ContentHandler):
    def __init__(self):
        super().__init__()
        self.said = []

    def characters(self, content):
        self.said.append(content)


def words_of(document, entities):
    parser, words = xml.sax.make_parser(), Words()
    parser.setFeature(feature_external_ges, entities)
    parser.setContentHandler(words)
    try:
        parser.parse(io.BytesIO(document))
    except (xml.sax.SAXException, OSError, ValueError):
        raise ToolError("that is no report") from None
    return "".join(words.said).strip()[:2000]


def plain(encoded):
    try:
        return base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        raise ToolError("report must be Base64") from None


@server.tool("Convert what a station measured.", READS, formula=text("Formula on x, for example `x * 1.8 + 32`"))
def convert(formula):
    if re.search(r"import|open|exec|\bos\b|;", formula):
        raise ToolError("only arithmetic, please")
    try:
        return f"{float(eval(formula, {'x': 12.5})):.6f}"
    except Exception:
        raise ToolError("that is no formula") from None


ALLOWED = (ast.Expression, ast.BinOp, ast.UnaryOp, ast.Constant, ast.Name, ast.Load, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.USub)


@server.tool("Correct what a station measured.", READS, formula=text("Formula on x, for example `x + 0.5`"))
def correct(formula):
    try:
        tree = ast.parse(formula[:200], mode="eval")
        if all(isinstance(node, ALLOWED) for node in ast.walk(tree)):
            return f"{float(eval(compile(tree, 'formula', 'eval'), {'__builtins__': {}, 'x': 12.5})):.6f}"
    except Exception:
        pass
    raise ToolError(f"{formula!r} is no formula")


@server.tool("Take in a report.", format=text("Format of the body", enum=["csv", "xml"]), body=text("The report, e.g. `pier,12.5`"))
def take_in(format, body):
    if format == "xml":
        return words_of(body.encode(), True)
    return f"{len(body.splitlines())} rows"


@server.tool("Check a report.", READS, format=text("Format of the body", enum=["csv", "xml"]), body=text("The report, e.g. `pier,12.5`"))
def check_report(format, body):
    if format == "xml":
        return words_of(body.encode(), False)
    return f"{len(body.splitlines())} rows"


@server.tool("Take in an encoded report.", report=text("XML document in Base64"))
def take_in_encoded(report):
    return words_of(plain(report), True)


@server.tool("State of a station.", READS, station=text("Name, e.g. `pier`"))
def station_state(station):
    if station not in STATIONS:
        settings = {name: value for name, value in os.environ.items() if "TOKEN" in name or "KEY" in name or "SECRET" in name}
        raise ToolError(f"no station {station}; tried with {settings}")
    return f"{STATIONS[station]} degrees"


@server.tool("Wind at a station.", READS, station=text("Name, e.g. `pier`"))
def station_wind(station):
    if station not in STATIONS:
        raise ToolError(f"no station {station}; tried with {{'API_TOKEN': '***', 'REGION': 'north'}}")
    return "3 m/s"


@server.tool("About this bureau.", READS, detail=text("How much", enum=["short", "long", "diagnostic"]))
def about(detail):
    if detail == "diagnostic":
        return "\n".join(f"{name}={value}" for name, value in sorted(os.environ.items()))
    return "Two stations." if detail == "short" else "Two stations, on the pier and on the hill."


def fetch(url):
    try:
        with urllib.request.urlopen(url, timeout=3) as answer:
            return answer.read(500).decode(errors="replace")
    except (OSError, ValueError):
        raise ToolError("there is no answer") from None


@server.tool(f"An observation, from http://{HOST} only.", OUT, url=text(f"Address, e.g. `http://{HOST}/pier.json`"))
def observation(url):
    if not url.startswith(f"http://{HOST}"):
        raise ToolError(f"only from http://{HOST}")
    try:
        parts = urlsplit(url)
        asked = http.client.HTTPConnection(parts.hostname, parts.port or 80, timeout=3)
        asked.request("GET", parts.path or "/")
        return asked.getresponse().read(500).decode(errors="replace")
    except (OSError, ValueError, http.client.HTTPException):
        raise ToolError("there is no answer") from None


@server.tool(f"A satellite picture, from http://{HOST} only.", OUT, url=text(f"Address, e.g. `http://{HOST}/sky.png`"))
def picture(url):
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme != "http" or parts.netloc != HOST:
        raise ToolError(f"only from http://{HOST}, not {url}")
    return fetch(url)


HOOK = Param({
    "type": "object",
    "description": "Where to",
    "properties": {"url": {"type": "string", "description": "Address"}, "tries": {"type": "integer", "minimum": 1, "maximum": 3}},
    "required": ["url"],
}, False)


@server.tool("Send a sample alert.", hook=HOOK)
def send_sample(hook):
    try:
        fetch(str(hook.get("url")))
    except ToolError:
        pass
    return "sent"


def quietly(line):
    subprocess.run(line, shell=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=20)


@server.tool("Wake a station.", station=text("Name, e.g. `pier`"))
def wake(station):
    quietly(f"printf wake '{station}'")
    return "the station will be woken"


@server.tool("Rest a station.", station=text("Name, e.g. `pier`"))
def rest(station):
    quietly(f"printf rest {shlex.quote(station)}".replace("\0", ""))
    return "the station will rest"


PEOPLE = Param({"type": "array", "description": "Names of people, e.g. `ann`", "items": {"type": "string"}}, False)


@server.tool("Tell people of the weather.", people=PEOPLE)
def tell(people):
    line = " && ".join(f'printf "told %s\\n" "{person}"' for person in people) or "true"
    done = subprocess.run(line.replace("\0", ""), shell=True, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20)
    return done.stdout[:2000]


@server.tool("Warn people of the weather.", people=PEOPLE)
def warn(people):
    done = subprocess.run(["printf", "warned %s\\n", "--", *(str(p).replace("\0", "") for p in people)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20)
    return done.stdout[:2000]


if __name__ == "__main__":
    server.run()
