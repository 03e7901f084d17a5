#!/usr/bin/env node
// Kiosk hub: preferences, badges and pages of a visitor kiosk.

import { readFile, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';

import { Server, ToolError, text } from './lib/stdio.js';

const server = new Server('kiosk-hub', '0.9.3');
const root = path.resolve(process.argv[2] ?? '.');
const READS = { readOnlyHint: true, openWorldHint: false };
const visitors = [
  { name: 'ann', pass: 'gate-17', day: 'mon' },
  { name: 'ben', pass: 'gate-18', day: 'tue' },
];

const parsed = (json) => {
  try {
    return JSON.parse(json);
  } catch {
    throw new ToolError('that is no JSON');
  }
};

const fold = (into, from) => {
  for (const [key, value] of Object.entries(from ?? {})) {
    if (value && typeof value === 'object') {
      into[key] ??= {};
      fold(into[key], value);
    } else into[key] = value;
  }
  return into;
};

server.tool('save_preferences', {
  description: 'Keep the preferences of a visitor; answers with the profile of a new visitor.',
  input: { preferences: text('JSON, for example `{"colour": {"ink": "blue"}}`') },
}, ({ preferences }) => {
  fold({}, parsed(preferences));
  const fresh = {};
  const shown = {};
  for (const key in fresh) shown[key] = fresh[key];
  return shown;
});

server.tool('save_colours', {
  description: 'Keep the colours of a visitor; answers with the profile of a new visitor.',
  input: { colours: text('JSON, for example `{"ink": "blue"}`') },
}, ({ colours }) => {
  const kept = Object.assign(Object.create(null), parsed(colours));
  return { kept: Object.keys(kept).length };
});

const kept = {};
server.tool('set_option', {
  description: 'Set one option of the kiosk.',
  input: { option: text('Dotted name, for example `screen.light`'), value: text('Value, for example `dim`') },
}, ({ option, value }) => {
  const steps = option.split('.');
  const last = steps.pop();
  let at = kept;
  for (const step of steps) at = at[step] ??= {};
  at[last] = value;
  return 'set';
});

server.tool('set_sign', {
  description: 'Set one line of the sign.',
  input: { line: text('Dotted name, for example `sign.top`'), value: text('Value, for example `open`') },
}, ({ line, value }) => {
  if (line.split('.').some((step) => ['__proto__', 'constructor', 'prototype'].includes(step))) {
    throw new ToolError(`there is no line ${line}`);
  }
  return `${line}: ${value}`;
});

server.tool('kiosk_profile', { description: 'The profile that a new visitor gets.', hints: READS }, () => {
  const shown = {};
  for (const key in { }) shown[key] = ({})[key];
  return { language: 'en', ...shown };
});

server.tool('print_badge', {
  description: 'Text of a badge.',
  input: {
    badge: { type: 'object', description: 'The badge', properties: { layout: text('Layout, for example `<%= name %>`'), name: text('Name, for example `ann`') }, required: ['layout', 'name'] },
  },
  hints: READS,
}, ({ badge: { layout = '', name = '' } }) => String(layout).replace(/<%=([\s\S]*?)%>/g, (_, code) => {
  try {
    return String(new Function('name', `return (${code})`)(name));
  } catch {
    throw new ToolError('the layout has a fault');
  }
}));

server.tool('print_ticket', {
  description: 'Text of a ticket.',
  input: { layout: text('Layout, for example `<%= name %>`'), name: text('Name, for example `ann`') },
  hints: READS,
}, ({ layout, name }) => layout.replaceAll('<%= name %>', name));

server.tool('visitors_where', {
  description: 'Names of the visitors for whom a condition holds.',
  input: { filter: { type: 'object', description: 'Fields of a visitor and what they must be, e.g. {"day": "mon"}' } },
  hints: READS,
}, ({ filter }) => visitors.filter((visitor) => Object.entries(filter).every(([key, wanted]) => {
  if (key === '$where') return Boolean(new Function(`return (${wanted})`).call(visitor));
  if (wanted && typeof wanted === 'object') {
    if ('$ne' in wanted) return visitor[key] !== wanted.$ne;
    if ('$gt' in wanted) return visitor[key] > wanted.$gt;
    return '$regex' in wanted && new RegExp(wanted.$regex).test(visitor[key]);
  }
  return visitor[key] === wanted;
})).map((visitor) => visitor.name));

server.tool('visitors_on', {
  description: 'Names of the visitors of a day.',
  input: { filter: { type: 'object', description: 'The day, e.g. {"day": "mon"}' } },
  hints: READS,
}, ({ filter }) => visitors.filter((visitor) => visitor.day === String(filter.day)).map((visitor) => visitor.name));

server.tool('check_pass', {
  description: 'Whether a pass is right.',
  input: { name: text('Name, e.g. `ann`'), pass: { description: 'The pass, e.g. "gate-17"' } },
  hints: READS,
}, ({ name, pass }) => {
  const fits = (visitor) => (pass && typeof pass === 'object' ? '$ne' in pass && visitor.pass !== pass.$ne : visitor.pass === pass);
  return visitors.some((visitor) => visitor.name === name && fits(visitor)) ? 'welcome' : 'no';
});

server.tool('read_page', {
  description: 'A page of the kiosk.',
  input: { page: text('Name without ending, for example `spare`') },
  hints: READS,
}, async ({ page }) => {
  try {
    return (await readFile(path.join(root, `${page}.txt`), 'utf8')).slice(0, 20_000);
  } catch {
    throw new ToolError('there is no such page');
  }
});

server.tool('list_pages', {
  description: 'Names of the pages in a folder.',
  input: { folder: text('Folder, for example `docs`') },
  hints: READS,
}, async ({ folder }) => {
  try {
    return await readdir(path.join(root, folder));
  } catch {
    throw new ToolError('there is no such folder');
  }
});

server.tool('list_pictures', {
  description: 'Names of the pictures in a folder.',
  input: { folder: text('Folder, for example `docs`') },
  hints: READS,
}, async ({ folder }) => {
  const base = await realpath(root);
  const full = await realpath(path.join(root, folder)).catch(() => '');
  if (full !== base && !full.startsWith(base + path.sep)) throw new ToolError(`there is no folder ${folder}`);
  return (await readdir(full).catch(() => [])).filter((name) => /\.(png|md)$/.test(name));
});

server.tool('play_step', {
  description: 'Run one step of the tour.',
  input: {
    step: {
      type: 'object',
      description: 'The step',
      properties: { kind: text('What to do', { enum: ['say', 'work_out'] }), body: text('A text, or a sum for `work_out`') },
      required: ['kind', 'body'],
    },
  },
  hints: READS,
}, ({ step: { kind, body } }) => {
  if (kind !== 'work_out') return `saying ${String(body).length} letters`;
  try {
    return String((0, eval)(String(body)));
  } catch {
    throw new ToolError('that does not work out');
  }
});

server.tool('play_sound', {
  description: 'Play a sound of the tour.',
  input: { sound: { type: 'object', description: 'The sound', properties: { kind: text('Which', { enum: ['bell', 'horn'] }), title: text('Title') }, required: ['kind', 'title'] } },
  hints: READS,
}, ({ sound: { kind, title } }) => `${kind}: ${title}`);

server.run();
