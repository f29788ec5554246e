import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../../test/harness/index.ts';
import { networkOf } from './limit-connections.ts';
import type { HttpOptions } from './server.ts';
import { isOpen, json, open, POLL_OPTIONS } from './testing/open-server.ts';

describe('connections of one address', () => {
  // No other time limit may close them during the test.
  const relaxed = { headersWithinMs: 100_000, bodyLimits: { firstBytesWithinMs: 100_000 } };
  const HOLD = 'GET /hold HTTP/1.1\r\nhost: x\r\n\r\n';
  const PING = 'GET /ping HTTP/1.1\r\nhost: x\r\n\r\n';

  it('past the limit close the oldest that waits for its client, and none with a request in progress', async () => {
    const limits = { ...relaxed, maxConnectionsPerAddress: 3, connectionClosableAfterMs: 0 };
    const { connect, send, gate, inFlight } = await open(limits);
    const working = await send(HOLD);
    await expect.poll(inFlight, POLL_OPTIONS).toBe(1);
    const [silent, bodiless] = [await connect(), await send(json('/echo', 10))];
    const fourth = await connect();
    await expect.poll(() => isOpen(silent.resume()), POLL_OPTIONS).toBe(false);
    const fifth = await connect();
    await expect.poll(() => isOpen(bodiless.resume()), POLL_OPTIONS).toBe(false);
    fifth.write(PING);
    expect((await readAnswer(fifth)).status).toBe(200);
    expect([working, fourth, fifth].map(isOpen)).toEqual([true, true, true]);
    gate.resolve();
    expect((await readAnswer(working)).status).toBe(200);
  });

  it('are refused with an answer when none can be closed, and served once another has closed', async () => {
    const { connect, send, inFlight, gate } = await open({ ...relaxed, maxConnectionsPerAddress: 2 });
    const working = [await send(HOLD), await send(HOLD)];
    await expect.poll(inFlight, POLL_OPTIONS).toBe(2);
    const [refused, later] = [await send(PING), await connect()];
    const answer = await readAnswer(refused);
    expect(answer.status).toBe(429);
    expect(answer.head).toMatch(/^retry-after: 1$/im);
    expect(answer.head).toMatch(/^connection: close$/im);
    expect(JSON.parse(answer.body)).toEqual({
      code: 429,
      error: 'Too many connections',
      details: { limit: 2, retry_after_seconds: 1 },
    });
    await expect.poll(() => isOpen(refused.resume()), POLL_OPTIONS).toBe(false);
    gate.resolve();
    for (const socket of working) {
      expect((await readAnswer(socket)).status).toBe(200);
      socket.destroy();
    }
    await expect.poll(async () => (await readAnswer(await send(PING))).status, POLL_OPTIONS).toBe(200);
    later.write(PING);
    expect((await readAnswer(later)).status).toBe(200);
  });

  it('a keep-alive client loses no request when others connect, and past twice the limit the newest are closed', async () => {
    const { connect, send } = await open({ ...relaxed, maxConnectionsPerAddress: 2 });
    const kept = [await send(PING), await send(PING)];
    for (const socket of kept) expect((await readAnswer(socket)).status).toBe(200);
    const excess = [await connect(), await connect()];
    const fifth = await connect();
    await expect.poll(() => isOpen(fifth.resume()), POLL_OPTIONS).toBe(false);
    for (const socket of kept) socket.write(PING);
    for (const socket of kept) expect((await readAnswer(socket)).status).toBe(200);
    expect([...kept, ...excess].map(isOpen)).toEqual([true, true, true, true]);
  });

  it.each<HttpOptions['trustProxy']>([{ hops: 1 }, { networks: '127.0.0.0/8' }])(
    'are not limited for a trusted proxy: %j',
    async (trustProxy) => {
      const { connect, ping } = await open({ ...relaxed, maxConnectionsPerAddress: 2, trustProxy });
      const sockets = [await connect(), await connect(), await connect(), await connect()];
      expect(await ping()).toBe(200);
      expect(sockets.map(isOpen)).toEqual([true, true, true, true]);
    },
  );

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::5', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
  ])('%s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
