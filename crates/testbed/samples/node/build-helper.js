#!/usr/bin/env node
// Build helper: counts, sorts, tags and packs what a build leaves in a folder.

import { exec, execFile, execFileSync, execSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import vm from 'node:vm';

import { calculate } from './lib/arithmetic.js';
import { Server, ToolError, text } from './lib/stdio.js';

const server = new Server('build-helper', '1.2.0');
const folder = process.argv[2] ?? '.';
const options = { cwd: folder, timeout: 4000, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
const READS = { readOnlyHint: true, openWorldHint: false };

/** What a line of shell prints. */
const run = (line) => new Promise((resolve, reject) => {
  exec(line, options, (error, stdout) => (error ? reject(error) : resolve(stdout))).stdin.end();
});

const outcome = async (work) => {
  try {
    return await work();
  } catch {
    throw new ToolError('the command did not succeed');
  }
};

server.tool('count_lines', {
  description: 'How many lines a file of the build has.',
  input: { file: text('File in the build folder, e.g. notes.md') },
  hints: READS,
}, ({ file }) => outcome(() => run(`wc -l ${file}`)));

server.tool('folder_size', {
  description: 'How much room a folder takes, in kilobytes.',
  input: { path: text('Folder below the build folder (for example `docs`)') },
  hints: READS,
}, ({ path }) => outcome(() => execSync(`du -sk "${path.replaceAll('"', '')}"`, options)));

server.tool('tag_build', {
  description: 'Print the line that goes on top of a build log.',
  input: { label: text('Name of the build, such as `nightly`') },
  hints: READS,
}, ({ label }) => outcome(() => execSync(`echo Build ${label.replace(/[;&|`$<>()]/g, '')}`, options)));

server.tool('sort_file', {
  description: 'The lines of a file in order.',
  input: { file: text('File in the build folder, e.g. `data.csv`') },
  hints: READS,
}, ({ file }) => outcome(() => execFileSync('sort', [file], options)));

server.tool('build_date', {
  description: 'The date of today in a format of your choice.',
  input: { format: text('Format for date(1), such as +%Y-%m-%d') },
  hints: READS,
}, ({ format }) => {
  try {
    return execFileSync('date', ['-u', format], options);
  } catch (error) {
    throw new ToolError(`date did not like that: ${error.stderr ?? ''}`);
  }
});

const artifacts = [];

server.tool('name_artifact', {
  description: 'Give the next artifact a name; answers with its number.',
  input: { name: text('Name, e.g. release-7') },
}, ({ name }) => `artifact ${artifacts.push(name)}`);

server.tool('pack_artifact', {
  description: 'Write the label of an artifact that was named before.',
  input: { number: { type: 'integer', description: 'Its number' } },
}, ({ number }) => {
  if (!artifacts[number - 1]) throw new ToolError(`there is no artifact ${number}`);
  return outcome(() => run(`printf '%s\\n' artifact: ${artifacts[number - 1]}`));
});

server.tool('compute', {
  description: 'Work out a figure for the build report.',
  input: { expression: text('For example `1200 / 60`') },
  hints: READS,
}, ({ expression }) => outcome(() => String(new Function(`return (${expression})`)())));

server.tool('passes_gate', {
  description: 'Whether the figures of the last build pass a gate.',
  input: { gate: text('Condition over coverage and warnings, such as `coverage > 80`') },
  hints: READS,
}, ({ gate }) => outcome(() => `gate: ${vm.runInNewContext(gate, { coverage: 84, warnings: 3 }, { timeout: 500 })}`));

server.tool('sum_up', {
  description: 'Arithmetic: numbers, + - * / and brackets.',
  input: { expression: text('e.g. `12 * (3 + 4)`') },
  hints: READS,
}, ({ expression }) => String(calculate(expression)));

server.tool('find_files', {
  description: 'Files of the build by a name pattern.',
  input: { pattern: text('Such as *.md') },
  hints: READS,
}, ({ pattern }) => outcome(async () => {
  const { stdout } = await promisify(execFile)('find', ['.', '-maxdepth', '2', '-name', pattern], options);
  return stdout || 'none';
}));

server.tool('search_notes', {
  description: 'Lines of notes.md that hold a text.',
  input: { wanted: text('The text, taken as it stands', { maxLength: 200 }) },
  hints: READS,
}, async ({ wanted }) => {
  try {
    return (await promisify(execFile)('grep', ['-F', '-e', wanted, '--', 'notes.md'], options)).stdout;
  } catch {
    return 'no line holds that';
  }
});

server.tool('command_line', {
  description: 'Join words to one line for a POSIX shell, with all quoting done. The line is not run.',
  input: { words: { type: 'array', items: { type: 'string' }, description: 'The words' } },
  hints: READS,
}, ({ words }) => words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' '));

server.tool('fingerprint', {
  description: 'SHA-256 of a text.',
  input: { text: text('The text') },
  hints: READS,
}, ({ text: said }) => createHash('sha256').update(said).digest('hex'));

server.run();
