import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { atEndOfFile } from './end-of-file.ts';

export type TcpProxy = {
  port: number;
  /** Ends every connection and turns new ones away at once. */
  cut(): void;
  /** Takes connections and bytes, and passes nothing on. */
  freeze(): void;
  /** Holds back what the other side answers by this long. */
  slowDown(delayMs: number): void;
  restore(): void;
};

/** Stands between a client and a server, and fails on demand. */
export async function tcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  let state: 'open' | 'cut' | 'frozen' = 'open';
  let delayMs = 0;
  const pairs = new Set<[Socket, Socket]>();

  const server = createServer((client) => {
    if (state === 'cut') return client.destroy();
    const upstream = connect(target.port, target.host);
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    client.on('data', (bytes) => {
      if (state === 'open') upstream.write(bytes);
    });
    // One after the other, so that what is held back is never overtaken.
    let passedOn = Promise.resolve();
    upstream.on('data', (bytes) => {
      const dueMs = performance.now() + delayMs;
      passedOn = passedOn.then(async () => {
        const leftMs = dueMs - performance.now();
        if (leftMs > 0) await delay(leftMs);
        if (state === 'open' && !client.destroyed) client.write(bytes);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const endAll = () => {
    for (const sockets of pairs) for (const socket of sockets) socket.destroy();
  };
  atEndOfFile(() => {
    endAll();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      state = 'cut';
      endAll();
    },
    freeze() {
      state = 'frozen';
    },
    slowDown(ms) {
      delayMs = ms;
    },
    restore() {
      // What was swallowed while frozen is lost, so those connections can never be right again.
      if (state === 'frozen') endAll();
      state = 'open';
      delayMs = 0;
    },
  };
}
