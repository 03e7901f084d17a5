"""The part of XPath 1.0 that the register needs: //member[condition] with its operators and common functions."""

import re

from mcp_stdio import ToolError

TOKEN = re.compile(r"\s*(@\w+|\$\w+|'[^']*'|\"[^\"]*\"|!=|<=|>=|[=<>()\[\],]|\d+(?:\.\d+)?|[a-z]+(?:-[a-z]+)*)")
RELATIONS = {
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}
FUNCTIONS = {
    "true": lambda: True,
    "false": lambda: False,
    "not": lambda a: not a,
    "boolean": bool,
    "number": lambda a: number(a),
    "string": lambda a: string(a),
    "string-length": lambda a: float(len(string(a))),
    "concat": lambda *parts: "".join(string(p) for p in parts),
    "contains": lambda a, b: string(b) in string(a),
    "starts-with": lambda a, b: string(a).startswith(string(b)),
}


def number(value):
    try:
        return float(value)
    except ValueError:
        return float("nan")


def string(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else value


def equal(a, b):
    for kind, cast in ((bool, bool), (float, number)):
        if isinstance(a, kind) or isinstance(b, kind):
            return cast(a) == cast(b)
    return a == b


class Reader:
    """Reads a condition to a function of a node."""

    def __init__(self, source, variables):
        self.tokens, self.variables, at = [], variables, 0
        source = source.rstrip()
        while at < len(source):
            found = TOKEN.match(source, at)
            if not found:
                raise ValueError("not XPath")
            self.tokens.append(found[1])
            at = found.end()
        self.tokens.reverse()

    def take(self, expected=None):
        token = self.tokens.pop()
        if expected and token != expected:
            raise ValueError(f"expected {expected}")
        return token

    def sees(self, *words):
        return bool(self.tokens) and self.tokens[-1] in words

    def either(self):
        parts = [self.both()]
        while self.sees("or"):
            self.take()
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else lambda node: any(part(node) for part in parts)

    def both(self):
        parts = [self.comparison()]
        while self.sees("and"):
            self.take()
            parts.append(self.comparison())
        return parts[0] if len(parts) == 1 else lambda node: all(part(node) for part in parts)

    def comparison(self):
        left = self.operand()
        if self.sees("=", "!="):
            same, right = self.take() == "=", self.operand()
            return lambda node: equal(left(node), right(node)) is same
        if self.sees(*RELATIONS):
            holds, right = RELATIONS[self.take()], self.operand()
            return lambda node: holds(number(left(node)), number(right(node)))
        return left

    def operand(self):
        token = self.take()
        if token == "(":
            inner = self.either()
            self.take(")")
            return inner
        if token in FUNCTIONS:
            return self.function(FUNCTIONS[token])
        if token.startswith("@"):
            return lambda node: node.get(token[1:], "")
        if token.startswith("$"):
            value = self.variables[token[1:]]
            return lambda node: value
        value = token[1:-1] if token[0] in "'\"" else float(token)
        return lambda node: value

    def function(self, function):
        arguments = []
        self.take("(")
        while not self.sees(")"):
            if arguments:
                self.take(",")
            arguments.append(self.either())
        self.take(")")
        return lambda node: function(*[argument(node) for argument in arguments])


def select(nodes, path, variables=None):
    inner = re.fullmatch(r"//member\[(.*)\]", path, re.DOTALL)
    try:
        reader = Reader(inner[1], variables or {})
        condition = reader.either()
        if reader.tokens:
            raise ValueError("text after the end")
        return [node for node in nodes if condition(node)]
    except (IndexError, KeyError, ValueError, TypeError, RecursionError):
        raise ToolError("the register does not understand the question") from None
