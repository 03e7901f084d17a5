"""Makes large and odd source trees and measures a static run over them: see bench/tree."""

import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

PLAIN = {
    "py": "class Thing{n}:\n    '''Keeps {n} of them.'''\n\n    def __init__(self, name, size=0):\n        self.name = name\n"
          "        self.size = size\n\n    def grow(self, by):\n        if by < 0:\n            raise ValueError('by')\n"
          "        self.size += by\n        return [self.name + str(i) for i in range(self.size)]\n\n",
    "js": "export function total{n}(items, rate = 1) {{\n  let sum = 0;\n  for (const item of items) {{\n"
          "    if (item.price === undefined) continue;\n    sum += item.price * rate;\n  }}\n  return {{ sum, text: `${{sum}} in all` }};\n}}\n\n",
    "ts": "export interface Row{n} {{ id: number; label: string; parts?: string[] }}\n"
          "export const sorted{n} = (rows: Row{n}[]): Row{n}[] =>\n  [...rows].sort((a, b) => a.label.localeCompare(b.label));\n\n",
    "go": "type Box{n} struct {{ Name string; Size int }}\n\nfunc (b *Box{n}) Grow(by int) (int, error) {{\n"
          "\tif by < 0 {{ return 0, fmt.Errorf(\"by: %d\", by) }}\n\tb.Size += by\n\treturn b.Size, nil\n}}\n\n",
    "rs": "#[derive(Debug, Clone)]\npub struct Cell{n} {{ pub name: String, pub size: usize }}\n\nimpl Cell{n} {{\n"
          "    pub fn grow(&mut self, by: usize) -> Vec<String> {{\n        self.size += by;\n"
          "        (0..self.size).map(|i| format!(\"{{}}{{i}}\", self.name)).collect()\n    }}\n}}\n\n",
}
TELLING = {
    "py": "import os, subprocess\nfrom mcp.server.fastmcp import FastMCP\nmcp = FastMCP('x')\nKEY = os.environ['APP_KEY_{n}']\n\n"
          "@mcp.tool()\ndef run_{n}(line: str) -> str:\n    return subprocess.run(f'ls {{line}}', shell=True)\n\n",
    "js": "import {{ exec }} from 'child_process';\nserver.tool('run_{n}', {{}}, ({{ line }}) => exec(`ls ${{line}}`));\n"
          "const key = process.env.APP_KEY_{n};\n\n",
    "ts": "import * as fs from 'fs';\nserver.registerTool('read_{n}', {{}}, async ({{ path }}) => fs.readFileSync(path, 'utf8'));\n\n",
    "go": "func init() {{ s.AddTool(mcp.NewTool(\"run_{n}\"), func(ctx context.Context, r mcp.CallToolRequest) "
          "(*mcp.CallToolResult, error) {{\n\tout, err := exec.Command(\"sh\", \"-c\", r.GetString(\"line\", \"\")).Output()\n\treturn nil, err\n}}) }}\n\n",
    "rs": "#[tool(description = \"Reads\")]\nasync fn read_{n}(&self, Parameters(r): Parameters<R>) -> String {{\n"
          "    std::fs::read_to_string(format!(\"notes/{{}}\", r.file)).unwrap_or_default()\n}}\n\n",
}


def large(place, files):
    """Files of 1 to 20 KB, 50 to a folder."""
    rng, size = random.Random(7), 0
    for n in range(files):
        ending = rng.choices(list(PLAIN), weights=[35, 20, 25, 10, 10])[0]
        text = (TELLING[ending].format(n=n) if n % 10 == 0 else "") + PLAIN[ending].format(n=n) * rng.randint(3, 60)
        path = place / f"part{n // 2500}" / f"folder{n // 50}" / f"file{n}.{ending}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        size += len(text)
    return size


def odd(place):
    server = "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('x')\n"
    deep = place.joinpath(*["d"] * 60)
    deep.mkdir(parents=True)
    (deep / "deep.py").write_text(server)
    (place / "server.py").write_text(server)
    (place / "loop").symlink_to(place)
    (place / "d" / "back").symlink_to(place / "d")
    (place / "gone.py").symlink_to(place / "nowhere.py")
    (place / "line.py").write_text("x = '" + "a" * (1 << 20) + "'\n")
    (place / "brackets.js").write_text("(" * 500_000)
    (place / "lines.ts").write_text(("f(" * 40 + "\n") * 8000)
    (place / "latin.py").write_bytes(b"x = '\xff\xfe\xe9'\n" * 1000)
    (place / "binary.js").write_bytes(os.urandom(900_000))
    (place / "README.md").write_text("[" * (1 << 20))
    (place / "package-lock.json").write_text('{"dependencies":{"a":' * 50_000)
    os.mkfifo(place / "pipe.py")


def measure(title, proofmark, place):
    command = [proofmark, "assess", "--static", "--source", str(place), "--format", "json", "--quiet"]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    run = subprocess.run(command, capture_output=True, text=True, timeout=900)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    try:
        code = json.loads(run.stdout)["server"]["code"]
        read = f"{sum(code['files'].values())} parsed or passed over, left out {code.get('left_out', {})}"
    except (ValueError, KeyError, TypeError):
        read = run.stderr.strip()[:200]
    print(f"{title}: exit {run.returncode}, wall {wall:.1f} s, processor {cpu:.1f} s, "
          f"peak {after.ru_maxrss / 1024:.0f} MiB (largest so far); {read}")


def main():
    proofmark, *rest = sys.argv[1:]
    places = [pathlib.Path(p) for p in rest if not p.isdigit()]
    files = next((int(p) for p in rest if p.isdigit()), 20_000)
    for place in places:
        measure(str(place), proofmark, place)
    if not places:
        with tempfile.TemporaryDirectory() as folder:
            one, two = pathlib.Path(folder, "large"), pathlib.Path(folder, "odd")
            size = large(one, files)
            odd(two)
            measure("odd tree", proofmark, two)
            measure(f"{files} files, {size / 1e6:.0f} MB", proofmark, one)


main()
