"""A server that makes its store anew when it starts, and notices when it is taken away."""

import json
import os
import sys

STORE = os.path.join(sys.argv[1], "store.jsonl")
if os.path.exists(STORE):
    os.remove(STORE)
store = open(STORE, "a+")

SCHEMA = {"type": "object", "properties": {"text": {"type": "string", "description": "The note"}}, "required": ["text"]}
TOOLS = [{"name": "add_note", "description": "Adds a note.", "inputSchema": SCHEMA}]


def add(given):
    if not os.path.exists(STORE) or os.stat(STORE).st_ino != os.fstat(store.fileno()).st_ino:
        return "the store was replaced", True
    store.write(json.dumps(given.get("text")) + "\n")
    store.flush()
    return f"added {given.get('text')}", False


def answer(method, params):
    if method == "initialize":
        info = {"name": "fresh-store", "version": "1.0.0"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        said, failed = add(params.get("arguments") or {})
        return {"content": [{"type": "text", "text": said}], "isError": failed}
    return {} if method == "ping" else None


for line in sys.stdin:
    try:
        asked = json.loads(line)
        said = answer(asked["method"], asked.get("params") or {})
    except (ValueError, KeyError, TypeError, AttributeError):
        continue
    if "id" in asked and said is not None:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": said}), flush=True)
    elif "id" in asked:
        error = {"code": -32601, "message": "no such method"}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "error": error}), flush=True)
