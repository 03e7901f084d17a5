#!/usr/bin/env node
// Weather notes: observations, the stations they come from and how they are shown.

import { find } from './lib/collection.js';
import { merge, mergePlain, setPath } from './lib/merge.js';
import { Server, ToolError, text } from './lib/stdio.js';

const server = new Server('weather-notes', '0.8.1');
const READS = { readOnlyHint: true, openWorldHint: false };
const object = (description) => ({ type: 'object', description });

const settings = { units: 'metric', colours: { sun: 'yellow' } };
const labels = Object.create(null);
const notes = [
  { id: 'n1', station: 'Delft', text: 'Fog until noon', keeper: 'ada' },
  { id: 'n2', station: 'Ghent', text: 'First frost', keeper: 'ben' },
];
const keepers = [
  { user: 'ada', code: 'k-5521', station: 'Delft' },
  { user: 'ben', code: 'k-9034', station: 'Ghent' },
];
const profile = { name: 'Guest', city: 'Delft', role: 'reader', verified: false };
const today = { station: 'Delft', high: 19, low: 11 };

server.tool('update_settings', {
  description: 'Change some settings; the others stay.',
  input: { changes: object('Settings to change, such as {"units": "imperial"}') },
}, ({ changes }) => {
  merge(settings, changes);
  return 'changed';
});

server.tool('set_option', {
  description: 'Set one option by its path.',
  input: { path: text('Path with dots, e.g. colours.sun'), value: text('New value') },
}, ({ path, value }) => {
  try {
    setPath(settings, path, value);
  } catch {
    throw new ToolError(`there is no option ${path}`);
  }
  return 'set';
});

server.tool('show_station', {
  description: 'What is known of a station.',
  input: { station: text('Name of the station (for example `Delft`)') },
  hints: READS,
}, ({ station }) => {
  const facts = { station, notes: notes.filter((n) => n.station === station).length };
  const shown = [];
  for (const key in facts) shown.push(`${key}: ${facts[key]}`);
  return shown.join('\n');
});

server.tool('put_labels', {
  description: 'Put labels on the map; answers with all there are.',
  input: { labels: object('Texts by place, such as `{"Delft": "sunny"}`') },
  hints: { idempotentHint: true },
}, ({ labels: more }) => mergePlain(labels, more));

server.tool('open_diary', {
  description: 'Open the diary of a keeper.',
  input: { user: { description: 'User name, e.g. `ada`' }, code: { description: 'The code of that user' } },
  hints: READS,
}, ({ user, code }) => {
  const [keeper] = find(keepers, { user, code });
  if (!keeper) throw new ToolError('user and code do not belong together');
  return `diary of ${keeper.user} at ${keeper.station}`;
});

server.tool('find_notes', {
  description: 'Notes with the given fields.',
  input: { query: text('Fields as JSON, such as {"station": "Delft"}') },
  hints: READS,
}, ({ query }) => {
  try {
    return find(notes, JSON.parse(query)).map((note) => note.text);
  } catch {
    throw new ToolError('the query cannot be understood');
  }
});

server.tool('get_note', {
  description: 'One note by its id.',
  input: { id: { description: 'Id of the note, e.g. n1' } },
  hints: READS,
}, ({ id }) => {
  const note = notes.find((n) => n.id === String(id));
  if (!note) throw new ToolError(`no note has the id ${JSON.stringify(id)}`);
  return note;
});

server.tool('search_texts', {
  description: 'Notes that hold a text.',
  input: { wanted: text('The text') },
  hints: READS,
}, ({ wanted }) => notes.filter((n) => n.text.includes(wanted)).map((n) => n.text));

server.tool('add_note', {
  description: 'Add an observation.',
  input: { station: text('Name of the station'), text: text('What was seen') },
}, ({ station, text: said }) => {
  const note = { id: `n${notes.length + 1}`, station, text: said, keeper: 'guest' };
  notes.push(note);
  return { id: note.id, notes: notes.length };
});

server.tool('update_profile', {
  description: 'Change your name or city; answers with the profile.',
  input: { fields: object('name and city (for example `{"city": "Ghent"}`)') },
}, ({ fields }) => Object.assign(profile, fields));

server.tool('update_contact', {
  description: 'Change name or city of the contact; answers with the contact.',
  input: { fields: object('name and city, such as `{"city": "Ghent"}`') },
}, ({ fields }) => {
  const { name = 'Guest', city = 'Delft' } = fields;
  return { name: String(name), city: String(city), role: 'reader' };
});

server.tool('render_bulletin', {
  description: 'Fill in a bulletin.',
  input: { template: text('Text with placeholders such as <%= station %> or <%= high %>', { examples: ['<%= station %>: <%= high %> degrees'] }) },
  hints: READS,
}, ({ template }) => {
  const code = template.split(/<%=?([\s\S]+?)%>/).map((part, i) => (i % 2 ? `out += (${part});` : `out += ${JSON.stringify(part)};`));
  try {
    return new Function('data', `let out = ''; with (data) { ${code.join('\n')} } return out;`)(today);
  } catch {
    throw new ToolError('the template cannot be filled in');
  }
});

server.tool('render_headline', {
  description: 'Fill in a headline.',
  input: { template: text('Text with placeholders such as ${station} or ${low}') },
  hints: READS,
}, ({ template }) => {
  const names = Object.keys(today);
  try {
    return new Function(...names, `return \`${template.replaceAll('`', '')}\`;`)(...Object.values(today));
  } catch {
    throw new ToolError('the template cannot be filled in');
  }
});

server.tool('render_line', {
  description: 'Fill in one line of the forecast.',
  input: { template: text('Text with placeholders such as {{station}}, ${high} or <%= low %>') },
  hints: READS,
}, ({ template }) => template.replace(/\{\{(\w+)\}\}|\$\{(\w+)\}|<%= (\w+) %>/g, (all, a, b, c) => {
  const name = a ?? b ?? c;
  return Object.hasOwn(today, name) ? String(today[name]) : all;
}));

server.run();
