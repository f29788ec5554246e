import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type McpServer, serveLines } from './mcp-protocol.ts';

const tool = { name: 'echo', description: 'Says it again', inputSchema: { type: 'object' }, annotations: {} };

function connect(call: McpServer['call'] = async (_name, given) => ({ content: [text(JSON.stringify(given))] })) {
  const input = new PassThrough();
  const output = new PassThrough();
  const info = { name: 'test', title: 'Test', version: '1' };
  const served = serveLines({ info, instructions: 'Ask.', tools: [tool], call }, input, output);
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  return {
    input,
    served,
    send: (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    next: async () => JSON.parse((await lines.next()).value ?? 'null'),
  };
}

const text = (words: string) => ({ type: 'text', text: words }) as const;

describe('the protocol of tools', () => {
  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-11-25', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
    [undefined, '2025-11-25'],
  ])('answers version %s with %s', async (protocolVersion, answered) => {
    const { send, next } = connect();
    send({ id: 0, method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo: { name: 'c' } } });
    expect(await next()).toEqual({
      jsonrpc: '2.0',
      id: 0,
      result: {
        protocolVersion: answered,
        capabilities: { tools: {} },
        serverInfo: { name: 'test', title: 'Test', version: '1' },
        instructions: 'Ask.',
      },
    });
  });

  it('answers requests by their id, text or number, and nothing to notifications and answers', async () => {
    const { send, next } = connect();
    send({ method: 'notifications/initialized' });
    send({ method: 'notifications/cancelled', params: { requestId: 'never asked' } });
    send({ id: 1, result: {} });
    send({ id: 'a', method: 'ping' });
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 'a', result: {} });
    send({ id: 2, method: 'tools/list' });
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 2, result: { tools: [tool] } });
  });

  it('reads a message from pieces that divide lines and letters', async () => {
    const { input, next } = connect();
    const bytes = Buffer.from(
      '\r\n{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":"المراعي"}}}\r\n',
    );
    for (const byte of bytes) input.write(Buffer.of(byte));
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 1, result: { content: [text('{"a":"المراعي"}')] } });
  });

  it.each([
    ['{', null, -32_700],
    ['[]', null, -32_600],
    ['{"id":1,"method":"ping"}', null, -32_600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null, -32_600],
    ['{"jsonrpc":"2.0","id":1}', undefined, 0],
    ['{"jsonrpc":"2.0","id":1,"method":"resources/list"}', 1, -32_601],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}', 1, -32_602],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":[]}}', 1, -32_602],
  ])('refuses %s and goes on', async (line, id, code) => {
    const { input, send, next } = connect();
    input.write(`${line}\n`);
    if (id !== undefined)
      expect(await next()).toEqual({ jsonrpc: '2.0', id, error: { code, message: expect.any(String) } });
    send({ id: 9, method: 'ping' });
    expect(await next()).toMatchObject({ id: 9, result: {} });
  });

  it('refuses a message that is too long without keeping it', async () => {
    const { input, send, next } = connect();
    const piece = 'x'.repeat(1024 * 1024);
    for (let n = 0; n < 34; n++) if (!input.write(piece)) await once(input, 'drain');
    input.write('\n');
    expect(await next()).toMatchObject({ id: null, error: { code: -32_600 } });
    send({ id: 1, method: 'ping' });
    expect(await next()).toMatchObject({ id: 1 });
  });

  it('stops a call that is cancelled, answers the others, and answers no cancelled call', async () => {
    const stopped: unknown[] = [];
    const { send, next } = connect(async (name, _given, signal) => {
      if (name === 'broken') throw new Error('It broke');
      await once(signal, 'abort');
      stopped.push(name);
      return { content: [] };
    });
    send({ id: 1, method: 'tools/call', params: { name: 'slow' } });
    send({ id: 2, method: 'tools/call', params: { name: 'broken' } });
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 2, error: { code: -32_603, message: 'It broke' } });
    send({ method: 'notifications/cancelled', params: { requestId: 1, reason: 'too slow' } });
    await expect.poll(() => stopped).toEqual(['slow']);
    send({ id: 3, method: 'ping' });
    expect(await next()).toMatchObject({ id: 3 });
  });

  it('stops what is still under way when its client leaves', async () => {
    const signals: AbortSignal[] = [];
    const { input, send, served } = connect(async (_name, _given, signal) => {
      signals.push(signal);
      await once(signal, 'abort');
      return { content: [] };
    });
    send({ id: 1, method: 'tools/call', params: { name: 'slow' } });
    input.end();
    await served;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
