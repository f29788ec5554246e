import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseNetworks } from './address-policy.ts';
import { createLoopback, HOST, type Loopback, messageTo } from './testing/loopback.ts';
import { startRawReceiver, startReceiver, startSilentServer } from './testing/receiver.ts';

let loopback: Loopback;

beforeAll(async () => {
  loopback = await createLoopback();
});

afterEach(async () => {
  await loopback.closeAll();
});

describe('connections', () => {
  it('are kept and used again', async () => {
    const receiver = loopback.keep(await startReceiver(loopback.certificate));
    // undici frees a connection one turn after the response, so a caller as quick as this loop would find it busy and
    // open a second when it may.
    const sender = loopback.openSender({ maxSocketsPerTarget: 1 });
    for (let count = 0; count < 20; count += 1) await sender.post(messageTo(receiver.port));
    expect(receiver.requests).toHaveLength(20);
    expect(receiver.connections()).toBe(1);
    expect(sender.stats()).toEqual({ targets: 1, connections: 1 });
  });

  it('stay within the limit of a target', async () => {
    const receiver = loopback.keep(await startReceiver(loopback.certificate));
    const sender = loopback.openSender({ maxSocketsPerTarget: 2 });
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => sender.post(messageTo(receiver.port))));
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(receiver.connections()).toBe(2);
  });

  it('are not all opened in the same moment', async () => {
    const silent = loopback.keep(await startSilentServer());
    const sender = loopback.openSender({ maxSocketsPerTarget: 50 });
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => sender.post(messageTo(silent.port, { deadlineMs: 3_000 }))),
    );
    expect(outcomes.every(({ error }) => error === 'timeout')).toBe(true);
    expect(silent.connections()).toBe(8);
    await expect.poll(() => silent.openConnections()).toBe(0);
  });

  it('are closed when idle, and the target is removed', async () => {
    const receiver = loopback.keep(
      await startReceiver(loopback.certificate, (_request, response) =>
        response.writeHead(200, { 'keep-alive': 'timeout=3' }).end(),
      ),
    );
    const sender = loopback.openSender();
    await sender.post(messageTo(receiver.port));
    expect(sender.stats()).toEqual({ targets: 1, connections: 1 });
    await expect.poll(() => sender.stats()).toEqual({ targets: 0, connections: 0 });
    await expect.poll(() => receiver.openConnections()).toBe(0);
    expect(await sender.post(messageTo(receiver.port))).toMatchObject({ ok: true });
  });

  it('are closed for the target unused longest when there are too many', async () => {
    const receiver = loopback.keep(await startReceiver(loopback.certificate));
    const sender = loopback.openSender({ maxTargets: 2 });
    for (const isolationKey of ['a', 'b', 'a', 'c']) await sender.post(messageTo(receiver.port, { isolationKey }));
    expect(sender.stats().targets).toBe(2);
    expect(receiver.connections()).toBe(3);
    await sender.post(messageTo(receiver.port, { isolationKey: 'a' }));
    expect(receiver.connections()).toBe(3);
  });

  it('of one isolation key do not delay those of another', async () => {
    const receiver = loopback.keep(
      await startReceiver(loopback.certificate, ({ path }, response) => {
        if (path !== '/stuck') response.end();
      }),
    );
    const sender = loopback.openSender({ maxSocketsPerTarget: 1 });
    const url = `https://${HOST}:${receiver.port}/stuck`;
    const stuck = sender.post(messageTo(receiver.port, { url, isolationKey: 'slow', deadlineMs: 4_000 }));
    await expect.poll(() => receiver.requests.length).toBe(1);
    expect(await sender.post(messageTo(receiver.port, { isolationKey: 'quick' }))).toMatchObject({ ok: true });
    expect(await stuck).toMatchObject({ ok: false, error: 'timeout' });
  });

  it('are replaced when the receiver closes them', async () => {
    const receiver = loopback.keep(
      await startReceiver(loopback.certificate, (_request, response) =>
        response.writeHead(200, { connection: 'close' }).end(),
      ),
    );
    const sender = loopback.openSender();
    for (let count = 0; count < 3; count += 1)
      expect(await sender.post(messageTo(receiver.port))).toMatchObject({ ok: true });
    expect(receiver.connections()).toBe(3);
  });

  it('end with the sender, after what is running', async () => {
    let release = () => {};
    const receiver = loopback.keep(
      await startReceiver(loopback.certificate, (_request, response) => {
        release = () => response.end('late');
      }),
    );
    const sender = loopback.openSender();
    const running = sender.post(messageTo(receiver.port));
    await expect.poll(() => receiver.requests.length).toBe(1);
    const closing = sender.close();
    expect(await sender.post(messageTo(receiver.port))).toMatchObject({ ok: false, error: 'sender closed' });
    release();
    expect(await running).toMatchObject({ ok: true, responseExcerpt: 'late' });
    await closing;
    await expect.poll(() => receiver.openConnections()).toBe(0);
  });

  it('end with the sender, even those not yet opened at that time', async () => {
    const receiver = loopback.keep(await startReceiver(loopback.certificate));
    let answer = (_addresses: string[]) => {};
    const sender = loopback.openSender({
      resolve: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const running = sender.post(messageTo(receiver.port));
    const closing = sender.close();
    answer(['127.0.0.1']);
    expect(await running).toMatchObject({ ok: true });
    await closing;
    await expect.poll(() => receiver.openConnections()).toBe(0);
    expect(sender.stats()).toEqual({ targets: 0, connections: 0 });
  });
});

describe('several addresses', () => {
  const allowedNetworks = parseNetworks('127.0.0.1,127.0.0.3,::1');

  it('are tried in turn until one can be reached', async () => {
    const receiver = loopback.keep(await startReceiver(loopback.certificate));
    const sender = loopback.openSender({ allowedNetworks, resolve: async () => ['127.0.0.3', '127.0.0.1'] });
    expect(await sender.post(messageTo(receiver.port))).toMatchObject({ ok: true });
    expect(receiver.requests).toHaveLength(1);
  });

  it('start with IPv4', async () => {
    const receiver = loopback.keep(await startReceiver(loopback.certificate));
    const other = loopback.keep(
      await startReceiver(loopback.certificate, undefined, { address: '::1', port: receiver.port }),
    );
    const sender = loopback.openSender({ allowedNetworks, resolve: async () => ['::1', '127.0.0.1'] });
    expect(await sender.post(messageTo(receiver.port))).toMatchObject({ ok: true });
    expect([receiver.requests.length, other.connections()]).toEqual([1, 0]);
  });

  it('are not held up by one that never answers the handshake', async () => {
    const receiver = loopback.keep(await startReceiver(loopback.certificate));
    const silent = loopback.keep(await startSilentServer({ address: '127.0.0.3', port: receiver.port }));
    const sender = loopback.openSender({
      allowedNetworks,
      nextAddressAfterMs: 100,
      resolve: async () => ['127.0.0.3', '127.0.0.1'],
    });
    expect(await sender.post(messageTo(receiver.port))).toMatchObject({ ok: true });
    expect(silent.connections()).toBe(1);
  });

  it('get the request once: after it has left, no other is tried', async () => {
    const receiver = loopback.keep(await startReceiver(loopback.certificate));
    const rude = loopback.keep(
      await startRawReceiver(loopback.certificate, (socket) => socket.once('data', () => socket.destroy()), {
        address: '127.0.0.3',
        port: receiver.port,
      }),
    );
    const sender = loopback.openSender({ allowedNetworks, resolve: async () => ['127.0.0.3', '127.0.0.1'] });
    expect(await sender.post(messageTo(receiver.port))).toMatchObject({ ok: false });
    expect([rude.connections(), receiver.connections()]).toEqual([1, 0]);
  });
});
