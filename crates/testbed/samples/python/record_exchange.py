"""Record exchange: takes catalogue records in the formats other libraries send."""

import base64
import binascii
import importlib
import io
import json
import pickle
import re
import xml.etree.ElementTree as ElementTree
import xml.sax
import zipfile
import zlib

from mcp_stdio import Server, ToolError, text

server = Server("record-exchange", "2.1.0")
READS = {"readOnlyHint": True, "openWorldHint": False}
LARGEST = 128 << 20


def decoded(data):
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise ToolError("expected Base64") from None


class Collector(xml.sax.ContentHandler):
    def __init__(self):
        super().__init__()
        self.texts = []

    def characters(self, content):
        if content.strip():
            self.texts.append(content.strip())


@server.tool("Take over a MARC record sent as XML; answers with the texts of its fields.", READS,
             xml=text("The record, e.g. `<record><title>Emma</title></record>`"))
def import_marc(xml):
    collector = Collector()
    reader = sax_reader(collector)
    try:
        reader.parse(io.StringIO(xml))
    except Exception:
        raise ToolError("the record is not well-formed XML") from None
    return collector.texts


def sax_reader(collector):
    reader = xml.sax.make_parser()
    # Older libraries keep their abbreviations in a separate file beside the record.
    reader.setFeature(xml.sax.handler.feature_external_ges, True)
    reader.setContentHandler(collector)
    return reader


@server.tool("Take over an ONIX message; answers with the names of its elements.", READS,
             xml=text("The message (for example `<product><title>Emma</title></product>`)"))
def import_onix(xml):
    try:
        root = ElementTree.fromstring(xml)
    except (ElementTree.ParseError, ValueError):
        raise ToolError("the message is not well-formed XML") from None
    return {element.tag: (element.text or "").strip()[:500] for element in root.iter()}


@server.tool("Take over a reading list sent as OPML; answers with its size and beginning.", READS,
             xml=text("The list, such as `<opml><outline>Emma</outline></opml>`"))
def import_opml(xml):
    names = dict(re.findall(r'<!ENTITY\s+(\w+)\s+"([^"]*)"', xml))
    body = re.sub(r"<!DOCTYPE.*?\]>", "", xml, flags=re.DOTALL)
    while (found := re.search(r"&(\w+);", body)) and found[1] in names and len(body) < LARGEST >> 3:
        body = body.replace(found[0], names[found[1]])
    said = re.sub(r"<[^>]{0,200}>", "", body)
    return {"characters": len(said), "beginning": said[:200]}


@server.tool("Take over a short record; documents with a DOCTYPE are turned away.", READS, xml=text("The record"))
def import_brief(xml):
    if "<!" in xml:
        raise ToolError(f"records must not have a DOCTYPE: {xml[:200]}")
    return import_onix(xml)


@server.tool("Bring back a basket from its saved state.", state=text("What save gave, in Base64", examples=["gASVCgAAAAAAAABdlIwERW1tYZRhLg=="]))
def restore_basket(state):
    try:
        basket = pickle.loads(decoded(state))
    except ToolError:
        raise
    except Exception:
        raise ToolError("that is not the state of a basket") from None
    return f"restored: {basket}"[:2000]


class PlainUnpickler(pickle.Unpickler):
    def find_class(self, module, name):
        raise pickle.UnpicklingError("only plain values are allowed")


@server.tool("Bring back bookmarks from their saved state.", state=text("What save gave, in Base64"))
def restore_marks(state):
    try:
        return f"restored: {PlainUnpickler(io.BytesIO(decoded(state))).load()}"[:2000]
    except ToolError:
        raise
    except Exception:
        raise ToolError("that is not the state of bookmarks") from None


@server.tool("Bring back a view from its saved state.", state=text("JSON in Base64, e.g. `eyJhIjogMX0=`"))
def restore_view(state):
    try:
        return {"restored": json.loads(decoded(state))}
    except (ValueError, RecursionError):
        raise ToolError("that is not the state of a view") from None


def scalar(value):
    """A value of a profile: text, number, or an object of Python by its tag."""
    tagged = re.fullmatch(r"!!python/(name|object/apply):([\w.]+)\s*(.*)", value)
    if not tagged:
        return plain(value)
    module, _, name = tagged[2].rpartition(".")
    thing = getattr(importlib.import_module(module or "builtins"), name)
    return thing if tagged[1] == "name" else thing(*[plain(v) for v in items(tagged[3])])


def plain(value):
    value = value.strip()
    if re.fullmatch(r"-?\d{1,15}", value):
        return int(value)
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"" else value


def items(value):
    value = value.strip()
    inner = value[1:-1] if value.startswith("[") and value.endswith("]") else value
    return re.findall(r"'[^']*'|\"[^\"]*\"|[^,\s][^,]*", inner)


def mapping(document, read):
    pairs = [line.partition(":") for line in document.splitlines() if line.strip() and ":" in line]
    # A line without key is one value: a document may be a scalar.
    if document.strip().startswith("!!"):
        return read(document.strip())
    return {key.strip(): read(value.strip()) for key, _, value in pairs}


@server.tool("Load the profile of a lending library.", yaml=text("YAML: one `key: value` a line"))
def load_profile(yaml):
    try:
        return f"profile: {mapping(yaml, scalar)}"[:2000]
    except Exception:
        raise ToolError("the profile cannot be read") from None


@server.tool("Load spine labels.", READS, yaml=text("YAML: one `key: value` a line"))
def load_labels(yaml):
    return {"labels": mapping(yaml, plain)}


def bundle(archive):
    try:
        return zipfile.ZipFile(io.BytesIO(decoded(archive)))
    except (zipfile.BadZipFile, ValueError):
        raise ToolError("that is not a zip archive") from None


@server.tool("Unpack a bundle of records; answers with the size of each.", READS, archive=text("Zip archive in Base64"))
def unpack_bundle(archive):
    taken, total = {}, 0
    with bundle(archive) as files:
        for name in files.namelist():
            if total < LARGEST:
                taken[name] = files.read(name)
                total += len(taken[name])
    return {name: len(data) for name, data in taken.items()}


@server.tool("Look into a bundle of records; more than 1 MiB is turned away.", READS, archive=text("Zip archive in Base64"))
def inspect_bundle(archive):
    sizes = {}
    with bundle(archive) as files:
        for entry in files.infolist()[:100]:
            with files.open(entry) as member:
                sizes[entry.filename] = len(member.read((1 << 20) + 1))
            if sum(sizes.values()) > 1 << 20:
                raise ToolError("the bundle is larger than 1 MiB")
    return sizes


@server.tool("Inflate a compressed note of up to 64 KiB.", READS, data=text("zlib data in Base64"))
def inflate_note(data):
    try:
        machine = zlib.decompressobj()
        note = machine.decompress(decoded(data), 65_536)
    except zlib.error:
        raise ToolError("that is not zlib data") from None
    if machine.unconsumed_tail:
        raise ToolError("the note is larger than 64 KiB")
    return note.decode(errors="replace")


if __name__ == "__main__":
    server.run()
