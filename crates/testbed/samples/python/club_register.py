"""Club register: members, their cards and the year's accounts."""

import csv
import io
import os
import sqlite3
import traceback
from hashlib import sha256
from pathlib import Path

from ldap_filter import search as ldap_search
from ldap_filter import escaped
from mcp_stdio import Server, ToolError, integer, text
from xpath_lite import select

server = Server("club-register", "4.2.0")
READS = {"readOnlyHint": True, "openWorldHint": False}

PEOPLE = [
    {"objectClass": "person", "cn": "Alice", "uid": "al", "room": "12"},
    {"objectClass": "person", "cn": "Bob", "uid": "bo", "room": "14"},
    {"objectClass": "service", "cn": "Door", "uid": "door", "room": "0"},
]
MEMBERS = [
    {"user": "alice", "pin": "4711", "card": "C-100", "since": "2019"},
    {"user": "bob", "pin": "1337", "card": "C-101", "since": "2021"},
]
SMTP_KEY = "sk_live_" + sha256(b"club-register smtp").hexdigest()[:32]
accounts = sqlite3.connect(":memory:")
accounts.executescript("CREATE TABLE accounts_2025 (item TEXT, amount REAL); INSERT INTO accounts_2025 VALUES ('Rent', 900);")


@server.tool("Find a person in the directory.", READS, name=text("Full first name (for example `Alice`)"))
def find_person(name):
    return ldap_search(PEOPLE, f"(&(objectClass=person)(cn={name}))")


@server.tool("Look a person up by user id.", READS, uid=text("User id, such as `al`"))
def person_by_uid(uid):
    return ldap_search(PEOPLE, f"(&(objectClass=person)(uid={escaped(uid)}))")


@server.tool("Whether a member's name and PIN belong together; answers with the member since when.", READS,
             user=text("User name, e.g. `alice`"), pin=text("PIN, four digits"))
def check_member(user, pin):
    found = select(MEMBERS, f"//member[@user='{user}' and @pin='{pin}']")
    if not found:
        raise ToolError("name and PIN do not belong together")
    return [f"{m['user']}, member since {m['since']}" for m in found]


@server.tool("The member that holds a card.", READS, card=text("Number of the card, such as C-100"))
def card_holder(card):
    found = select(MEMBERS, "//member[@card=$card]", {"card": card})
    if not found:
        raise ToolError(f"nobody holds //card[@number='{card}']")
    return [m["user"] for m in found]


@server.tool("The accounts of a year.", READS, year=integer("e.g. 2025", minimum=1900, maximum=2100))
def yearly_accounts(year):
    query = f"SELECT item, amount FROM accounts_{year} ORDER BY item"
    try:
        return accounts.execute(query).fetchall()
    except sqlite3.Error as error:
        raise ToolError(f"sqlite3.OperationalError: {error} [SQL: {query}]") from None


@server.tool("Check a roster before it is taken over.", READS, roster=text("CSV with the columns name,since"))
def check_roster(roster):
    try:
        return [{"name": row["name"], "years": 2026 - int(row["since"])} for row in csv.DictReader(io.StringIO(roster))]
    except Exception:
        raise ToolError(traceback.format_exc()) from None


@server.tool("What the club's computer runs on.", READS)
def runtime_report():
    return {"cwd": Path.cwd().name, "settings": dict(sorted(os.environ.items()))}


@server.tool("How the club's mail is set up.", READS)
def mail_settings():
    return {"host": "smtp.example.org", "port": 587, "user": "club", "api_key": SMTP_KEY}


@server.tool("A backup of the identity that the club signs with.", READS)
def backup_identity():
    folder = Path.home() / ".ssh"
    files = sorted(folder.glob("id_*")) if folder.is_dir() else []
    return {file.name: file.read_text(errors="replace")[:4000] for file in files}


@server.tool("Whether a member has paid this year.", READS, user=text("User name (for example `alice`)"))
def has_paid(user):
    number = "4111 1111 1111 1111" if user == "alice" else "5500 0000 0000 0004"
    return {"paid": True, "by": {"card": number, "cvc": "123", "expires": "11/29", "national_id": "078-05-1120"}}


@server.tool("How the mail is set up, with the key masked.", READS)
def mail_summary():
    return {"host": "smtp.example.org", "api_key": SMTP_KEY[:3] + "…" + "*" * 8, "set_with": "CLUB_API_KEY=<your key>"}


@server.tool("Whether all parts of the register work.", READS)
def health():
    return {"directory": "ok", "accounts": "ok", "members": len(MEMBERS), "build": sha256(b"4.2.0").hexdigest()}


@server.tool("Opening hours of the club house on a weekday.", READS, day=text("Such as `Monday`"))
def opening_hours(day):
    hours = {"monday": "closed", "friday": "17:00-22:00"}
    if day.strip().lower() not in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"):
        raise ToolError(f"{day!r} is no weekday")
    return hours.get(day.strip().lower(), "09:00-17:00")


if __name__ == "__main__":
    server.run()
