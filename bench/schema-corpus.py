#!/usr/bin/env python3
"""Messages for bench/schema: received from real servers, made by hand for what those never send, the
latter with every member in turn spoilt, and seeded mutations of all. Prints a JSON object per line: revision, origin, answers, message.

    bench/schema-corpus.py MUTANTS EVIDENCE...      MUTANTS for each revision; evidence as JSON
"""
import copy, json, random, sys

REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]


def received(path):
    """What a recorded run received: (revision, method of the request, message)."""
    run = json.load(open(path))
    spoken = (run.get("handshake") or {}).get("revision")
    revisions, asked = {}, {}
    for frame in run["frames"]:
        try:
            message = json.loads(frame["text"])
        except RecursionError:
            # Our own deep frame; one that came back whole no validator of Python's would take either.
            if frame["direction"] != "sent":
                print("left out: a message nested too deep for Python", file=sys.stderr)
            continue
        except ValueError:
            continue
        connection = frame["connection"]
        key = (connection, json.dumps(message.get("id") if isinstance(message, dict) else None))
        if frame["direction"] == "sent":
            if isinstance(message, dict) and isinstance(message.get("method"), str):
                asked[key] = message["method"]
            continue
        answers = asked.get(key) if isinstance(message, dict) and "method" not in message else None
        if answers == "initialize" and isinstance(message.get("result"), dict):
            revisions[connection] = message["result"].get("protocolVersion")
        revision = revisions.get(connection, spoken)
        if revision in REVISIONS:
            yield revision, answers, message


# What a message of each kind looks like with everything that the newest revisions allow in it. The
# revisions that know less of it ignore the rest, or refuse it: that is what is measured.

META = {"acme/trace": "x"}
NOTES = {"audience": ["user", "assistant"], "priority": 0.5, "lastModified": "2026-01-01T00:00:00Z"}
ICONS = [{"src": "https://example.org/i.png", "mimeType": "image/png", "sizes": ["48x48"], "theme": "dark"}]
TEXT = {"type": "text", "text": "hello", "annotations": NOTES, "_meta": META}
IMAGE = {"type": "image", "data": "AA==", "mimeType": "image/png", "annotations": NOTES}
AUDIO = {"type": "audio", "data": "AA==", "mimeType": "audio/wav", "_meta": META}
LINK = {"type": "resource_link", "uri": "file:///a", "name": "a", "title": "A", "size": 3, "mimeType": "text/plain",
        "description": "d", "icons": ICONS, "annotations": NOTES}
EMBEDDED = {"type": "resource", "resource": {"uri": "file:///a", "text": "t", "mimeType": "text/plain", "_meta": META}}
BLOB = {"type": "resource", "resource": {"uri": "file:///a", "blob": "AA=="}, "annotations": NOTES}
BLOCKS = [TEXT, IMAGE, AUDIO, LINK, EMBEDDED, BLOB]
OLD_BLOCKS = [TEXT, IMAGE, EMBEDDED, BLOB]
USE = {"type": "tool_use", "id": "u", "name": "add", "input": {"a": 1}, "_meta": META}
USED = {"type": "tool_result", "toolUseId": "u", "content": [TEXT, LINK], "structuredContent": {"a": 1}, "isError": False}
SCHEMA = {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
          "properties": {"a": {"type": "number"}}, "required": ["a"]}
TOOL = {"name": "add", "title": "Add", "description": "Adds", "inputSchema": SCHEMA, "outputSchema": SCHEMA,
        "annotations": {"title": "Add", "readOnlyHint": True, "destructiveHint": False, "idempotentHint": True,
                        "openWorldHint": False},
        "icons": ICONS, "execution": {"taskSupport": "optional"}, "_meta": META}
INFO = {"name": "s", "version": "1", "title": "S", "description": "d", "websiteUrl": "https://example.org", "icons": ICONS}
CAPABILITIES = {"tools": {"listChanged": True}, "prompts": {"listChanged": False},
                "resources": {"listChanged": True, "subscribe": True}, "logging": {}, "completions": {},
                "experimental": {"x": {"y": 1}}, "extensions": {"io.example/x": {"y": "z"}},
                "tasks": {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}}
TASK = {"taskId": "t", "status": "working", "statusMessage": "m", "createdAt": "2026-01-01T00:00:00Z",
        "lastUpdatedAt": "2026-01-01T00:00:00Z", "ttl": None, "pollInterval": 5}
CHOICE = {"const": "a", "title": "A"}
FIELDS = {"s": {"type": "string", "title": "S", "format": "email", "minLength": 1, "maxLength": 9, "default": "x"},
          "n": {"type": "integer", "minimum": 0, "maximum": 9, "default": 1}, "b": {"type": "boolean", "default": True},
          "e": {"type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"], "default": "a"},
          "o": {"type": "string", "oneOf": [CHOICE], "description": "d"},
          "m": {"type": "array", "items": {"type": "string", "enum": ["a"]}, "minItems": 0, "maxItems": 1, "default": ["a"]},
          "t": {"type": "array", "items": {"anyOf": [CHOICE, CHOICE]}, "title": "T", "minItems": 0, "maxItems": 2, "default": ["a"]}}
FEWER = {name: FIELDS[name] for name in "snbe"}
FORM = {"mode": "form", "message": "Who?", "requestedSchema": {"type": "object", "properties": FIELDS, "required": ["s"]}}
PLAIN = {"message": "Who?", "requestedSchema": {"$schema": "x", "type": "object", "properties": FEWER}}
URL = {"mode": "url", "message": "Go", "url": "https://example.org", "elicitationId": "e", "task": {"ttl": 5}}
SAMPLING = {"messages": [{"role": "user", "content": TEXT}, {"role": "assistant", "content": IMAGE}], "maxTokens": 9,
            "systemPrompt": "s", "includeContext": "none", "temperature": 0.5, "stopSequences": ["."], "metadata": {"k": 1},
            "modelPreferences": {"hints": [{"name": "m"}], "costPriority": 0, "speedPriority": 1, "intelligencePriority": 0.5},
            "_meta": {"progressToken": 7}}
TOOLED = {**SAMPLING, "messages": [{"role": "assistant", "content": [TEXT, USE], "_meta": META}, {"role": "user", "content": USED}],
          "tools": [TOOL], "toolChoice": {"mode": "auto"}, "task": {"ttl": 5}}
ASK = {"f": {"method": "elicitation/create", "params": FORM}, "u": {"method": "elicitation/create", "params": URL},
       "s": {"method": "sampling/createMessage", "params": TOOLED}, "r": {"method": "roots/list", "params": {"_meta": META}}}
FULL = {"resultType": "complete", "_meta": {"io.modelcontextprotocol/serverInfo": INFO}}
CACHED = {**FULL, "ttlMs": 60000, "cacheScope": "public"}
PAGE = {**CACHED, "nextCursor": "c"}
ASKING = {**FULL, "resultType": "input_required", "inputRequests": ASK, "requestState": "s"}

RESULTS = [
    ("initialize", {**FULL, "protocolVersion": "2025-06-18", "serverInfo": INFO, "capabilities": CAPABILITIES, "instructions": "i"}),
    ("server/discover", {**CACHED, "supportedVersions": ["2026-07-28"], "capabilities": CAPABILITIES, "instructions": "i"}),
    ("ping", FULL), ("logging/setLevel", FULL), ("resources/subscribe", FULL), ("resources/unsubscribe", {}),
    ("tools/list", {**PAGE, "tools": [TOOL, {"name": "b", "inputSchema": {"type": "object"}}]}),
    ("tools/call", {**FULL, "content": BLOCKS, "structuredContent": {"a": 1}, "isError": False}),
    ("tools/call", {**FULL, "content": OLD_BLOCKS}), ("tools/call", {**FULL, "content": BLOCKS[3:], "structuredContent": [1]}),
    ("tools/call", ASKING), ("prompts/get", ASKING), ("resources/read", {**FULL, "resultType": "input_required"}),
    ("tools/call", {**FULL, "task": TASK}), ("tools/call", {**FULL, "resultType": "task", "taskId": "t"}),
    ("prompts/list", {**PAGE, "prompts": [{"name": "p", "title": "P", "description": "d", "icons": ICONS, "_meta": META,
                                           "arguments": [{"name": "a", "title": "A", "description": "d", "required": True}]}]}),
    ("prompts/get", {**FULL, "description": "d", "messages": [{"role": "user", "content": block} for block in BLOCKS]}),
    ("prompts/get", {**FULL, "messages": [{"role": "assistant", "content": block} for block in OLD_BLOCKS]}),
    ("resources/list", {**PAGE, "resources": [{k: v for k, v in LINK.items() if k != "type"}]}),
    ("resources/templates/list", {**PAGE, "resourceTemplates": [{"uriTemplate": "file:///{x}", "name": "t", "title": "T",
                                  "description": "d", "mimeType": "text/plain", "annotations": NOTES, "icons": ICONS, "_meta": META}]}),
    ("resources/read", {**CACHED, "contents": [EMBEDDED["resource"], BLOB["resource"]]}),
    ("completion/complete", {**FULL, "completion": {"values": ["a", "b"], "total": 2, "hasMore": False}}),
    ("completion/complete", {**FULL, "completion": {"values": ["a"] * 101}}),
    ("tasks/get", {**FULL, **TASK}), ("tasks/cancel", {**FULL, **TASK, "status": "cancelled", "ttl": 5}),
    ("tasks/list", {**PAGE, "tasks": [TASK]}), ("tasks/result", {**FULL, "content": [TEXT]}),
    ("subscriptions/listen", {**FULL, "_meta": {**FULL["_meta"], "io.modelcontextprotocol/subscriptionId": "s"}}),
    ("acme/own", {**FULL, "x": 1}), (None, FULL),
    ("server/discover", {**CACHED, "supportedVersions": [], "capabilities": {"extensions": {"x": {"half": 0.5, "none": None}}}}),
]
ASKED = [("ping", None), ("ping", {"_meta": {"progressToken": "p"}}), ("roots/list", None), ("roots/list", {"_meta": META}),
         ("sampling/createMessage", SAMPLING), ("sampling/createMessage", TOOLED), ("elicitation/create", FORM),
         ("elicitation/create", PLAIN), ("elicitation/create", URL), ("tasks/get", {"taskId": "t"}), ("tasks/result", {"taskId": "t"}),
         ("tasks/cancel", {"taskId": "t"}), ("tasks/list", {"cursor": "c"}), ("acme/own", {"x": 1}), ("tools/call", {"name": "a"})]
TAGGED = {"_meta": {"io.modelcontextprotocol/subscriptionId": 1}}
TOLD = [("cancelled", {"requestId": 1, "reason": "r"}), ("progress", {"progressToken": 1, "progress": 0.5, "total": 1, "message": "m"}),
        ("message", {"level": "info", "data": {"a": 1}, "logger": "l"}), ("resources/updated", {"uri": "file:///a", **TAGGED}),
        ("resources/list_changed", None), ("tools/list_changed", TAGGED), ("prompts/list_changed", {"_meta": META}),
        ("initialized", None), ("roots/list_changed", None), ("acme/own", {"x": 1}), ("tasks/status", {**TASK, "_meta": META}),
        ("elicitation/complete", {"elicitationId": "e"}),
        ("subscriptions/acknowledged", {**TAGGED, "notifications": {"toolsListChanged": True, "promptsListChanged": False,
                                        "resourcesListChanged": True, "resourceSubscriptions": ["file:///a"]}})]
ERRORS = [{"code": -32601, "message": "m"}, {"code": -32602, "message": "m", "data": {"a": 1}},
          {"code": -32042, "message": "m", "data": {"elicitations": [URL]}},
          {"code": -32020, "message": "m"}, {"code": -32022, "message": "m", "data": {"requested": "x", "supported": ["2026-07-28"]}},
          {"code": -32021, "message": "m", "data": {"requiredCapabilities": {"elicitation": {"form": {}, "url": {}}, "roots": {},
           "sampling": {"context": {}, "tools": {}}, "experimental": {"x": {}}, "extensions": {"x": {"y": 1}}}}}]


def made():
    def envelope(**members):
        return {"jsonrpc": "2.0", **{name: value for name, value in members.items() if value is not None}}

    for method, result in RESULTS:
        yield method, envelope(id=1, result=result)
    for method, params in ASKED:
        yield None, envelope(id="q", method=method, params=params)
    for method, params in TOLD:
        yield None, envelope(method=f"notifications/{method}", params=params)
    for error in ERRORS:
        yield "tools/call", envelope(id=1, error=error)
    yield "tools/call", {"jsonrpc": "2.0", "id": None, "error": ERRORS[0]}
    yield None, {"jsonrpc": "2.0", "error": ERRORS[0]}
    yield None, [envelope(id=1, result={}), envelope(id=2, error=ERRORS[0])]
    yield None, [envelope(method="notifications/message", params=TOLD[2][1]), envelope(id=1, method="ping")]
    for odd in ([], {}, None, "text", 7, {"jsonrpc": "2.0", "id": 1}):
        yield None, odd


# Mutation

# Where a revision has not the method, every mutant is refused for that alone, which tells little.
SPAN = {"elicitation/create": REVISIONS[2:4], "notifications/elicitation/complete": REVISIONS[3:4],
        "notifications/tasks/status": REVISIONS[3:4], "notifications/subscriptions/acknowledged": REVISIONS[4:],
        **{f"tasks/{verb}": REVISIONS[3:4] for verb in ("get", "result", "cancel", "list")},
        **{method: REVISIONS[:4] for method in ("ping", "roots/list", "sampling/createMessage")},
        **{method: [] for method in ("tools/call", "notifications/initialized", "notifications/roots/list_changed")}}


def telling(revision, message):
    if isinstance(message, list):
        return revision == "2025-03-26"
    return isinstance(message, dict) and revision in SPAN.get(message.get("method"), REVISIONS)


VALUES = [None, True, False, 0, -1, 1, 2.0, 1.5, 1e300, "", "x", "text", [], {}, [1], ["a"], [None], {"a": 1}, {"a": {}}, {"type": "object"}]


def parts(value):
    """Every (container, key) below a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in list(items):
        yield value, key
        yield from parts(child)


def spoilt(message):
    """The message with one member gone or of another type, for every member."""
    message = copy.deepcopy(message)
    for into, key in list(parts(message)):
        kept = into[key]
        for value in (None, 7, -1.5, "zz", [], {}):
            into[key] = value
            yield message
        into[key] = kept
        if isinstance(into, dict):
            rest = dict(into)
            del into[key]
            yield message
            into.update(rest)


def pick(rng, message):
    """A place in the message; every depth is about equally likely, whatever hangs below it."""
    at, trail = message, []
    while isinstance(at, (dict, list)) and at:
        key = rng.choice(list(at) if isinstance(at, dict) else range(len(at)))
        trail.append((at, key))
        at = at[key]
    return rng.choice(trail) if trail else None


def mutate(rng, message, words):
    place = pick(rng, message)
    if place is None:
        return copy.deepcopy(rng.choice(VALUES))
    into, key = place
    kind = rng.randrange(9)
    if kind == 0:
        del into[key]
    elif kind in (1, 2):
        into[key] = copy.deepcopy(rng.choice(VALUES))
    elif kind == 3:
        into[key] = rng.choice(words["strings"])
    elif kind == 4:
        into[key] = None
    elif kind == 5 and isinstance(into, dict):
        name = rng.choice(words["keys"])
        into[name] = copy.deepcopy(rng.choice(words["under"][name]) if rng.random() < 0.5 else rng.choice(VALUES))
    elif kind == 6 and isinstance(into, dict):
        into[rng.choice(words["keys"] + ["unknownKey"])] = into.pop(key)
    elif kind == 7 and isinstance(into[key], list):
        into[key].insert(rng.randrange(len(into[key]) + 1), copy.deepcopy(rng.choice(VALUES + BLOCKS + [TOOL, USE])))
    else:
        name = key if key in words["under"] and rng.random() < 0.7 else rng.choice(words["keys"])
        into[key] = copy.deepcopy(rng.choice(words["under"][name]))
    return message


def trimmed(value, most=3):
    """The same with at most three entries in every array: big lists drown what is rare in them."""
    if isinstance(value, dict):
        return {name: trimmed(child) for name, child in value.items()}
    return [trimmed(child) for child in value[:most]] if isinstance(value, list) else value


def main():
    mutants, paths = int(sys.argv[1]), sys.argv[2:]

    def put(revision, origin, answers, message):
        print(json.dumps({"revision": revision, "origin": origin, "answers": answers, "message": message}))

    kinds = {}
    for path in paths:
        for revision, answers, message in received(path):
            put(revision, "real", answers, message)
            method = message.get("method") if isinstance(message, dict) else None
            if len(json.dumps(message)) < 20_000:
                kinds.setdefault((revision, answers, method), []).append((answers, trimmed(message)))
    by_hand = list(made())
    words = {"keys": set(), "strings": set(), "under": {}}
    for _, message in by_hand:
        for into, key in parts(message):
            if isinstance(into[key], str):
                words["strings"].add(into[key])
            if isinstance(key, str):
                words["keys"].add(key)
                words["under"].setdefault(key, []).append(into[key])
    words["keys"], words["strings"] = sorted(words["keys"]), sorted(words["strings"])
    for revision in REVISIONS:
        rng = random.Random(f"schema {revision}")
        groups = [[seed] for seed in by_hand if telling(revision, seed[1])] + [seeds for kind, seeds in kinds.items() if kind[0] == revision]
        for answers, message in by_hand:
            put(revision, "made", answers, message)
            for bad in spoilt(message) if telling(revision, message) else ():
                put(revision, "mutated", answers, bad)
        for _ in range(mutants):
            answers, message = rng.choice(rng.choice(groups))
            message = copy.deepcopy(message)
            for _ in range(rng.choice([1, 1, 1, 2, 3])):
                message = mutate(rng, message, words)
            put(revision, "mutated", answers, message)


main()
