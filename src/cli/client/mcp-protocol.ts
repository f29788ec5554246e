import type { Readable, Writable } from 'node:stream';

/** Newest first. Sessions without batches, prompts and resources are the same in all of them. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];
/** As the largest body that the service takes. */
const MAX_LINE_CHARACTERS = 32 * 1024 * 1024;
/** From JSON-RPC 2.0. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;

/** As `tools/list` shows it. */
export type ShownTool = {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations: Record<string, unknown>;
};
export type CallToolResult = { isError?: true; content: { type: 'text'; text: string }[] };

export type McpServer = {
  info: { name: string; title: string; version: string };
  instructions: string;
  tools: readonly ShownTool[];
  call(name: string, given: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult>;
};

type Id = string | number;
type Message = { jsonrpc?: unknown; id?: unknown; method?: unknown; params?: unknown };

/**
 * The part of the Model Context Protocol that tools need, over lines of JSON. Resolves when the input ends. The protocol's own package would be 65
 * packages, a third of what a start installs, for an HTTP server, OAuth and a client; the tests use its client.
 */
export async function serveLines(server: McpServer, input: Readable, output: Writable): Promise<void> {
  const calls = new Map<Id, AbortController>();
  const write = (message: object) => output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const refuse = (id: Id | null, code: number, message: string) => write({ id, error: { code, message } });

  function receive(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return void refuse(null, PARSE_ERROR, 'Parse error');
    }
    if (!isObject(message) || message.jsonrpc !== '2.0') return void refuse(null, INVALID_REQUEST, 'Invalid request');
    const { id, method, params } = message as Message;
    // An answer: this side sends no requests.
    if (method === undefined && isId(id)) return;
    if (typeof method !== 'string') return void refuse(null, INVALID_REQUEST, 'Invalid request');
    if (id === undefined) return void notice(method, params);
    if (!isId(id)) return void refuse(null, INVALID_REQUEST, 'Invalid request');
    void answer(id, method, isObject(params) ? params : {});
  }

  function notice(method: string, params: unknown): void {
    if (method !== 'notifications/cancelled' || !isObject(params) || !isId(params.requestId)) return;
    calls.get(params.requestId)?.abort();
  }

  async function answer(id: Id, method: string, params: Record<string, unknown>): Promise<void> {
    if (method === 'initialize') return void write({ id, result: introduce(server, params.protocolVersion) });
    if (method === 'ping') return void write({ id, result: {} });
    if (method === 'tools/list') return void write({ id, result: { tools: server.tools } });
    if (method !== 'tools/call') return void refuse(id, METHOD_NOT_FOUND, `Method not found: ${method}`);
    const { name, arguments: given = {} } = params;
    if (typeof name !== 'string' || !isObject(given)) {
      return void refuse(id, INVALID_PARAMS, 'tools/call needs a name, and arguments that are an object');
    }
    const call = new AbortController();
    calls.set(id, call);
    try {
      const result = await server.call(name, given, call.signal);
      // A cancelled request gets no answer.
      if (!call.signal.aborted) write({ id, result });
    } catch (error) {
      if (!call.signal.aborted) refuse(id, INTERNAL_ERROR, error instanceof Error ? error.message : String(error));
    } finally {
      if (calls.get(id) === call) calls.delete(id);
    }
  }

  try {
    for await (const line of linesOf(input)) {
      if (line === undefined) refuse(null, INVALID_REQUEST, `A message has at most ${MAX_LINE_CHARACTERS} characters`);
      else if (line.trim() !== '') receive(line);
    }
  } finally {
    for (const call of calls.values()) call.abort();
  }
}

function introduce({ info, instructions }: McpServer, asked: unknown): object {
  const protocolVersion = VERSIONS.find((version) => version === asked) ?? VERSIONS[0];
  return { protocolVersion, capabilities: { tools: {} }, serverInfo: info, instructions };
}

/** Lines as they arrive; `undefined` for one that is too long. `readline` would keep a line of any length. */
async function* linesOf(input: Readable): AsyncGenerator<string | undefined> {
  let rest = '';
  let isTooLong = false;
  input.setEncoding('utf8');
  for await (const chunk of input) {
    const parts = String(chunk).split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) {
      yield isTooLong ? undefined : rest + part;
      rest = '';
      isTooLong = false;
    }
    rest = isTooLong ? '' : rest + last;
    if (rest.length > MAX_LINE_CHARACTERS) {
      isTooLong = true;
      rest = '';
    }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number';
}
