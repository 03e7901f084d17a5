// A small MCP server over stdio: tools only, no dependencies.

import { createInterface } from 'node:readline';

const VERSIONS = ['2024-11-05', '2025-06-18'];

/** Told to the caller as it stands. */
export class ToolError extends Error {}

class RpcError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const TYPES = {
  string: (v) => typeof v === 'string',
  integer: (v) => Number.isInteger(v),
  number: (v) => typeof v === 'number',
  boolean: (v) => typeof v === 'boolean',
  object: (v) => isObject(v),
  array: (v) => Array.isArray(v),
};

const isObject = (v) => typeof v === 'object' && v !== null && !Array.isArray(v);
const failure = (id, code, message) => ({ jsonrpc: '2.0', id, error: { code, message } });
const content = (value) => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});

export const text = (description, rest = {}) => ({ type: 'string', description, ...rest });
export const integer = (description, rest = {}) => ({ type: 'integer', description, ...rest });

export class Server {
  constructor(name, version, instructions) {
    this.info = { name, version };
    this.instructions = instructions;
    this.client = '';
    this.tools = new Map();
  }

  /** Registers a tool; `input` has a schema for each parameter, `optional: true` where it may be left out. */
  tool(name, { description, input = {}, hints }, handler) {
    const properties = {};
    const required = [];
    for (const [param, { optional, ...schema }] of Object.entries(input)) {
      properties[param] = schema;
      if (!optional) required.push(param);
    }
    const definition = { name, description, inputSchema: { type: 'object', properties, required } };
    if (hints) definition.annotations = hints;
    this.tools.set(name, { definition, handler });
  }

  definitions() {
    return [...this.tools.values()].map((tool) => tool.definition);
  }

  notify(method) {
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`);
  }

  async run() {
    for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
      if (!line.trim()) continue;
      const answer = await this.answer(line);
      if (answer) process.stdout.write(`${JSON.stringify(answer)}\n`);
    }
  }

  async answer(line) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      return failure(null, -32700, 'parse error: every line must be one JSON message');
    }
    if (!isObject(message) || message.jsonrpc !== '2.0') {
      return failure(null, -32600, 'invalid request: expected a JSON-RPC 2.0 object');
    }
    const { id, method, params = {} } = message;
    if (method === undefined && ('result' in message || 'error' in message)) return null;
    if (typeof method !== 'string' || !isObject(params)) {
      return failure(id ?? null, -32600, 'invalid request: expected a method and an object of params');
    }
    if (id === undefined) return null;
    if (typeof id !== 'string' && !Number.isInteger(id)) {
      return failure(null, -32600, 'invalid request: id must be a string or a number');
    }
    try {
      return { jsonrpc: '2.0', id, result: await this.dispatch(method, params) };
    } catch (error) {
      if (error instanceof RpcError) return failure(id, error.code, error.message);
      console.error(error);
      return failure(id, -32603, 'internal error');
    }
  }

  async dispatch(method, params) {
    switch (method) {
      case 'initialize':
        return this.initialize(params);
      case 'ping':
        return {};
      case 'tools/list':
        if (params.cursor !== undefined) throw new RpcError(-32602, 'invalid cursor: the list has one page');
        return { tools: this.definitions() };
      case 'tools/call':
        return this.call(params);
      default:
        throw new RpcError(-32601, `method not found: ${method}`);
    }
  }

  initialize({ protocolVersion, clientInfo }) {
    if (typeof protocolVersion !== 'string') throw new RpcError(-32602, 'invalid params: protocolVersion must be a string');
    this.client = String(clientInfo?.name ?? '');
    const result = {
      protocolVersion: VERSIONS.includes(protocolVersion) ? protocolVersion : VERSIONS.at(-1),
      capabilities: { tools: { listChanged: true } },
      serverInfo: this.info,
    };
    if (this.instructions) result.instructions = this.instructions;
    return result;
  }

  async call({ name, arguments: given = {} }) {
    const tool = this.tools.get(name);
    if (!tool) throw new RpcError(-32602, `unknown tool: ${name}`);
    if (!isObject(given)) throw new RpcError(-32602, 'invalid params: arguments must be an object');
    try {
      check(tool.definition.inputSchema, given);
      return content(await tool.handler(given));
    } catch (error) {
      if (!(error instanceof ToolError)) console.error(error);
      const said = error instanceof ToolError ? error.message : `${name} failed; the log of the server has the reason`;
      return { ...content(said), isError: true };
    }
  }
}

function check({ properties, required }, given) {
  for (const name of required) {
    if (!Object.hasOwn(given, name)) throw new ToolError(`${name} is missing`);
  }
  for (const [name, rule] of Object.entries(properties)) {
    if (!Object.hasOwn(given, name)) continue;
    const value = given[name];
    if (rule.type && !TYPES[rule.type](value)) throw new ToolError(`${name} must be of type ${rule.type}`);
    if (rule.enum && !rule.enum.includes(value)) throw new ToolError(`${name} must be one of ${rule.enum.join(', ')}`);
    if (value < rule.minimum) throw new ToolError(`${name} must be at least ${rule.minimum}`);
    if (value > rule.maximum) throw new ToolError(`${name} must be at most ${rule.maximum}`);
    if (value.length > rule.maxLength) throw new ToolError(`${name} must have at most ${rule.maxLength} characters`);
    if (rule.items?.type && !value.every(TYPES[rule.items.type])) throw new ToolError(`${name} must hold ${rule.items.type}s only`);
  }
}
