"""Print shop: jobs, fonts and proofs, done by the programs of the house."""

import os
import re
import shlex
import subprocess
import sys

from mcp_stdio import Server, ToolError, integer, text

server = Server("print-shop", "2.0.0")
FOLDER = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".")
READS = {"readOnlyHint": True, "openWorldHint": False}
jobs = {}


def output_of(command, **rest):
    try:
        done = subprocess.run(command, cwd=FOLDER, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=4,
                              errors="replace", **rest)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        raise ToolError("the program could not be run") from None
    return done.stdout[:5000]


@server.tool("First lines of a manuscript.", READS, manuscript=text("File, for example `notes.md`"))
def first_lines(manuscript):
    return output_of(f"head -n 5 {manuscript} 2>/dev/null", shell=True)


@server.tool("Letters of a word, one to a line, the way the proof reader wants them.", READS, word=text("The word"))
def spell_out(word):
    with os.popen("printf %s '" + word + "' | fold -w 1") as pipe:
        return pipe.read()[:5000]


@server.tool("Check that the printer with this name is known.", READS, printer=text("Name of the printer, e.g. `laser-1`"))
def check_printer(printer):
    subprocess.run("test -n '%s'" % printer.replace(" ", ""), shell=True, cwd=FOLDER, timeout=8, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return "The printer will be asked."


@server.tool("Compare a manuscript with the last proof.", READS, manuscript=text("File, for example `notes.md`"))
def compare_proof(manuscript):
    return output_of(["cat", *shlex.split(manuscript)] if manuscript.strip() else ["true"])


@server.tool("Lines of the manuscripts with a word.", READS, word=text("The word", maxLength=100))
def find_word(word):
    return output_of(["grep", "-rFi", "-e", word, "--", "."])


@server.tool("Open a job; answers with its number.", title=text("Title of the job"))
def open_job(title):
    jobs[len(jobs) + 1] = title
    return f"job {len(jobs)}"


@server.tool("Titles of all open jobs, as a ticket for the printer.", READS)
def job_ticket():
    titles = " ".join(shlex.quote(title) for title in jobs.values())
    return output_of(f"printf '%s\\n' ticket: {titles}", shell=True)


@server.tool("Characters of a text, counted by wc.", READS, text=text("The text"))
def count_characters(text):
    try:
        done = subprocess.run(["wc", "-m"], input=text.encode(errors="replace"), capture_output=True, timeout=4, check=False)
    except (OSError, subprocess.TimeoutExpired):
        raise ToolError("wc could not be run") from None
    return done.stdout.decode().strip()


@server.tool("The last lines of a manuscript.", READS, manuscript=text("File, for example `notes.md`"))
def last_lines(manuscript):
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_. -]{0,80}", manuscript):
        raise ToolError(f"{manuscript!r} is not the name of a manuscript; use letters, digits, dots and dashes")
    return output_of(f"tail -n 5 -- {shlex.quote(manuscript)} 2>/dev/null", shell=True)


@server.tool("The command that would print a manuscript. It is not run.", READS, manuscript=text("File, for example `notes.md`"))
def print_command(manuscript):
    return f"lp -d laser-1 -- {manuscript}; echo $?"


@server.tool("Whether a font is installed.", READS, font=text("Name of the font, e.g. `Garamond`"))
def has_font(font):
    found = font.lower() in ("garamond", "bodoni", "futura")
    return "installed" if found else f"sh: {font}: not found"


@server.tool("Labels of one text, row by row.", READS, label=text("What each label says"), rows=integer("How many"))
def label_sheet(label, rows):
    return f"{label[:20]:<24}\n" * min(rows, 500_000) + f"({rows} rows)"


@server.tool("Stickers of one text, row by row.", READS, label=text("What each sticker says"), rows=integer("How many"))
def sticker_sheet(label, rows):
    return f"{label[:20]:<24}\n" * min(rows, 200) + "(up to 200 rows)"


BOXES = [{"box": 11, "holder": "Lund", "code": "7719"}, {"box": 12, "holder": "Aalto", "code": "2260"}]


@server.tool("Pick-up boxes with their holders; codes are for clerks only.", READS, role=text("Who asks", enum=["visitor", "clerk"]))
def list_boxes(role):
    return [dict(box) if role == "clerk" else {"box": box["box"], "holder": box["holder"]} for box in BOXES]


STAFF = [{"name": "Mia", "role": "clerk", "desk": 4}, {"name": "Jon", "role": "courier"}]


@server.tool("Who works here in a role.", READS, role=text("Only these", enum=["clerk", "courier"]))
def list_staff(role):
    return [dict(person) for person in STAFF if person["role"] == role]


if __name__ == "__main__":
    server.run()
