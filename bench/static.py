"""Compares what proofmark suspects from source with labels: see bench/static."""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tomllib

# What parsers look for at all; other classes are out of their reach and counted apart.
SOUGHT = {"command_injection", "argument_injection", "code_injection", "sql_injection", "path_traversal",
          "ssrf", "ssti", "unsafe_deserialization", "xxe", "ldap_injection", "xpath_injection", "nosql_injection"}
ENDINGS = (".py", ".js", ".mjs", ".ts", ".go", ".rs")


def options():
    parser = argparse.ArgumentParser(prog="bench/static")
    parser.add_argument("proofmark")
    parser.add_argument("home")
    parser.add_argument("--dir", help="a folder with other labels")
    parser.add_argument("-v", action="store_true", help="also what was rightly suspected")
    return parser.parse_args()


def truth(folder):
    """Labels, and the file of each server."""
    servers, labels = {}, []
    for name in ("security.toml", "static.toml"):
        path = folder / name
        if not path.is_file():
            continue
        data = tomllib.loads(path.read_text())
        for server in data["server"]:
            words = [w.replace("{dir}", str(folder)) for w in server.get("command", [server.get("file", "")])]
            file = next((pathlib.Path(w) for w in words if w.endswith(ENDINGS)), None)
            if file:
                servers[server["name"]] = file.resolve()
        labels += data["label"]
    return servers, [label for label in labels if label["server"] in servers]


def suspected(proofmark, folder):
    """The suspicions of one folder, by file."""
    command = [proofmark, "assess", "--static", "--source", str(folder), "--format", "json", "--quiet"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    try:
        report = json.loads(run.stdout)
    except ValueError:
        sys.exit(f"{folder}: {run.stderr.strip() or 'no report'}")
    for finding in report["findings"]:
        if finding["check"] == "security/input-in-source" and finding["outcome"] == "fail":
            yield folder / finding["source"]["file"], finding


def fits(finding, label):
    subject = finding["subject"]
    if finding["class"] not in [label["class"], *label.get("also", [])]:
        return False
    if subject["kind"] == "resource":
        return subject["uri"] == label.get("resource")
    tool, pointer = subject.get("tool"), subject.get("pointer")
    if tool and tool == label.get("through"):
        return True
    wanted = label.get("parameter")
    below = not pointer or not wanted or pointer == wanted or wanted.startswith(pointer + "/")
    return tool and tool == label.get("tool") and below


def main():
    args = options()
    folder = pathlib.Path(args.dir or args.home).resolve()
    servers, labels = truth(folder)
    owner = {file: name for name, file in servers.items()}
    found = collections.defaultdict(list)
    for place in sorted({file.parent for file in servers.values()}):
        for file, finding in suspected(args.proofmark, place):
            found[owner.get(file.resolve(), file.name)].append(finding)
    rows = collections.defaultdict(collections.Counter)
    lines = []
    holes = [label for label in labels if label["truth"] == "vulnerable"]
    for server, findings in sorted(found.items()):
        for finding in findings:
            label = next((h for h in holes if h["server"] == server and fits(finding, h)), None)
            kind = label["class"] if label else finding["class"]
            rows[kind]["right" if label else "wrong"] += 1
            if not label or args.v:
                lines.append(f"{'right' if label else 'WRONG':6} {server} {finding['says']}")
    beyond = 0
    for hole in holes:
        hit = any(fits(f, hole) for f in found[hole["server"]])
        if hole["class"] not in SOUGHT and not hit:
            beyond += 1
            continue
        rows[hole["class"]]["holes"] += 1
        rows[hole["class"]]["found"] += hit
        if not hit:
            what = hole.get("tool") or hole.get("resource") or hole.get("prompt")
            lines.append(f"MISSED {hole['server']} {what} {hole['class']}: {hole['how']}")
    print("\n".join(lines))
    show(rows, beyond)


def show(rows, beyond):
    print(f"\n{'class':26} holes  found  wrong   precision  recall")
    total = collections.Counter()
    for kind, row in sorted(rows.items()):
        total.update(row)
        print(line(kind, row))
    print(line("all", total))
    print(f"\n{beyond} holes of classes that source analysis does not look for are not counted")


def line(title, row):
    share = lambda part, whole: f"{part / whole:.2f}" if whole else "–"
    precision = share(row["right"], row["right"] + row["wrong"])
    return f"{title:26} {row['holes']:5} {row['found']:6} {row['wrong']:6}   {precision:>9}  {share(row['found'], row['holes']):>6}"


main()
