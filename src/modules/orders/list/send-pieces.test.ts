import { once } from 'node:events';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { openSocket } from '../../../../test/harness/index.ts';
import { type SendLimits, sendPieces } from './send-pieces.ts';

const PIECE = 'x'.repeat(256 * 1024);
const PATIENT = { stalledAfterMs: 30_000, endedAfterMs: 60_000 };
let app: FastifyInstance;
afterEach(() => app.close());

/** Serves an endless answer, or `count` pieces, and records how many were requested and whether the generator ended. */
async function serve(limits: SendLimits, count = Number.POSITIVE_INFINITY, fault?: Error) {
  const seen = { asked: 0, ended: false };
  async function* pieces() {
    try {
      for (; seen.asked < count; ) {
        if (fault !== undefined && seen.asked === 1) throw fault;
        seen.asked += 1;
        yield PIECE;
      }
    } finally {
      seen.ended = true;
    }
  }
  app = fastify();
  app.get('/', (_request, reply) => sendPieces(reply, pieces(), app.log, limits));
  return { seen, baseUrl: await app.listen({ port: 0, host: '127.0.0.1' }) };
}

async function askAndNeverRead(baseUrl: string) {
  const socket = await openSocket(baseUrl);
  socket.pause();
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return socket;
}

describe('sendPieces', () => {
  test('sends the complete answer', async () => {
    const { baseUrl, seen } = await serve(PATIENT, 20);
    expect((await (await fetch(baseUrl)).text()).length).toBe(20 * PIECE.length);
    expect(seen).toEqual({ asked: 20, ended: true });
  });

  test('requests no pieces while the client does not read', async () => {
    const { baseUrl, seen } = await serve(PATIENT);
    const socket = await askAndNeverRead(baseUrl);
    let before = -1;
    // Pieces are requested until the socket buffers of both sides are full, and none after that.
    await expect
      .poll(
        () => {
          const settled = seen.asked === before && seen.asked > 0;
          before = seen.asked;
          return settled;
        },
        { interval: 500 },
      )
      .toBe(true);
    expect(seen.asked).toBeLessThan(100);
    socket.destroy();
    await expect.poll(() => seen.ended).toBe(true);
  });

  test('disconnects a client that reads nothing', async () => {
    const { baseUrl, seen } = await serve({ ...PATIENT, stalledAfterMs: 300 });
    const socket = await askAndNeverRead(baseUrl);
    await expect.poll(() => seen.ended).toBe(true);
    socket.resume();
    await once(socket, 'close');
  });

  test('disconnects a steady client after the maximum duration', async () => {
    const { baseUrl, seen } = await serve({ ...PATIENT, endedAfterMs: 300 });
    const response = await fetch(baseUrl);
    await expect(response.text()).rejects.toThrow();
    await expect.poll(() => seen.ended).toBe(true);
  });

  test('answers an error of the first piece as usual, and disconnects after a later one', async () => {
    const { baseUrl } = await serve(PATIENT, 5, new Error('lost'));
    await expect(fetch(baseUrl).then((response) => response.text())).rejects.toThrow();
    await app.close();
    app = fastify();
    app.get('/', (_request, reply) =>
      sendPieces(
        reply,
        // biome-ignore lint/correctness/useYield: it fails before it could.
        (async function* (): AsyncGenerator<string> {
          throw new Error('lost');
        })(),
        app.log,
        PATIENT,
      ),
    );
    expect((await fetch(await app.listen({ port: 0, host: '127.0.0.1' }))).status).toBe(500);
  });
});
