import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { IsProxy } from './trust-proxy.ts';

export type Connections = {
  /** Its request is being worked on, or its answer written. */
  busy(socket: Socket): void;
  /** It waits for its client: for a body, or for the next request. */
  waiting(socket: Socket): void;
};

/**
 * No address holds more connections than its share; proxies, which bring everybody's, are not counted. For one too
 * many, the oldest that only waits for its client is closed: whoever fills the share with silent sockets loses those,
 * and a neighbour behind the same address still gets in. With all of them at work the newest is closed.
 */
export function limitConnections(server: Server, options: { maxPerAddress: number; isProxy: IsProxy }): Connections {
  const { maxPerAddress, isProxy } = options;
  const byAddress = new Map<string, Set<Socket>>();
  const atWork = new Set<Socket>();

  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    socket.once('close', () => atWork.delete(socket));
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
    const superfluous = oldestWaiting(open) ?? socket;
    open.delete(superfluous);
    superfluous.destroy();
  });

  function oldestWaiting(open: Set<Socket>): Socket | undefined {
    for (const socket of open) if (!atWork.has(socket)) return socket;
    return undefined;
  }

  return {
    busy: (socket) => void atWork.add(socket),
    waiting: (socket) => void atWork.delete(socket),
  };
}

/** A customer of an IPv6 provider has at least 2^64 addresses: they count as one. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const last = tail === '' ? [] : tail.split(':');
  const middle = address.includes('::') ? Array.from({ length: 8 - groups.length - last.length }, () => '0') : [];
  return [...groups, ...middle, ...last].slice(0, 4).join(':');
}
