import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type Dispatcher, Pool } from 'undici';
import { createFairLimiter, type Release } from '../fair-limiter/index.ts';
import { createPinnedConnect, type PinnedTarget } from './pinned-connect.ts';

export type Lease = { dispatcher: Dispatcher; failedToConnect(error: unknown): boolean; release(): void };

export type ConnectionPools = {
  lease(target: PinnedTarget): Lease;
  stats(): { targets: number; connections: number };
  /** Once nothing is under way. */
  close(): Promise<void>;
};

type Entry = {
  pool: Pool;
  leases: number;
  connections: number;
  dialling: Set<Socket>;
  closing: boolean;
  /** Rises with every use of any entry. */
  lastUse: number;
};

/**
 * Handshakes with one target at a time. Dozens that begin in the same moment block this process while it computes them, and
 * overflow the accept queue of a small receiver, whose TCP then has them retry seconds later.
 */
const MAX_DIALLING = 8;
const MAX_RESPONSE_HEADER_BYTES = 16 * 1024;

// Long enough to bridge the gaps of a busy receiver; a receiver that promises ten minutes gets half of one, so that
// nobody parks sockets here.
const IDLE_MS = 4000;
const MAX_IDLE_MS = 30_000;

/**
 * Keep-alive connections, one pool for each combination of origin, lane and checked address. The address is part of
 * the key because a kept connection outlives the lookup it came from: when the name moves, the next request must find
 * the pool of the address that was checked for it, never a socket to the former one.
 */
export function createConnectionPools(options: {
  extraCa: string | undefined;
  maxSocketsPerTarget: number;
  maxTargets: number;
}): ConnectionPools {
  const entries = new Map<string, Entry>();
  const connectFailures = new WeakSet<object>();
  const connect = createPinnedConnect(options.extraCa);
  let uses = 0;

  function open(key: string, target: PinnedTarget): Entry {
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
    const entry: Entry = { pool, leases: 0, connections: 0, dialling, closing: false, lastUse: 0 };
    pool.on('connect', () => {
      entry.connections += 1;
    });
    pool.on('disconnect', () => {
      entry.connections -= 1;
      dropWhenUnused(key, entry);
    });
    entries.set(key, entry);
    return entry;
  }

  function dropWhenUnused(key: string, entry: Entry): void {
    if (entry.leases === 0 && entry.connections === 0) drop(key, entry);
  }

  function drop(key: string, entry: Entry): void {
    if (entry.closing) return;
    entry.closing = true;
    entries.delete(key);
    void entry.pool.destroy();
    for (const socket of entry.dialling) socket.destroy();
  }

  function makeRoom(): void {
    if (entries.size < options.maxTargets) return;
    let oldest: [key: string, entry: Entry] | undefined;
    for (const [key, entry] of entries) {
      if (entry.leases === 0 && (oldest === undefined || entry.lastUse < oldest[1].lastUse)) oldest = [key, entry];
    }
    if (oldest !== undefined) drop(...oldest);
  }

  return {
    lease(target) {
      const key = `${target.lane} ${target.origin} ${target.address}`;
      let entry = entries.get(key);
      if (entry === undefined) {
        makeRoom();
        entry = open(key, target);
      }
      const leased = entry;
      leased.leases += 1;
      uses += 1;
      leased.lastUse = uses;
      return {
        dispatcher: leased.pool,
        failedToConnect: (error) => typeof error === 'object' && error !== null && connectFailures.has(error),
        release() {
          leased.leases -= 1;
          dropWhenUnused(key, leased);
        },
      };
    },
    stats() {
      let connections = 0;
      for (const entry of entries.values()) connections += entry.connections;
      return { targets: entries.size, connections };
    },
    async close() {
      // Not `pool.close()`: a request whose time ended in line for a connection is still in there, and it would wait for it for
      // ever when the connection in front has gone.
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
