"""A server that writes files below the folder it is given, and fetches pages."""

import json
import os
import sys
import urllib.request

ROOT = os.path.realpath(sys.argv[1])


def text_schema(*names):
    return {"type": "object", "properties": {n: {"type": "string"} for n in names}, "required": list(names)}


TOOLS = [
    {"name": "write_file", "description": "Writes a file.", "inputSchema": text_schema("path", "content")},
    {"name": "read_file", "description": "Reads a file.", "inputSchema": text_schema("path")},
    {"name": "fetch_page", "description": "Fetches a page.", "inputSchema": text_schema("url")},
]


def inside(path):
    full = os.path.realpath(os.path.join(ROOT, path))
    if not full.startswith(ROOT + os.sep):
        raise ValueError("the path must lie below the folder")
    return full


def call(name, given):
    if name == "write_file":
        with open(inside(given["path"]), "w") as out:
            out.write(given["content"])
        return f"wrote {len(given['content'])} characters"
    if name == "read_file":
        with open(inside(given["path"]), errors="replace") as file:
            return file.read()
    if name == "fetch_page":
        with urllib.request.urlopen(given["url"], timeout=5) as page:
            return page.read().decode(errors="replace")
    raise LookupError(f"there is no tool {name}")


def answer(method, params):
    if method == "initialize":
        info = {"name": "world", "version": "1.0.0"}
        return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "ping":
        return {}
    if method == "tools/call":
        try:
            said, failed = call(params["name"], params.get("arguments") or {}), False
        except Exception as error:
            said, failed = f"{type(error).__name__}: {error}", True
        return {"content": [{"type": "text", "text": said}], "isError": failed}
    return None


for line in sys.stdin:
    try:
        message = json.loads(line)
    except ValueError:
        continue
    if not isinstance(message, dict) or "id" not in message:
        continue
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    result = answer(message.get("method"), message.get("params") or {})
    if result is None:
        reply["error"] = {"code": -32601, "message": "no such method"}
    else:
        reply["result"] = result
    print(json.dumps(reply), flush=True)
