#!/usr/bin/env node
// Courier desk: parcels, the papers that go with them, and the sites that are told.

import { readFile, readdir, realpath, stat } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { connect, createServer } from 'node:net';

import { Server, ToolError, integer, text } from './lib/stdio.js';

const server = new Server('courier-desk', '3.4.1');
const root = path.resolve(process.argv[2] ?? '.');
const READS = { readOnlyHint: true, openWorldHint: false };
const OUT = { readOnlyHint: true, openWorldHint: true };
const parcels = new Map([['P-1', { to: 'Ann' }], ['P-2', { to: 'Ben' }]]);

const content = async (file) => {
  try {
    return (await readFile(file, 'utf8')).slice(0, 20_000);
  } catch {
    throw new ToolError('there is no such paper');
  }
};

server.tool('read_paper', {
  description: 'A paper that goes with a parcel.',
  input: { file: text('File name, for example `notes.md`') },
  hints: READS,
}, ({ file }) => content(path.join(root, decodeURIComponent(file.replaceAll('..', '')))));

server.tool('read_label', {
  description: 'A label by its path.',
  input: { file: text('Path of the label, for example `docs/guide.md`') },
  hints: READS,
}, ({ file }) => {
  const full = path.resolve(root, file);
  if (!full.startsWith(path.dirname(root))) throw new ToolError('that is no label');
  return content(full);
});

server.tool('read_receipt', {
  description: 'A receipt by its path.',
  input: { file: text('Path of the receipt, for example `notes.md`') },
  hints: READS,
}, async ({ file }) => {
  const full = await realpath(path.resolve(root, file)).catch(() => '');
  if (!full.startsWith((await realpath(root)) + path.sep)) throw new ToolError(`${file} is not among the receipts`);
  return content(full);
});

server.tool('list_papers', {
  description: 'Names of all papers.',
  input: { ending: text('Only files with this ending, for example `.md`', { optional: true }) },
  hints: READS,
}, async ({ ending = '' }) => (await readdir(root)).filter((name) => name.endsWith(ending)).sort());

server.tool('paper_size', {
  description: 'Size of a paper in bytes.',
  input: { name: text('Name without folder, for example `notes.md`') },
  hints: READS,
}, async ({ name }) => {
  const plain = path.basename(name.replaceAll('\0', ''));
  const found = await stat(path.join(root, plain)).catch(() => null);
  if (!found?.isFile()) throw new ToolError(`there is no paper ${name}`);
  return String(found.size);
});

/** One request without following where it leads. */
const ask = (url, headers = {}) => new Promise((resolve, reject) => {
  const request = http.get(url, { headers, timeout: 3000 }, (answer) => {
    let said = '';
    answer.on('data', (part) => { said = (said + part).slice(0, 20_000); });
    answer.on('end', () => resolve(said));
    answer.on('error', reject);
  });
  request.on('timeout', () => request.destroy(new Error('late')));
  request.on('error', reject);
});

server.tool('track_parcel', {
  description: 'Where a parcel is, from the site of its carrier.',
  input: { site: text('Page of the carrier, without http://') },
  hints: OUT,
}, async ({ site }) => {
  try {
    return (await ask(`http://${site}`)).slice(0, 500);
  } catch {
    throw new ToolError('the carrier does not answer');
  }
});

server.tool('carrier_page', {
  description: 'Which page of the carrier a parcel has. Nothing is fetched.',
  input: { parcel: text('Number of the parcel, e.g. `P-1`') },
  hints: READS,
}, ({ parcel }) => new URL(`/track/${encodeURIComponent(parcel)}`, 'https://carrier.example.com').href);

// The depot understands plain HTTP and tells which headers it saw.
const depot = createServer((socket) => {
  let head = '';
  socket.on('error', () => {});
  socket.on('data', (part) => {
    head += part;
    if (!head.includes('\r\n\r\n')) return;
    const names = head.split('\r\n').slice(1).filter(Boolean).map((line) => line.split(':')[0].toLowerCase());
    socket.end(JSON.stringify(names));
    head = '';
  });
}).listen(0, '127.0.0.1');
depot.unref();

const tell = (head) => new Promise((resolve, reject) => {
  let said = '';
  const socket = connect(depot.address().port, '127.0.0.1', () => socket.write(head));
  socket.setTimeout(2000, () => socket.destroy());
  socket.on('data', (part) => { said += part; });
  socket.on('close', () => resolve(said));
  socket.on('error', reject);
});

server.tool('tell_depot', {
  description: 'Tell the depot of a parcel; answers with the headers it took.',
  input: { reference: text('Your reference, for example `A-17`') },
}, ({ reference }) => tell(`GET /parcel HTTP/1.1\r\nHost: depot\r\nX-Reference: ${reference}\r\nX-Desk: courier\r\n\r\n`));

server.tool('tell_office', {
  description: 'Tell the office of a parcel; answers with the headers it took.',
  input: { reference: text('Your reference, for example `A-17`') },
}, ({ reference }) => tell(`GET /parcel HTTP/1.1\r\nHost: depot\r\nX-Reference: ${encodeURIComponent(reference)}\r\nX-Desk: courier\r\n\r\n`));

server.tool('check_address', {
  description: 'Whether an address can be delivered to.',
  input: { address: text('E-mail address, for example `ann@example.com`') },
  hints: READS,
}, ({ address }) => (/^([a-zA-Z0-9_.-]+\s?)*,([a-zA-Z0-9.-]+)$|^[^@\s]+@[^@\s]+$/.test(address.slice(0, 25)) ? 'yes' : 'no'));

server.tool('check_postcode', {
  description: 'Whether a postcode can be delivered to.',
  input: { postcode: text('Postcode, for example `2611 AB`') },
  hints: READS,
}, ({ postcode }) => (/^\d{4} ?[A-Z]{2}$/.test(postcode) ? 'yes' : `no: ${postcode}`));

server.tool('parcel_for', {
  description: 'Who a parcel is for.',
  input: { parcel: text('Number of the parcel, e.g. `P-1`') },
  hints: READS,
}, ({ parcel }) => {
  const found = parcels.get(parcel);
  if (!found) throw new ToolError(`there is no parcel ${parcel}`);
  return `for ${found.to}`;
});

server.tool('split_weight', {
  description: 'How much each of several parcels weighs.',
  input: { grams: integer('Grams in all', { minimum: 1, maximum: 100000 }), parcels: integer('How many parcels', { minimum: 1, maximum: 50 }) },
  hints: READS,
}, ({ grams, parcels: count }) => `${Math.ceil(grams / count)} g`);

server.run();
