"""Mail room: letters, labels and mails from templates, and what the post costs."""

import re
from email import message_from_string
from html import escape
from string import Template

from calculator import calculate
from mcp_stdio import Server, ToolError, param, text

server = Server("mail-room", "3.0.1")
READS = {"readOnlyHint": True, "openWorldHint": False}
HOUSE = {"sender": "Mail Room", "year": 2026, "city": "Delft"}


class Recipient:
    def __init__(self, name):
        self.name = name
        self.city = HOUSE["city"]


@server.tool("Show how a letter will look.", READS,
             template=text("Text with placeholders such as {{ name }} and {{ year }}"), name=text("Who gets it"))
def preview_letter(template, name):
    scope = {**HOUSE, "name": name}

    def fill(found):
        try:
            return str(eval(found[1], {}, scope))
        except Exception:
            return ""

    return re.sub(r"\{\{(.{1,400}?)\}\}", fill, template)


@server.tool("Show how an address label will look.", READS, template=text("Text with placeholders such as ${sender} or ${city}", examples=["From ${sender}"]))
def preview_label(template):
    def fill(found):
        try:
            return format(eval(found.group(1), dict(HOUSE)))
        except Exception:
            return found.group(0)

    return re.sub(r"[$#]\{([^{}]{1,400})\}", fill, template)


@server.tool("Show how a banner will look.", READS,
             template=text("Text with placeholders such as {to.name} and {to.city}"), name=text("Who gets it"))
def preview_banner(template, name):
    try:
        return template.format(to=Recipient(name), **HOUSE)[:5000]
    except (KeyError, IndexError, AttributeError, ValueError, TypeError):
        raise ToolError("the template has a placeholder that cannot be filled") from None


@server.tool("Show how a card will look.", READS, template=text("Text with placeholders such as $sender or ${city}"))
def preview_card(template):
    return Template(template).safe_substitute(HOUSE)


@server.tool("Show how a notice will look.", READS,
             template=text("Text with placeholders such as {{name}}", examples=["Dear {{name}}"]),
             values=param("object", "Texts for the placeholders", optional=True))
def preview_notice(template, values=None):
    known = {**HOUSE, **(values or {})}
    return re.sub(r"\{\{\s*(\w{1,40})\s*\}\}", lambda m: escape(str(known.get(m[1], ""))), template)


@server.tool("Text as HTML, with all marks escaped.", READS, text=text("The text"))
def render_html(text):
    return "<p>" + escape(text).replace("\n", "<br>") + "</p>"


@server.tool("The headers that a mail will go out with.", READS, to=text("Address of the recipient"), subject=text("Subject line"))
def preview_mail(to, subject):
    raw = f"From: room@example.com\r\nTo: {to}\r\nSubject: {subject}\r\nX-Mailer: mail-room\r\n\r\n"
    return dict(message_from_string(raw).items())


@server.tool("Compose a mail; answers with its headers.", READS, to=text("Address of the recipient"), subject=text("Subject line"))
def compose_mail(to, subject):
    for value in (to, subject):
        if not value.isprintable():
            raise ToolError(f"a header must be one line: {value!r}")
    return {"From": "room@example.com", "To": to, "Subject": subject}


@server.tool("Work out an amount.", READS, formula=text("A formula, such as 3 * 1.20"))
def work_out(formula):
    try:
        return f"{eval(formula)}"[:2000]
    except Exception:
        raise ToolError("the formula cannot be worked out") from None


@server.tool("Decide by a rule whether a parcel goes by air.", READS,
             rule=text("e.g. `weight < 2 and zone == 'EU'`"), weight=param("number", "Kilograms"))
def by_air(rule, weight):
    scope = {"weight": weight, "zone": "EU"}
    try:
        exec("verdict = (" + rule + ")", {"__builtins__": {}}, scope)
    except Exception:
        raise ToolError("the rule cannot be followed") from None
    return f"by air: {scope['verdict']}"[:2000]


macros = {}


@server.tool("Keep a macro under a name.", name=text("Name of the macro"), body=text("What it says (for example `year + 1`)"))
def save_macro(name, body):
    macros[name] = body
    return "kept"


@server.tool("What a kept macro comes to.", READS, name=text("Name of the macro"))
def play_macro(name):
    if name not in macros:
        raise ToolError(f"no macro is called {name!r}")
    try:
        return str(eval(compile(macros[name], "macro", "eval"), dict(HOUSE)))[:2000]
    except Exception:
        raise ToolError("the macro cannot be played") from None


@server.tool("Postage of a shipment by arithmetic.", READS, expression=text("Such as `2 * (3 + 0.5)`"))
def postage(expression):
    return f"{calculate(expression):.2f} EUR"


@server.tool("Read an address back, letter by letter as it was given.", READS, address=text("The address"))
def read_back(address):
    return address


def as_sent(subject):
    return f"From: room@example.com\r\nTo: desk@example.com\r\nSubject: {subject}\r\nX-Mailer: mail-room\r\n\r\nSee attached.\r\n"


@server.tool("A mail to the desk, as it goes over the wire.", READS, subject=text("Subject line"))
def raw_mail(subject):
    return as_sent(subject)


@server.tool("A reminder to the desk, as it goes over the wire.", READS, subject=text("Subject line"))
def raw_reminder(subject):
    return as_sent(" ".join(subject.split()))


if __name__ == "__main__":
    server.run()
