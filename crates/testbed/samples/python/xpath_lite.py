"""The part of XPath that the register needs: //member[condition] with and, or, =, != and brackets."""

import re

from mcp_stdio import ToolError

TOKEN = re.compile(r"\s*(?:(@\w+|\$\w+|'[^']*'|\"[^\"]*\"|!=|[=()\[\]]|\d+|\w+(?:-\w+)*))")


class Reader:
    def __init__(self, source, variables):
        self.tokens, self.variables, at = [], variables, 0
        while source[at:].strip():
            found = TOKEN.match(source, at)
            if not found:
                raise ValueError(source[at:])
            self.tokens.append(found[1])
            at = found.end()

    def take(self):
        return self.tokens.pop(0)

    def next_is(self, word):
        return bool(self.tokens) and self.tokens[0] == word

    def either(self):
        left = self.both()
        while self.next_is("or"):
            self.take()
            one, other = left, self.both()
            left = lambda node, a=one, b=other: a(node) or b(node)
        return left

    def both(self):
        left = self.comparison()
        while self.next_is("and"):
            self.take()
            one, other = left, self.comparison()
            left = lambda node, a=one, b=other: a(node) and b(node)
        return left

    def comparison(self):
        if self.next_is("("):
            self.take()
            inner = self.either()
            self.take()
            return inner
        left = self.operand()
        if not (self.next_is("=") or self.next_is("!=")):
            return lambda node: bool(left(node))
        equal = self.take() == "="
        right = self.operand()
        return lambda node: (str(left(node)) == str(right(node))) is equal

    def operand(self):
        token = self.take()
        if token in ("true", "false") and self.next_is("("):
            self.take(), self.take()
            return lambda node: token == "true"
        if token == "string-length":
            self.take()
            inner = self.operand()
            self.take()
            return lambda node: len(str(inner(node)))
        if token.startswith("@"):
            return lambda node: node.get(token[1:], "")
        if token.startswith("$"):
            return lambda node: self.variables[token[1:]]
        return lambda node: token[1:-1] if token[0] in "'\"" else int(token)


def select(nodes, path, variables=None):
    inner = re.fullmatch(r"//member\[(.*)\]", path, re.DOTALL)
    try:
        reader = Reader(inner[1], variables or {})
        condition = reader.either()
        if reader.tokens:
            raise ValueError("text after the end")
        return [node for node in nodes if condition(node)]
    except (IndexError, ValueError, TypeError, RecursionError):
        raise ToolError("the register does not understand the question") from None
