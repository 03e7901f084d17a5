"""Seed bank: lots of seed in a database, and the sheets that lie with them."""

import base64
import binascii
import json
import sqlite3
import sys
from pathlib import Path

from mcp_stdio import Param, Server, ToolError, text

server = Server("seed-bank", "2.1.0")
ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
READS = {"readOnlyHint": True, "openWorldHint": False}

db = sqlite3.connect(":memory:")
db.execute("CREATE TABLE lots (species TEXT, year INTEGER, grams INTEGER)")
db.executemany("INSERT INTO lots VALUES (?, ?, ?)", [("oak", 2019, 400), ("ash", 2020, 250), ("elm", 2021, 90)])

CONDITIONS = Param({
    "type": "array",
    "description": "Conditions that must all hold",
    "items": {
        "type": "object",
        "properties": {
            "column": {"type": "string", "description": "Column, e.g. `species` or `year`"},
            "value": {"type": "string", "description": "What it must be, e.g. `oak`"},
        },
        "required": ["column", "value"],
    },
}, False)


def rows(statement, values=()):
    try:
        return [list(row) for row in db.execute(statement, values)]
    except (sqlite3.Error, sqlite3.Warning, ValueError):
        raise ToolError("that cannot be answered") from None


def content_of(path):
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")[:20_000]
    except (OSError, ValueError):
        raise ToolError("there is no such sheet") from None


def inside(name):
    try:
        path = (ROOT / name).resolve()
    except (OSError, ValueError):
        raise ToolError("there is no such sheet") from None
    if not path.is_relative_to(ROOT):
        raise ToolError(f"{name} is not one of ours")
    return path


def plain(encoded):
    try:
        return base64.b64decode(encoded, validate=True).decode()
    except (binascii.Error, ValueError):
        raise ToolError("name must be Base64") from None


@server.tool("The largest lots.", READS, rows_wanted=text("How many, e.g. `2`"))
def largest_lots(rows_wanted):
    return rows(f"SELECT species, grams FROM lots ORDER BY grams DESC LIMIT {rows_wanted}")


@server.tool("The oldest lots.", READS, rows_wanted=text("How many, e.g. `2`"))
def oldest_lots(rows_wanted):
    if not rows_wanted.isascii() or not rows_wanted.isdigit() or len(rows_wanted) > 4:
        raise ToolError(f"{rows_wanted!r} is no number")
    return rows(f"SELECT species, year FROM lots ORDER BY year LIMIT {rows_wanted}")


@server.tool("Lots by several conditions.", READS, conditions=CONDITIONS)
def filter_lots(conditions):
    test = " AND ".join(f"{c['column']} = ?" for c in conditions) or "1"
    return rows(f"SELECT species, year FROM lots WHERE {test}", [c["value"] for c in conditions])


@server.tool("Lots by several conditions, as a list of names.", READS, conditions=CONDITIONS)
def select_lots(conditions):
    if any(c["column"] not in ("species", "year") for c in conditions):
        raise ToolError("a column is species or year")
    test = " AND ".join(f"{c['column']} = ?" for c in conditions) or "1"
    return rows(f"SELECT species FROM lots WHERE {test}", [c["value"] for c in conditions])


def species_in(query):
    try:
        return str(json.loads(query)["species"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ToolError('query must be JSON with "species"') from None


@server.tool("Lots by a query.", READS, query=text('JSON, for example `{"species": "oak"}`'))
def query_lots(query):
    return rows(f"SELECT species, year, grams FROM lots WHERE species = '{species_in(query)}'")


@server.tool("Weight of the lots that a query is about.", READS, query=text('JSON, for example `{"species": "oak"}`'))
def weigh_lots(query):
    return rows("SELECT sum(grams) FROM lots WHERE species = ?", [species_in(query)])


@server.tool("Whether there is a lot with a word in its name.", READS, word=text("Part of a name, e.g. `oak`"))
def has_lot(word):
    return "yes" if rows(f"SELECT 1 FROM lots WHERE species LIKE '%{word}%'") else "no"


@server.tool("A sheet of a lot.", READS, name=text("File name, e.g. `notes.md`"))
def read_sheet(name):
    path = (ROOT / name).resolve() if "\0" not in name else ROOT
    if not str(path).startswith(str(ROOT)):
        raise ToolError("there is no such sheet")
    return content_of(path)


@server.tool("A sheet by its encoded name.", READS, name=text("Name of the file in Base64, e.g. `bm90ZXMubWQ=`"))
def read_encoded(name):
    return content_of(ROOT / plain(name))


@server.tool("Size of a sheet by its encoded name.", READS, name=text("Name of the file in Base64, e.g. `bm90ZXMubWQ=`"))
def size_of_encoded(name):
    return f"{len(content_of(inside(plain(name))))} characters"


@server.tool("A sheet or a scan.", READS, kind=text("Either `sheet` or `scan`"), path=text("Path, e.g. `notes.md`"))
def read_either(kind, path):
    if kind not in ("sheet", "scan"):
        raise ToolError("kind must be sheet or scan")
    return content_of(ROOT / path)


@server.tool("A sheet from the old computer.", READS, path=text("Path with backslashes, e.g. `docs\\guide.md`"))
def read_old_path(path):
    if "../" in path or path.startswith("/"):
        raise ToolError("stay within the folder")
    return content_of(ROOT / path.replace("\\", "/"))


@server.tool("A sheet from the new computer.", READS, path=text("Path with slashes or backslashes, e.g. `docs\\guide.md`"))
def read_new_path(path):
    return content_of(inside(path.replace("\\", "/")))


@server.tool("Write the label of a lot to a file.", file=text("Path, e.g. `label.txt`"), label=text("What to write, e.g. `oak 2019`"))
def write_label(file, label):
    try:
        (ROOT / file).write_text(label[:200], encoding="utf-8")
    except (OSError, ValueError):
        raise ToolError("it could not be written") from None
    return "written"


@server.tool("Write the tag of a lot to a file.", file=text("Path, e.g. `tag.txt`"), label=text("What to write, e.g. `oak 2019`"))
def write_tag(file, label):
    try:
        inside(file).write_text(label[:200], encoding="utf-8")
    except (OSError, ValueError):
        raise ToolError(f"{file} could not be written") from None
    return "written"


@server.resource("lots://species/{species}", "Lots", "Lots of a species, for example `lots://species/oak`.")
def lots_of(species):
    return json.dumps(rows(f"SELECT species, year FROM lots WHERE species = '{species}'"))


@server.resource("lots://years/{year}", "Years", "Lots of a year, for example `lots://years/2019`.")
def lots_in(year):
    return json.dumps(rows("SELECT species, year FROM lots WHERE year = ?", [year]))


@server.prompt("Write a summary of a sheet.", sheet="File name, e.g. `notes.md`")
def summarise(sheet):
    try:
        return f"Summarise this sheet:\n\n{content_of(ROOT / sheet)}"
    except ToolError as error:
        return f"Say that {error}."


@server.prompt("Write a letter about a sheet.", sheet="File name, e.g. `notes.md`")
def letter_about(sheet):
    try:
        return f"Write a letter about this sheet:\n\n{content_of(inside(sheet))}"
    except ToolError as error:
        return f"Say that {error}."


if __name__ == "__main__":
    server.run()
