"""A small MCP server over stdio: tools, resources and prompts; standard library only."""

import json
import sys
import traceback
from urllib.parse import unquote

VERSIONS = ("2024-11-05", "2025-06-18")
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
        self.tools, self.resources, self.prompts = {}, {}, {}

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

    def resource(self, uri, name, description):
        """Registers a function that reads a resource, or a template of them: `thing://{name}`."""

        def register(function):
            key = "uriTemplate" if "{" in uri else "uri"
            definition = {key: uri, "name": name, "description": description, "mimeType": "text/plain"}
            self.resources[uri] = (definition, function)
            return function

        return register

    def prompt(self, description, **arguments):
        """Registers a function that writes a prompt; all of its arguments are needed."""

        def register(function):
            named = [{"name": name, "description": said, "required": True} for name, said in arguments.items()]
            definition = {"name": function.__name__, "description": description, "arguments": named}
            self.prompts[function.__name__] = (definition, function)
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
        if "method" not in message and ("result" in message or "error" in message):
            return None
        if not isinstance(message.get("method"), str) or not isinstance(message.get("params", {}), dict):
            return failure(message.get("id"), -32600, "invalid request: expected a method and an object of params")
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
        match message["method"]:
            case "initialize":
                return self.initialize(params)
            case "ping":
                return {}
            case "tools/list":
                return listing("tools", self.tools, params)
            case "tools/call":
                return self.call(params)
            case "resources/list" if self.resources:
                return listing("resources", whole(self.resources, "uri"), params)
            case "resources/templates/list" if self.resources:
                return listing("resourceTemplates", whole(self.resources, "uriTemplate"), params)
            case "resources/read" if self.resources:
                return self.read(params)
            case "prompts/list" if self.prompts:
                return listing("prompts", self.prompts, params)
            case "prompts/get" if self.prompts:
                return self.get(params)
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
            "capabilities": {
                "tools": {},
                **({"resources": {}} if self.resources else {}),
                **({"prompts": {}} if self.prompts else {}),
            },
            "serverInfo": self.info,
        }
        if self.instructions:
            result["instructions"] = self.instructions
        return result

    def call(self, params):
        name, arguments = params.get("name"), params.get("arguments", {})
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


    def read(self, params):
        uri = params.get("uri")
        if not isinstance(uri, str):
            raise RpcError(-32602, "invalid params: uri must be a string")
        for pattern, (_, function) in self.resources.items():
            stem, mark, _ = pattern.partition("{")
            if uri == pattern or mark and uri.startswith(stem) and len(uri) > len(stem):
                try:
                    said = function(unquote(uri[len(stem):])) if mark else function()
                except ToolError as error:
                    raise RpcError(-32002, str(error)) from None
                return {"contents": [{"uri": uri, "mimeType": "text/plain", "text": said}]}
        raise RpcError(-32002, f"resource not found: {uri}")

    def get(self, params):
        name, given = params.get("name"), params.get("arguments", {})
        if not isinstance(name, str) or name not in self.prompts or not isinstance(given, dict):
            raise RpcError(-32602, f"unknown prompt: {name}")
        definition, function = self.prompts[name]
        wanted = [argument["name"] for argument in definition["arguments"]]
        if any(not isinstance(given.get(argument), str) for argument in wanted):
            raise RpcError(-32602, f"{name} needs the texts {', '.join(wanted)}")
        said = function(**{argument: given[argument] for argument in wanted})
        return {"messages": [{"role": "user", "content": {"type": "text", "text": said}}]}


def whole(resources, key):
    return {uri: pair for uri, pair in resources.items() if key in pair[0]}


def listing(key, registered, params):
    if params.get("cursor") is not None:
        raise RpcError(-32602, "invalid cursor: the list has one page")
    return {key: [definition for definition, _ in registered.values()]}


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
