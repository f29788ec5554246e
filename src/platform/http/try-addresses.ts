import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

export type TriedAddress = { host: string; port: number; explain?(error: Error): Error };

/**
 * Listens on each for a moment, on all at once, so that two of them cannot be the same. What cannot be had is then known
 * before anything is made on disk; another process may still take the port before the real listen.
 */
export async function tryAddresses(addresses: readonly TriedAddress[]): Promise<void> {
  const held: Server[] = [];
  try {
    for (const { host, port, explain } of addresses) {
      const server = createServer((socket) => socket.destroy()).listen({ host, port });
      try {
        await once(server, 'listening');
        held.push(server);
      } catch (error) {
        throw explain === undefined ? error : explain(error as Error);
      }
    }
  } finally {
    await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}
