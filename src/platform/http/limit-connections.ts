import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from './problem.ts';
import type { IsProxy } from './trust-proxy.ts';

export type Connections = {
  /** Its request is in progress, or its response is being written. */
  busy(socket: Socket): void;
  /** It waits for its client: for a body or for the next request. */
  waiting(socket: Socket): void;
  /** A request on a connection past the limit, unless others have closed since. */
  refuse(socket: Socket): Problem | undefined;
};

/** A client with many connections may be sending its next request on one that has waited for less: closing it would lose that request. */
const CLOSABLE_AFTER_MS = 1_000;
const RETRY_AFTER_S = 1;

/**
 * Limits connections per address. Proxies, which carry connections of many clients, are not counted. Past the limit the oldest
 * connection that waits for its client is closed: a client that fills the limit with silent sockets loses those, and another client
 * behind the same address can still connect. While none can be closed, as many again are open only to be refused with an answer.
 */
export function limitConnections(
  server: Server,
  options: { maxPerAddress: number; closableAfterMs?: number; isProxy: IsProxy },
): Connections {
  const { maxPerAddress, closableAfterMs = CLOSABLE_AFTER_MS, isProxy } = options;
  const byAddress = new Map<string, Set<Socket>>();
  const waitingSince = new Map<Socket, number>();
  const excess = new Map<Socket, Set<Socket>>();

  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    waitingSince.set(socket, performance.now());
    socket.once('close', () => waitingSince.delete(socket));
    if (maxPerAddress === 0 || remoteAddress === undefined || isProxy(remoteAddress, 0)) return;
    const address = networkOf(remoteAddress);
    const open = byAddress.get(address) ?? new Set();
    byAddress.set(address, open);
    open.add(socket);
    socket.once('close', () => {
      excess.delete(socket);
      open.delete(socket);
      if (open.size === 0) byAddress.delete(address);
    });
    if (open.size <= maxPerAddress) return;
    const closed = oldestClosable(open) ?? (open.size > 2 * maxPerAddress ? socket : undefined);
    if (closed === undefined) {
      excess.set(socket, open);
      return;
    }
    open.delete(closed);
    closed.destroy();
  });

  function oldestClosable(open: Set<Socket>): Socket | undefined {
    const latest = performance.now() - closableAfterMs;
    for (const socket of open) if ((waitingSince.get(socket) ?? Number.POSITIVE_INFINITY) <= latest) return socket;
    return undefined;
  }

  return {
    busy: (socket) => void waitingSince.delete(socket),
    waiting: (socket) => {
      if (!socket.destroyed) waitingSince.set(socket, performance.now());
    },
    refuse(socket) {
      const open = excess.get(socket);
      if (open === undefined) return undefined;
      if (open.size <= maxPerAddress) {
        excess.delete(socket);
        return undefined;
      }
      const details = { limit: maxPerAddress, retry_after_seconds: RETRY_AFTER_S };
      const headers = { 'retry-after': String(RETRY_AFTER_S), connection: 'close' };
      return new Problem(429, 'Too many connections', details, headers).named('rate-limited');
    },
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
