"""Library catalogue: books and notes that lie as files in one folder."""

import os
import sys
from pathlib import Path
from urllib.parse import unquote, urlparse

from mcp_stdio import Server, ToolError, text

server = Server("library-catalogue", "0.9.2")
ROOT = os.path.realpath(sys.argv[1] if len(sys.argv) > 1 else ".")
READS = {"readOnlyHint": True, "openWorldHint": False}


def content_of(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(20_000)
    except (OSError, ValueError):
        raise ToolError("there is no such file on the shelf") from None


def shelved(path):
    """The real path, if it is on the shelf."""
    try:
        found = (Path(ROOT) / path).resolve()
    except (OSError, ValueError, RuntimeError):
        raise ToolError(f"{path!r} is not a path") from None
    if not found.is_relative_to(ROOT):
        raise ToolError(f"{path!r} is not on the shelf")
    return found


@server.tool("Read a book.", READS, path=text("Path of the file on the shelf, such as notes.md"))
def read_book(path):
    return content_of(os.path.join(ROOT, path))


@server.tool("Read a chapter.", READS, file=text("File of the chapter, e.g. docs/guide.md"))
def read_chapter(file):
    if file.startswith("/"):
        raise ToolError("file must be relative to the shelf")
    return content_of(ROOT + "/" + file.replace("../", ""))


@server.tool("Read the note on a cover.", READS, file=text("File name, URL-encoded where needed"))
def read_cover_note(file):
    name = unquote(file)
    if ".." in name or name.startswith("/"):
        raise ToolError("file must be on the shelf")
    return content_of(os.path.join(ROOT, unquote(name)))


@server.tool("Open what is attached to an entry.", READS, uri=text("URI of the attachment: file:///… or shelf:NAME"))
def open_attachment(uri):
    parts = urlparse(uri)
    if parts.scheme == "shelf":
        return content_of(shelved(parts.path))
    if parts.scheme == "file":
        return content_of(unquote(parts.path))
    raise ToolError("an attachment is shelf:NAME or file:///…")


@server.tool("Read an extract.", READS, path=text("Full path of the file below the shelf's folder"))
def read_extract(path):
    full = path if path.startswith("/") else f"{ROOT}/{path.lstrip('.')}"
    if not full.startswith(ROOT + "/"):
        raise ToolError("the path does not begin with the shelf's folder")
    return content_of(full)


@server.tool("Read one page; pages are Markdown files.", READS, name=text("Name of the page (for example `notes.md`)"))
def read_page(name):
    if not name.endswith(".md"):
        raise ToolError("pages end in .md")
    # The indexer is written in C and sees the name the same way.
    return content_of(os.path.join(ROOT, name.split("\0", 1)[0]))


@server.tool("Put a volume on the shelf under another name.", name=text("New name"), target=text("File it stands for"))
def link_volume(name, target):
    place = shelved(os.path.basename(name) or "volume")
    if place.exists() or place.is_symlink():
        raise ToolError("that name is taken")
    try:
        os.symlink(target, place)
    except (OSError, ValueError):
        raise ToolError("the volume could not be linked") from None
    return f"linked as {place.name}"


@server.tool("Read a volume by its name on the shelf.", READS, name=text("Name of the volume, such as `notes.md`"))
def read_volume(name):
    path = os.path.normpath(os.path.join(ROOT, name))
    if os.path.commonpath([ROOT, path]) != ROOT:
        raise ToolError("the volume must be on the shelf")
    return content_of(path)


@server.tool("Read a text file.", READS, path=text("Path on the shelf, e.g. `notes.md`"))
def read_text(path):
    return content_of(shelved(path))


@server.tool("Names of what is in a folder.", READS, folder=text("Folder on the shelf", optional=True))
def list_shelf(folder="."):
    place = shelved(folder)
    if not place.is_dir():
        raise ToolError(f"{folder!r} is not a folder")
    return sorted(entry.name for entry in place.iterdir())


@server.tool("Save a text file; an old one of that name is replaced.", {"destructiveHint": True, "idempotentHint": True},
             path=text("Path on the shelf"), text=text("What to write"))
def save_text(path, text):
    place = shelved(path)
    try:
        place.write_text(text, encoding="utf-8", errors="replace")
    except (OSError, ValueError):
        raise ToolError(f"{path!r} cannot be written") from None
    return f"saved {len(text)} characters"


@server.tool("Remove a text file for good.", {"destructiveHint": True}, path=text("Path on the shelf"))
def discard_text(path):
    place = shelved(path)
    if place.is_dir() or not place.exists():
        raise ToolError(f"{path!r} is not a file on the shelf")
    place.unlink()
    return "discarded"


@server.tool("Take a path apart: folder, name, ending. Nothing is opened.", READS, path=text("Any path"))
def describe_path(path):
    folder, name = os.path.split(path)
    return {"path": path, "folder": folder, "name": name, "ending": os.path.splitext(name)[1]}


@server.tool("Lines of the shelf's Markdown files that hold a word.", READS, word=text("The word"))
def find_in_books(word):
    books = sorted(Path(ROOT).glob("*.md"))
    return [f"{b.name}: {line}" for b in books for line in b.read_text(errors="replace").splitlines() if word in line][:40]


if __name__ == "__main__":
    server.run()
