import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { IsProxy } from './trust-proxy.ts';

export type Connections = {
  /** Its request is in progress, or its response is being written. */
  busy(socket: Socket): void;
  /** It waits for its client: for a body or for the next request. */
  waiting(socket: Socket): void;
};

/**
 * Limits connections per address. Proxies, which carry connections of many clients, are not counted. Past the limit the oldest
 * connection that waits for its client is closed: a client that fills the limit with silent sockets loses those, and another client
 * behind the same address can still connect. When all have requests in progress, the newest is closed.
 */
export function limitConnections(server: Server, options: { maxPerAddress: number; isProxy: IsProxy }): Connections {
  const { maxPerAddress, isProxy } = options;
  const byAddress = new Map<string, Set<Socket>>();
  const busySockets = new Set<Socket>();

  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    socket.once('close', () => busySockets.delete(socket));
    if (maxPerAddress === 0 || remoteAddress === undefined || isProxy(remoteAddress, 0)) return;
    const address = networkOf(remoteAddress);
    const open = byAddress.get(address) ?? new Set();
    byAddress.set(address, open);
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      if (open.size === 0) byAddress.delete(address);
    });
    if (open.size <= maxPerAddress) return;
    const excess = oldestWaiting(open) ?? socket;
    open.delete(excess);
    excess.destroy();
  });

  function oldestWaiting(open: Set<Socket>): Socket | undefined {
    for (const socket of open) if (!busySockets.has(socket)) return socket;
    return undefined;
  }

  return {
    busy: (socket) => void busySockets.add(socket),
    waiting: (socket) => void busySockets.delete(socket),
  };
}

/** An IPv6 customer has at least 2^64 addresses: a /64 counts as one. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const last = tail === '' ? [] : tail.split(':');
  const middle = address.includes('::') ? Array.from({ length: 8 - groups.length - last.length }, () => '0') : [];
  return [...groups, ...middle, ...last].slice(0, 4).join(':');
}
