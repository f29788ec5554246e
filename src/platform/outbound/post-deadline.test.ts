import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { patienceMs } from '../../../test/harness/patience.ts';
import type { SenderOptions } from './post.ts';
import { createLoopback, type Loopback, messageTo } from './testing/loopback.ts';
import { startRawReceiver, startReceiver, startSilentServer } from './testing/receiver.ts';

let loopback: Loopback;

beforeAll(async () => {
  loopback = await createLoopback();
});

afterEach(async () => {
  await loopback.closeAll();
});

describe('the deadline', () => {
  const NOTHING_COMES_MS = 200;
  /** Where the head of the answer is to come before it: a busy machine takes its time for a handshake. */
  const HEAD_COMES_MS = patienceMs() / 10;
  /** Without a deadline it would take for ever. */
  const BOUNDED_MS = 2 * patienceMs();

  async function expectTimeout(
    port: number,
    { deadlineMs = NOTHING_COMES_MS, ...options }: Partial<SenderOptions> & { deadlineMs?: number } = {},
  ) {
    const sender = loopback.openSender(options);
    const outcome = await sender.post(messageTo(port, { deadlineMs }));
    expect(outcome).toMatchObject({ ok: false, error: 'timeout' });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(deadlineMs - 5);
    expect(outcome.durationMs).toBeLessThan(BOUNDED_MS);
    return { outcome, sender };
  }

  it('covers a lookup that never ends', async () => {
    await expectTimeout(443, { resolve: () => new Promise(() => {}) });
  });

  it('covers a handshake that never ends', async () => {
    const silent = loopback.keep(await startSilentServer());
    await expectTimeout(silent.port);
    await expect.poll(() => silent.openConnections()).toBe(0);
  });

  it('covers headers that never come, and drops the connection', async () => {
    const receiver = loopback.keep(await startReceiver(loopback.certificate, () => undefined));
    const { outcome, sender } = await expectTimeout(receiver.port);
    expect(outcome.statusCode).toBeUndefined();
    await expect.poll(() => receiver.openConnections()).toBe(0);
    await expect.poll(() => sender.stats()).toEqual({ targets: 0, connections: 0 });
  });

  it('covers a body that never ends, however good its status', async () => {
    const receiver = loopback.keep(
      await startReceiver(loopback.certificate, (_request, response) => {
        response.write('so far so good');
      }),
    );
    const { outcome } = await expectTimeout(receiver.port, { deadlineMs: HEAD_COMES_MS });
    expect(outcome).toMatchObject({ statusCode: 200, responseExcerpt: 'so far so good' });
    await expect.poll(() => receiver.openConnections()).toBe(0);
  });

  it('covers a body that drips', async () => {
    const receiver = loopback.keep(
      await startReceiver(loopback.certificate, (_request, response) => {
        const drip = setInterval(() => response.write('.'), 10);
        response.on('close', () => clearInterval(drip));
      }),
    );
    const { outcome } = await expectTimeout(receiver.port, { deadlineMs: HEAD_COMES_MS });
    expect(outcome.statusCode).toBe(200);
  });

  it('covers headers that drip', async () => {
    const receiver = loopback.keep(
      await startRawReceiver(loopback.certificate, (socket) =>
        socket.once('data', () => {
          socket.write('HTTP/1.1 200 OK\r\n');
          const drip = setInterval(() => socket.write('x-a: b\r\n'), 10);
          socket.on('close', () => clearInterval(drip));
        }),
      ),
    );
    await expectTimeout(receiver.port);
  });

  it('covers an endless row of early hints', async () => {
    const receiver = loopback.keep(
      await startRawReceiver(loopback.certificate, (socket) =>
        socket.once('data', () => {
          const hint = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 10);
          socket.on('close', () => clearInterval(hint));
        }),
      ),
    );
    const { outcome } = await expectTimeout(receiver.port);
    expect(outcome.statusCode).toBeUndefined();
  });

  it('covers the wait for a free connection, and what waited is not sent afterwards', async () => {
    let release = () => {};
    const receiver = loopback.keep(
      await startReceiver(loopback.certificate, (_request, response) => {
        release = () => response.end();
      }),
    );
    const sender = loopback.openSender({ maxSocketsPerTarget: 1 });
    const first = sender.post(messageTo(receiver.port, { body: 'first' }));
    await expect.poll(() => receiver.requests.length).toBe(1);
    expect(await sender.post(messageTo(receiver.port, { body: 'second', deadlineMs: NOTHING_COMES_MS }))).toMatchObject(
      {
        ok: false,
        error: 'timeout',
      },
    );
    release();
    expect(await first).toMatchObject({ ok: true });
    await sender.close();
    expect(receiver.requests.map(({ rawBody }) => rawBody.toString())).toEqual(['first']);
  });

  it('can be cut short by the caller', async () => {
    const receiver = loopback.keep(await startReceiver(loopback.certificate, () => undefined));
    const caller = new AbortController();
    const sending = loopback.openSender().post(messageTo(receiver.port, { signal: caller.signal }));
    await expect.poll(() => receiver.requests.length).toBe(1);
    caller.abort();
    expect(await sending).toMatchObject({ ok: false, error: 'aborted' });
    expect(await loopback.openSender().post(messageTo(receiver.port, { signal: caller.signal }))).toMatchObject({
      error: 'aborted',
    });
    expect(receiver.requests).toHaveLength(1);
  });
});
