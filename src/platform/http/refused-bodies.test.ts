import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openSocket, readAnswer, type TestService, testService } from '../../../test/harness/index.ts';

const BODY_BYTES = 31 * 1024 * 1024;
const PIECE = Buffer.alloc(256 * 1024, ' ');
const PIECES_SENT = 16;

let service: TestService;
const sockets: Socket[] = [];

beforeAll(async () => {
  service = await testService({ DUKKAN_ROLES: 'api', METRICS_PORT: '0' });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function bufferedBytes(): Promise<number> {
  const page = await (await fetch(`${service.service.metricsUrl()}/metrics`)).text();
  return Number(/^dukkan_http_buffered_body_bytes (\d+)$/m.exec(page)?.[1]);
}

/** Every chunk that the HTTP parser hands to requests. The list keeps them alive, so only an explicit release can free one. */
function collectChunks(): ArrayBufferLike[] {
  const chunks: ArrayBufferLike[] = [];
  const onRequest = (request: IncomingMessage) => {
    request.push = (chunk) => {
      if (chunk !== null) chunks.push(chunk.buffer);
      return IncomingMessage.prototype.push.call(request, chunk);
    };
  };
  const { server } = service.service.app;
  server.prependListener('request', onRequest);
  onTestFinished(() => void server.off('request', onRequest));
  return chunks;
}

async function beginRequest(path: string, framing: string): Promise<Socket> {
  const socket = await openSocket(service.baseUrl);
  sockets.push(socket.on('error', () => undefined));
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${framing}\r\n\r\n`);
  return socket;
}

function sendPiece(socket: Socket, isChunked: boolean): Promise<void> {
  const bytes = isChunked
    ? Buffer.concat([Buffer.from(`${PIECE.length.toString(16)}\r\n`), PIECE, Buffer.from('\r\n')])
    : PIECE;
  return new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())));
}

describe('an unfinished login of 31 MB', () => {
  it.each([
    ['with Content-Length', `content-length: ${BODY_BYTES}`, false],
    ['in chunks', 'transfer-encoding: chunked', true],
  ])('%s is refused with 413, and what still arrives is freed as it arrives', async (_how, framing, isChunked) => {
    const chunks = collectChunks();
    const socket = await beginRequest('/api/v1/auth/login', framing);
    for (let sent = 0; sent < PIECES_SENT; sent += 1) await sendPiece(socket, isChunked);
    expect((await readAnswer(socket)).status).toBe(413);
    const received = () => chunks.length > 0 && chunks.every((chunk) => chunk instanceof ArrayBuffer && chunk.detached);
    await expect.poll(received).toBe(true);
    expect(await bufferedBytes()).toBe(0);
  });

  it('is refused by its Content-Length before a byte of it has come', async () => {
    const socket = await beginRequest('/api/v1/auth/login', `content-length: ${BODY_BYTES}`);
    expect((await readAnswer(socket)).status).toBe(413);
  });

  it('counts as buffered while it is within the limit of the route, and not after the client has gone', async () => {
    const socket = await beginRequest('/api/v1/auth/login', 'content-length: 10000');
    socket.write(Buffer.alloc(9_000, ' '));
    await expect.poll(bufferedBytes).toBe(9_000);
    socket.destroy();
    await expect.poll(bufferedBytes).toBe(0);
  });
});

it('frees the body of a path that does not exist as well', async () => {
  const chunks = collectChunks();
  const socket = await beginRequest('/api/v1/nowhere', `content-length: ${BODY_BYTES}`);
  for (let sent = 0; sent < PIECES_SENT; sent += 1) await sendPiece(socket, false);
  expect((await readAnswer(socket)).status).toBe(413);
  await expect.poll(() => chunks.every((chunk) => chunk instanceof ArrayBuffer && chunk.detached)).toBe(true);
});
