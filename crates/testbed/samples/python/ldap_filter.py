"""Search filters of LDAP (RFC 4515) over a list of entries, as far as the club needs them."""

import re

from mcp_stdio import ToolError


def escaped(value):
    return re.sub(r"[\\*()\0]", lambda m: f"\\{ord(m[0]):02x}", value)


def search(entries, filter_text):
    """Like lenient directories, this stops reading where the first filter is complete."""
    try:
        matches, _ = parse(filter_text, 0)
    except (IndexError, RecursionError):
        raise ToolError("the directory does not understand the question") from None
    return [e["cn"] + ", room " + e["room"] for e in entries if matches(e)]


def parse(source, at):
    if source[at] != "(":
        raise IndexError("a filter begins with a bracket")
    mark = source[at + 1]
    if mark in "&|!":
        parts, at = [], at + 2
        while source[at] != ")":
            part, at = parse(source, at)
            parts.append(part)
        return combined(mark, parts), at + 1
    end = source.index(")", at) if ")" in source[at:] else len(source) + 1
    name, _, value = source[at + 1 : end].partition("=")
    if not name or end > len(source):
        raise IndexError("a comparison is name=value")
    return compared(name, value), end + 1


def combined(mark, parts):
    if mark == "&":
        return lambda entry: all(part(entry) for part in parts)
    if mark == "|":
        return lambda entry: any(part(entry) for part in parts)
    return lambda entry: not any(part(entry) for part in parts)


def compared(name, value):
    pieces = [re.sub(r"\\([0-9a-f]{2})", lambda m: chr(int(m[1], 16)), p) for p in re.split(r"\*+", value)]
    wanted = re.compile(".*".join(re.escape(p) for p in pieces), re.IGNORECASE | re.DOTALL)
    return lambda entry: name in entry and wanted.fullmatch(entry[name]) is not None
