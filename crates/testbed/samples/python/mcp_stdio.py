"""A small MCP server over stdio: tools only, standard library only."""

import json
import sys
import traceback

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18")
TYPES = {
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
}


class ToolError(Exception):
    """Told to the caller as it stands."""


class RpcError(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Param:
    def __init__(self, schema, optional):
        self.schema, self.optional = schema, optional


def param(kind, description, optional=False, **rest):
    return Param({"type": kind, "description": description, **rest}, optional)


def text(description, **rest):
    return param("string", description, **rest)


def integer(description, **rest):
    return param("integer", description, **rest)


class Server:
    def __init__(self, name, version, instructions=None):
        self.info = {"name": name, "version": version}
        self.instructions = instructions
        self.client = ""
        self.tools = {}

    def tool(self, description, hints=None, **params):
        """Registers a function under its own name."""

        def register(function):
            definition = {
                "name": function.__name__,
                "description": description,
                "inputSchema": {
                    "type": "object",
                    "properties": {name: p.schema for name, p in params.items()},
                    "required": [name for name, p in params.items() if not p.optional],
                },
            }
            if hints:
                definition["annotations"] = hints
            self.tools[function.__name__] = (definition, function)
            return function

        return register

    def run(self):
        for line in sys.stdin.buffer:
            if line.strip():
                answer = self.answer(line)
                if answer is not None:
                    sys.stdout.write(json.dumps(answer) + "\n")
                    sys.stdout.flush()

    def answer(self, line):
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return failure(None, -32700, "parse error: every line must be one JSON message")
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return failure(None, -32600, "invalid request: expected a JSON-RPC 2.0 object")
        if "method" not in message:
            return None if "result" in message or "error" in message else failure(
                message.get("id"), -32600, "invalid request: no method")
        if "id" not in message:
            return None
        ident = message["id"]
        if not isinstance(ident, (str, int)) or isinstance(ident, bool):
            return failure(None, -32600, "invalid request: id must be a string or a number")
        try:
            return {"jsonrpc": "2.0", "id": ident, "result": self.dispatch(message)}
        except RpcError as error:
            return failure(ident, error.code, str(error))

    def dispatch(self, message):
        params = message.get("params", {})
        if not isinstance(params, dict):
            raise RpcError(-32602, "invalid params: expected an object")
        match message["method"]:
            case "initialize":
                return self.initialize(params)
            case "ping":
                return {}
            case "tools/list":
                if params.get("cursor") is not None:
                    raise RpcError(-32602, "invalid cursor: the list has one page")
                return {"tools": [definition for definition, _ in self.tools.values()]}
            case "tools/call":
                return self.call(params)
            case other:
                raise RpcError(-32601, f"method not found: {other}")

    def initialize(self, params):
        asked = params.get("protocolVersion")
        if not isinstance(asked, str):
            raise RpcError(-32602, "invalid params: protocolVersion must be a string")
        client = params.get("clientInfo")
        self.client = str(client.get("name", "")) if isinstance(client, dict) else ""
        result = {
            "protocolVersion": asked if asked in VERSIONS else VERSIONS[-1],
            "capabilities": {"tools": {}},
            "serverInfo": self.info,
        }
        if self.instructions:
            result["instructions"] = self.instructions
        return result

    def call(self, params):
        name, arguments = params.get("name"), params.get("arguments") or {}
        if not isinstance(name, str) or name not in self.tools:
            raise RpcError(-32602, f"unknown tool: {name}")
        if not isinstance(arguments, dict):
            raise RpcError(-32602, "invalid params: arguments must be an object")
        definition, function = self.tools[name]
        try:
            known = checked(definition["inputSchema"], arguments)
            return content(function(**known))
        except ToolError as error:
            return {**content(str(error)), "isError": True}
        except Exception:
            traceback.print_exc(file=sys.stderr)
            return {**content(f"{name} failed; the log of the server has the reason"), "isError": True}


def checked(schema, arguments):
    """The arguments that the tool knows, if they fit."""
    for name in schema["required"]:
        if name not in arguments:
            raise ToolError(f"{name} is missing")
    known = {n: v for n, v in arguments.items() if n in schema["properties"]}
    for name, value in known.items():
        rule = schema["properties"][name]
        if "type" in rule and not TYPES[rule["type"]](value):
            raise ToolError(f"{name} must be of type {rule['type']}")
        if "enum" in rule and value not in rule["enum"]:
            raise ToolError(f"{name} must be one of {', '.join(rule['enum'])}")
        if "minimum" in rule and value < rule["minimum"]:
            raise ToolError(f"{name} must be at least {rule['minimum']}")
        if "maximum" in rule and value > rule["maximum"]:
            raise ToolError(f"{name} must be at most {rule['maximum']}")
        if len(value) > rule["maxLength"] if "maxLength" in rule else False:
            raise ToolError(f"{name} must have at most {rule['maxLength']} characters")
    return known


def content(value):
    said = value if isinstance(value, str) else json.dumps(value)
    return {"content": [{"type": "text", "text": said}]}


def failure(ident, code, message):
    return {"jsonrpc": "2.0", "id": ident, "error": {"code": code, "message": message}}
