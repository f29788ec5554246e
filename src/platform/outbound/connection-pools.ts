import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type Dispatcher, Pool } from 'undici';
import { createFairLimiter, type Release } from '../fair-limiter/index.ts';
import { createPinnedConnect, type PinnedTarget } from './pinned-connect.ts';

export type Lease = { dispatcher: Dispatcher; failedToConnect(error: unknown): boolean; release(): void };

export type ConnectionPools = {
  lease(target: PinnedTarget): Lease;
  stats(): { targets: number; connections: number };
  /** Call when no request is running. */
  close(): Promise<void>;
};

type Entry = {
  pool: Pool;
  leases: number;
  connections: number;
  dialling: Set<Socket>;
  closing: boolean;
};

/**
 * Handshakes with one target at a time. Dozens that begin in the same moment block this process while it computes them, and
 * overflow the accept queue of a small receiver, whose TCP then has them retry seconds later.
 */
const MAX_DIALLING = 8;
const MAX_RESPONSE_HEADER_BYTES = 16 * 1024;

// Long enough for the pauses between requests to a busy receiver. A receiver that announces a keep-alive of ten minutes
// gets half a minute, so that receivers cannot hold idle sockets open.
const IDLE_MS = 4000;
const MAX_IDLE_MS = 30_000;

/**
 * Keep-alive connections, one pool for each combination of origin, isolation key and checked address. The address is part
 * of the key because a kept connection outlives its lookup: when the DNS record changes, the next request must use the
 * address that was checked for it, never a socket to the former one.
 */
export function createConnectionPools(options: {
  extraCa: string | undefined;
  maxSocketsPerTarget: number;
  maxTargets: number;
}): ConnectionPools {
  /** In the order of their last use, the oldest first. */
  const entries = new Map<string, Entry>();
  const connectFailures = new WeakSet<object>();
  const connect = createPinnedConnect(options.extraCa);

  function open(target: PinnedTarget, key: string): Entry {
    const dialling = new Set<Socket>();
    const handshakes = createFairLimiter({ maxConcurrent: MAX_DIALLING });
    const pool = new Pool(target.origin, {
      connections: options.maxSocketsPerTarget,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_dial, callback) => {
        const dial = (release: Release) => {
          const settle = (error: Error | null, connected: TLSSocket | null) => {
            release();
            if (error !== null) connectFailures.add(error);
            if (connected === null) callback(error ?? new Error('not connected'), null);
            else callback(null, connected);
          };
          // The request was abandoned while it was queued.
          if (entry.closing) return settle(new Error('too late'), null);
          const socket = connect(target, (error, connected) => {
            dialling.delete(socket);
            settle(error, connected);
          });
          dialling.add(socket);
        };
        // The queue has neither a length limit nor a deadline, so it refuses nothing.
        const slot = handshakes.acquire({}) as Release | Promise<Release>;
        if (slot instanceof Promise) void slot.then(dial);
        else dial(slot);
      },
    });
    const entry: Entry = { pool, leases: 0, connections: 0, dialling, closing: false };
    pool.on('connect', () => {
      entry.connections += 1;
    });
    pool.on('disconnect', () => {
      entry.connections -= 1;
      dropIfIdle(key, entry);
    });
    return entry;
  }

  function dropIfIdle(key: string, entry: Entry): void {
    if (entry.leases === 0 && entry.connections === 0) drop(key, entry);
  }

  function drop(key: string, entry: Entry): void {
    if (entry.closing) return;
    entry.closing = true;
    entries.delete(key);
    void entry.pool.destroy();
    for (const socket of entry.dialling) socket.destroy();
  }

  function evictLeastRecentlyUsed(): void {
    if (entries.size < options.maxTargets) return;
    const idle = [...entries].find(([, entry]) => entry.leases === 0);
    if (idle !== undefined) drop(...idle);
  }

  return {
    lease(target) {
      const key = `${target.isolationKey} ${target.origin} ${target.address}`;
      if (!entries.has(key)) evictLeastRecentlyUsed();
      const leased = entries.get(key) ?? open(target, key);
      leased.leases += 1;
      entries.delete(key);
      entries.set(key, leased);
      return {
        dispatcher: leased.pool,
        failedToConnect: (error) => typeof error === 'object' && error !== null && connectFailures.has(error),
        release() {
          leased.leases -= 1;
          dropIfIdle(key, leased);
        },
      };
    },
    stats() {
      let connections = 0;
      for (const entry of entries.values()) connections += entry.connections;
      return { targets: entries.size, connections };
    },
    async close() {
      // Not `pool.close()`: it would wait for ever for a request that timed out while queued behind a lost connection.
      const pools = [...entries.values()].map((entry) => {
        entry.closing = true;
        for (const socket of entry.dialling) socket.destroy();
        return entry.pool.destroy();
      });
      entries.clear();
      await Promise.all(pools);
    },
  };
}
