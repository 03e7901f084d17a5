"""Text bench: small jobs on texts."""

import base64
import re
import secrets
import subprocess
import sys
import unicodedata
import uuid

from mcp_stdio import Server, ToolError, integer, text

server = Server("text-bench", "1.0.3")
READS = {"readOnlyHint": True, "openWorldHint": False}
ISBN = re.compile(r"^[0-9]*-?[0-9]*-?[0-9]*-[0-9X]$")
VOUCHER = re.compile(r"^(([A-Z0-9])+-?)+!$")
SEARCH = """
import json, re, sys
pattern, lines = json.load(sys.stdin)
print(json.dumps([line for line in lines if re.search(pattern, line)]))
"""


@server.tool("Whether a text is an ISBN with hyphens.", READS, isbn=text("e.g. `0-306-40615-2`"))
def check_isbn(isbn):
    return "valid" if ISBN.match(isbn) else "not an ISBN"


@server.tool("Whether a text is a voucher code.", READS, code=text("Capitals, digits and hyphens, with ! at the end", maxLength=24))
def check_voucher(code):
    return "valid" if VOUCHER.match(code) else "not a voucher"


@server.tool("Depth of the deepest bracket in an outline.", READS, outline=text("Text with brackets, such as (a (b) c)"))
def outline_depth(outline):
    deepest = 0
    for start, mark in enumerate(outline):
        if mark == "(":
            depth = 0
            for other in outline[start:]:
                depth += (other == "(") - (other == ")")
                deepest = max(deepest, depth)
                if depth == 0:
                    break
    return str(deepest)


@server.tool("Lines of a text that match a pattern.", READS, pattern=text("A regular expression"), text=text("The text"))
def match_lines(pattern, text):
    try:
        wanted = re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        raise ToolError(f"not a regular expression: {pattern}") from None
    return [line for line in text.splitlines() if wanted.search(line)]


@server.tool("Lines of a text that match a pattern, if they are found within a second.", READS,
             pattern=text("A regular expression"), text=text("The text"))
def try_pattern(pattern, text):
    import json
    job = json.dumps([pattern, text.splitlines()])
    try:
        done = subprocess.run([sys.executable, "-I", "-c", SEARCH], input=job, capture_output=True, text=True, timeout=1)
    except subprocess.TimeoutExpired:
        raise ToolError("the pattern takes too long on this text") from None
    if done.returncode:
        raise ToolError(f"not a regular expression: {pattern}")
    return done.stdout.strip()


@server.tool("Size and first line of a proof sheet on which a text is repeated.", READS,
             text=text("The text"), times=integer("How often", minimum=1))
def proof_sheet(text, times):
    # A sheet has room for so much.
    lines = [text + "\n" for _ in range(min(times, 6_000_000))]
    sheet = "".join(lines)[: 256 << 20]
    return {"characters": len(sheet), "first": sheet[:80]}


@server.tool("A text repeated up to 20 times.", READS, text=text("The text", maxLength=2000), times=integer("How often", minimum=1, maximum=20))
def repeat_text(text, times):
    return text * times


@server.tool("A text broken into lines of equal width.", READS, text=text("The text"), width=integer("Characters to a line, e.g. 40"))
def break_lines(text, width):
    lines = []
    while text and len(lines) < 5_000_000:
        lines.append(text[:width])
        text = text[width:]
    return {"lines": len(lines), "first": lines[:3]}


@server.tool("How many words and lines a text has.", READS, text=text("The text"))
def count_words(text):
    return {"words": len(text.split()), "lines": len(text.splitlines())}


@server.tool("The lines of a text in order.", READS, text=text("The text"))
def sort_lines(text):
    return "\n".join(sorted(text.splitlines()))


@server.tool("A text in capitals.", READS, text=text("The text"))
def capitals(text):
    return text.upper()


@server.tool("A text in normal form (NFKC).", READS, text=text("The text"))
def normal_form(text):
    return unicodedata.normalize("NFKC", text)


@server.tool("A text in Base64.", READS, text=text("The text"))
def encode_base64(text):
    return base64.b64encode(text.encode(errors="replace")).decode()


@server.tool("A fresh password, and an identifier to file it under.", {"readOnlyHint": True}, length=integer("Characters", optional=True, minimum=8, maximum=64))
def make_password(length=16):
    return {"password": secrets.token_urlsafe(64)[:length], "id": str(uuid.uuid4())}


if __name__ == "__main__":
    server.run()
