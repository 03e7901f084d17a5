"""Registry: people and their cards, for a reader of source code."""

import json
import os
from string import Template

import ldap
import ldap.filter
import httpx
from lxml import etree
from mcp.server.fastmcp import FastMCP
from pymongo import MongoClient

mcp = FastMCP("registry")
directory = ldap.initialize("ldap://127.0.0.1")
cards = etree.parse("cards.xml")
people = MongoClient().registry.people
BASE = "ou=people,dc=example,dc=org"
recent = []


@mcp.tool()
def find_person(name: str) -> list:
    return directory.search_s(BASE, ldap.SCOPE_SUBTREE, f"(&(objectClass=person)(cn={name}))")


@mcp.tool()
def find_uid(uid: str) -> list:
    safe = ldap.filter.escape_filter_chars(uid)
    return directory.search_s(BASE, ldap.SCOPE_SUBTREE, f"(&(objectClass=person)(uid={safe}))")


@mcp.tool()
def card_of(owner: str) -> str:
    return str(cards.xpath("//card[@owner='%s']/@number" % owner))


@mcp.tool()
def card_by_owner(owner: str) -> str:
    return str(cards.xpath("//card[@owner=$owner]/@number", owner=owner))


@mcp.tool()
def older_than(condition: str) -> list:
    return list(people.find({"$where": "this.age > " + condition}))


@mcp.tool()
def aged(years: int) -> list:
    return list(people.find({"age": years}))


@mcp.tool()
def import_card(xml: str) -> str:
    parser = etree.XMLParser(resolve_entities=True)
    return str(etree.fromstring(xml, parser).tag)


@mcp.tool()
async def portrait(url: str) -> int:
    async with httpx.AsyncClient() as web:
        answer = await web.get(url)
    return len(answer.content)


@mcp.tool()
async def emblem(town: str) -> int:
    async with httpx.AsyncClient() as web:
        answer = await web.get(f"https://emblems.example.org/{town}.svg")
    return len(answer.content)


@mcp.tool()
def merge_lists(files: list[str]) -> str:
    words = ["sort", "-u"]
    for file in files:
        words.append(file)
    return os.popen(" ".join(words)).read()


@mcp.tool()
def note(text: str) -> str:
    recent.append(text)
    return "noted"


@mcp.tool()
def notes_as_letter() -> str:
    return Template("\n".join(recent)).safe_substitute(house="registry")


@mcp.tool()
def show_notes() -> str:
    return json.dumps(recent)
