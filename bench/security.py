"""Compares what proofmark has proven with labels: see bench/security."""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import time
import tomllib

PATIENCE = 600
PRECISION, RECALL = 1.00, 0.95


def options():
    parser = argparse.ArgumentParser(prog="bench/security")
    parser.add_argument("proofmark")
    parser.add_argument("home")
    parser.add_argument("--dir", help="a folder with another security.toml")
    parser.add_argument("--server", action="append", default=[], help="only this one; may be repeated")
    parser.add_argument("-j", type=int, default=1, help="servers at a time; more disturb timings")
    parser.add_argument("-v", action="store_true", help="also what was found, and what the checks said of what was missed")
    # Cut off here: argparse takes what follows `--` for its own words once an option came before.
    words = sys.argv[1:]
    cut = words.index("--") if "--" in words else len(words)
    args = parser.parse_args(words[:cut])
    args.flags = words[cut + 1 :]
    return args


def assess(server, args, folder):
    """The findings of the security topic, how long it took, and what went wrong."""
    words = [word.replace("{dir}", str(folder)) for word in server["command"]]
    command = [args.proofmark, "assess", "--format", "json", "--quiet", "--disposable", *args.flags, "--", *words]
    since = time.monotonic()
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        report = json.loads(run.stdout)
    except subprocess.TimeoutExpired:
        return [], time.monotonic() - since, f"no report within {PATIENCE} s"
    except ValueError:
        return [], time.monotonic() - since, (run.stderr.strip().splitlines() or ["no report"])[-1]
    findings = [f for f in report["findings"] if f["topic"] == "security" and f.get("class")]
    trouble = None if report.get("startup", {}).get("state", "up") == "up" else "did not come up"
    return findings, time.monotonic() - since, trouble


def fits(finding, label):
    """Whether a finding is about the hole of a label."""
    subject = finding["subject"]
    tool, pointer = subject.get("tool"), subject.get("pointer")
    if finding["class"] not in [label["class"], *label.get("also", [])]:
        return False
    if tool and tool == label.get("through"):
        return True
    if subject.get("prompt") != label.get("prompt"):
        return False
    if not about(label.get("resource"), subject.get("uri")):
        return False
    wanted = label.get("parameter")
    # A finding below the parameter, or about the whole tool, names the same hole.
    below = not pointer or not wanted or pointer == wanted or pointer.startswith(wanted + "/")
    return tool == label.get("tool") and below


def about(wanted, uri):
    """Whether a URI is the one that is wanted, or made from that template."""
    if not wanted or not uri:
        return wanted == uri
    return uri == wanted or "{" in wanted and uri.startswith(wanted.partition("{")[0])


def name(server, subject, kind):
    names = [subject.get(key) for key in ("tool", "resource", "uri", "prompt")]
    where = next((n for n in names if n), "the server")
    return f"{server} {where}{subject.get('pointer') or subject.get('parameter') or ''} {kind}"


class Tally:
    """Hits and misses of one class."""

    def __init__(self):
        self.true = self.false = self.found = self.holes = self.suspected = 0

    def row(self, title):
        precision = self.true / (self.true + self.false) if self.true + self.false else None
        recall = self.found / self.holes if self.holes else None
        both = precision is not None and recall is not None and precision + recall > 0
        f1 = 2 * precision * recall / (precision + recall) if both else None
        cells = ["   –" if n is None else f"{n:.2f}" for n in (precision, recall, f1)]
        return (f"{title:28} {self.holes:5} {self.found:6} {self.false:6}   {cells[0]:>9} {cells[1]:>7} {cells[2]:>6}"
                f"   {self.suspected:9}")


def main():
    args = options()
    folder = pathlib.Path(args.dir or args.home).resolve()
    truth = tomllib.loads((folder / "security.toml").read_text())
    servers = [s for s in truth["server"] if not args.server or s["name"] in args.server]
    if not servers:
        sys.exit(f"no such server; there are {', '.join(s['name'] for s in truth['server'])}")
    tallies = collections.defaultdict(Tally)
    lines = {"false": [], "missed": [], "found": [], "suspected": [], "trouble": [], "why": []}
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        runs = pool.map(lambda s: (s["name"], *assess(s, args, folder)), servers)
        for server, findings, took, trouble in runs:
            print(f"{server:24} {took:6.1f} s", flush=True)
            if trouble:
                lines["trouble"].append(f"{server}: {trouble}")
            holes = [h for h in truth["label"] if h["server"] == server and h["truth"] == "vulnerable"]
            compare(server, findings, holes, tallies, lines)
    report(tallies, lines, args.v)


def compare(server, findings, holes, tallies, lines):
    failed = [f for f in findings if f["outcome"] == "fail"]
    proven = [f for f in failed if f["standing"] == "proven"]
    suspected = [f for f in failed if f["standing"] != "proven"]
    for finding in proven:
        hole = next((h for h in holes if fits(finding, h)), None)
        tally = tallies[hole["class"] if hole else finding["class"]]
        tally.true += hole is not None
        tally.false += hole is None
        if not hole:
            says = f"{name(server, finding['subject'], finding['class'])} ({finding['check']}: {finding['says']})"
            lines["false"].append(says)
    for hole in holes:
        tally = tallies[hole["class"]]
        tally.holes += 1
        if any(fits(f, hole) for f in proven):
            tally.found += 1
            lines["found"].append(name(server, hole, hole["class"]))
        else:
            doubt = " (suspected)" if any(fits(f, hole) for f in suspected) else ""
            lines["missed"].append(f"{name(server, hole, hole['class'])}{doubt}: {hole['how']}")
            lines["why"] += [f"{name(server, f['subject'], f['outcome'])} ({f['check']}: {f['says']})"
                             for f in findings if f["outcome"] != "fail" and fits(f, hole)]
    for finding in suspected:
        tallies[finding["class"]].suspected += 1
        kind = "rightly" if any(fits(finding, h) for h in holes) else "wrongly"
        lines["suspected"].append(f"{kind} {name(server, finding['subject'], finding['class'])} ({finding['check']})")


def report(tallies, lines, verbose):
    print(f"\n{'class':28} holes  found  false   precision  recall     F1   suspected")
    total = Tally()
    for kind, tally in sorted(tallies.items()):
        print(tally.row(kind))
        for field in vars(total):
            setattr(total, field, getattr(total, field) + getattr(tally, field))
    print(total.row("all"))
    kinds = ["trouble", "false", "missed"] + (["why", "suspected", "found"] if verbose else [])
    for kind in kinds:
        for line in lines[kind]:
            print(f"{kind:9} {line}")
    right = sum(line.startswith("rightly") for line in lines["suspected"])
    print(f"\nsuspected besides: {right} rightly, {len(lines['suspected']) - right} wrongly")
    precision = total.true / (total.true + total.false) if total.true + total.false else 1.0
    recall = total.found / total.holes if total.holes else 1.0
    print(f"precision {precision:.3f} (goal {PRECISION:.2f}), recall {recall:.3f} (goal {RECALL:.2f})")
    sys.exit(1 if lines["trouble"] or precision < PRECISION or recall < RECALL else 0)


main()
