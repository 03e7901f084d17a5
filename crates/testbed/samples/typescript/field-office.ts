#!/usr/bin/env node
// Field office: reports, pictures and figures of the people outside. On the official SDK.

import { exec, execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import Database from 'better-sqlite3';
import { z } from 'zod';

const execAsync = promisify(exec);
const execFileAsync = promisify(execFile);
const root: string = path.resolve(process.env.FIELD_OFFICE_DIR ?? '.');
const db = new Database(path.join(root, 'office.db'));
const server = new McpServer({ name: 'field-office', version: '1.0.0' });
const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const PARTNERS = new Set(['weather.example.org', 'maps.example.org']);
const COLUMNS = ['place', 'day', 'author'] as const;

/** The real path, if it is below the folder of the office. */
async function below(name: string): Promise<string> {
  const full = await fs.realpath(path.resolve(root, name));
  if (!full.startsWith(root + path.sep)) throw new Error(`${name} is not a report`);
  return full;
}

server.registerTool('read_report', {
  description: 'A report by its file name.',
  inputSchema: { file: z.string().describe('e.g. monday.md') },
}, async ({ file }) => said(await fs.readFile(path.join(root, file), 'utf8')));

server.registerTool('read_summary', {
  description: 'The summary of a report by its file name.',
  inputSchema: { file: z.string().describe('e.g. monday.md') },
}, async ({ file }) => said(await fs.readFile(await below(file), 'utf8')));

server.registerTool('word_count', {
  description: 'How many words a report has.',
  inputSchema: { file: z.string() },
}, async ({ file }) => {
  const { stdout } = await execAsync(`wc -w ${file}`, { cwd: root });
  return said(stdout);
});

server.registerTool('line_count', {
  description: 'How many lines a report has.',
  inputSchema: { file: z.string() },
}, async (args) => {
  const { stdout } = await execFileAsync('wc', ['-l', '--', args.file], { cwd: root });
  return said(stdout);
});

server.registerTool('reports_from', {
  description: 'Reports from one place.',
  inputSchema: { place: z.string() },
}, async ({ place }) => {
  const query = `SELECT title FROM reports WHERE place = '${place}'`;
  return said(JSON.stringify(db.prepare(query).all()));
});

server.registerTool('reports_by', {
  description: 'Reports by one author.',
  inputSchema: { author: z.string() },
}, async ({ author }) => said(JSON.stringify(db.prepare('SELECT title FROM reports WHERE author = ?').all(author))));

server.registerTool('list_reports', {
  description: 'All reports in an order.',
  inputSchema: { order: z.enum(COLUMNS), limit: z.number().int() },
}, async ({ order, limit }) => said(JSON.stringify(db.prepare(`SELECT title FROM reports ORDER BY ${order} LIMIT ${limit}`).all())));

server.registerTool('sort_reports', {
  description: 'All reports in an order of your choice.',
  inputSchema: { column: z.string() },
}, async ({ column }) => {
  if (!/^[a-z_]{1,20}$/.test(column)) throw new Error('no such column');
  return said(JSON.stringify(db.prepare(`SELECT title FROM reports ORDER BY ${column}`).all()));
});

server.registerTool('fetch_picture', {
  description: 'Size of a picture on the web.',
  inputSchema: { url: z.string().url() },
}, async ({ url }) => {
  const answer = await fetch(url);
  return said(String((await answer.arrayBuffer()).byteLength));
});

server.registerTool('fetch_forecast', {
  description: 'A page of one of the partners.',
  inputSchema: { url: z.string().url() },
}, async ({ url }) => {
  const { hostname } = new URL(url);
  if (!PARTNERS.has(hostname)) throw new Error('not a partner');
  return said(await (await fetch(`https://${hostname}/today`)).text());
});

server.registerTool('fetch_station', {
  description: 'What a station measures.',
  inputSchema: { station: z.string() },
}, async ({ station }) => said(await (await fetch(`https://stations.example.org/${encodeURIComponent(station)}`)).text()));

server.registerTool('figure', {
  description: 'Works a figure out.',
  inputSchema: { formula: z.string() },
}, async ({ formula }) => said(String(eval(formula))));

server.registerTool('average', {
  description: 'The average of figures.',
  inputSchema: { figures: z.string().describe('numbers, with commas between') },
}, async ({ figures }) => {
  const numbers = figures.split(',').map((one) => Number(one));
  return said(String(numbers.reduce((a, b) => a + b, 0) / numbers.length));
});

server.registerResource('photo', new ResourceTemplate('photo://{name}', { list: undefined }), {}, async (uri, { name }) => ({
  contents: [{ uri: uri.href, text: await fs.readFile(`${root}/photos/${name}`, 'utf8') }],
}));

await server.connect(new StdioServerTransport());
