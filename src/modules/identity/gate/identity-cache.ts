import type { Sql } from '../../../platform/database/index.ts';
import type { TokenHolder } from '../principal.ts';
import { type IdentityChanges, readIdentityChanges } from '../sql/changes.ts';

/**
 * Remembers who tokens stand for, so that the hot path reads no database. What it remembers may be used only while all
 * changes up to the identity epoch of less than a second ago have been followed: a node that cannot see them (partition,
 * dead connection, stalled loop) falls back to reading, and so no node honours a revoked token for longer than that.
 *
 * A change names the ids it concerns, of tokens, users or organizations, and only entries with one of them are
 * forgotten. Everything is forgotten when a change is missing from the log or concerns everybody.
 */
export type IdentityCache = {
  /** Answers at once from memory where it may. */
  find(key: string): TokenHolder | undefined;
  load(key: string, read: () => Promise<TokenHolder | undefined>): Promise<TokenHolder | undefined>;
  /** Called by the writer of a change: this node does not wait for the notification. */
  forget(ids: readonly string[]): void;
  /** Calls back when a change concerns one of these ids, or may concern anything. Returns how to stop. */
  watch(ids: readonly string[], onChange: () => void): () => void;
  /** Resolves when every change committed before this call has been followed, or the database did not answer in time. */
  catchUp(): Promise<void>;
  /** Counts what was forgotten: a read that began before a change is not shared with a caller that comes after it. */
  generation(): number;
  /** Share of look-ups answered from memory since start. */
  hitRate(): number;
  start(): Promise<void>;
  stop(): Promise<void>;
};

const TRUST_MS = 1_000;
/** While tokens are looked up or requests are watched. An idle process does not poll: its first request reads the database. */
const POLL_MS = 400;
/** A poll without an answer by then is abandoned; a late answer is ignored. */
const POLL_LIMIT_MS = 2_000;
const MAX_ENTRIES = 20_000;
const MAX_CHANGES = 1_000;

/** A read under way, and what was forgotten since it began: it may have looked before the change. */
type Read = { forgotten: Set<string>; forgottenAll: boolean };

export function createIdentityCache(sql: Sql): IdentityCache {
  const entries = new Map<string, TokenHolder>();
  const keysOf = new Map<string, Set<string>>();
  const reads = new Set<Read>();
  const watchers = new Map<string, Set<() => void>>();
  let generation = 0;
  let hits = 0;
  let misses = 0;
  let epoch = -1;
  let trustedUntilMs = 0;
  let asked = 0;
  let underWay: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  let isUsed = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let unlisten: (() => Promise<void>) | undefined;

  function remember(key: string, holder: TokenHolder): void {
    remove(key);
    if (entries.size >= MAX_ENTRIES) remove(entries.keys().next().value ?? '');
    entries.set(key, holder);
    for (const id of idsOf(holder)) {
      const keys = keysOf.get(id);
      if (keys === undefined) keysOf.set(id, new Set([key]));
      else keys.add(key);
    }
  }

  function remove(key: string): void {
    const holder = entries.get(key);
    if (holder === undefined) return;
    entries.delete(key);
    for (const id of idsOf(holder)) {
      const keys = keysOf.get(id);
      keys?.delete(key);
      if (keys?.size === 0) keysOf.delete(id);
    }
  }

  function forget(ids: readonly string[]): void {
    for (const id of ids) {
      for (const key of keysOf.get(id) ?? []) remove(key);
      for (const read of reads) read.forgotten.add(id);
    }
    generation += 1;
    notify(new Set(ids.flatMap((id) => [...(watchers.get(id) ?? [])])));
  }

  function forgetAll(): void {
    entries.clear();
    keysOf.clear();
    for (const read of reads) read.forgottenAll = true;
    generation += 1;
    notify(new Set([...watchers.values()].flatMap((listeners) => [...listeners])));
  }

  function notify(listeners: Set<() => void>): void {
    for (const listener of listeners) listener();
  }

  function watch(ids: readonly string[], onChange: () => void): () => void {
    for (const id of ids) {
      const listeners = watchers.get(id);
      if (listeners === undefined) watchers.set(id, new Set([onChange]));
      else listeners.add(onChange);
    }
    return () => {
      for (const id of ids) {
        const listeners = watchers.get(id);
        listeners?.delete(onChange);
        if (listeners?.size === 0) watchers.delete(id);
      }
    };
  }

  function follow(changes: IdentityChanges): void {
    const known = changes.concerned.filter((ids) => ids !== null);
    // One change an epoch, none missing, each with its ids.
    if (epoch >= 0 && known.length === changes.epoch - epoch) forget(known.flat());
    else forgetAll();
    epoch = changes.epoch;
  }

  async function ask(): Promise<void> {
    asked += 1;
    const own = asked;
    const askedAtMs = performance.now();
    try {
      const changes = await readIdentityChanges(sql, epoch, MAX_CHANGES);
      if (own !== asked) return;
      if (changes.epoch !== epoch) follow(changes);
      trustedUntilMs = askedAtMs + TRUST_MS;
    } catch {
      // Nothing to do: trust runs out by itself, and requests read the database until it answers again.
    }
  }

  /** One at a time. What comes meanwhile shares the next, since the one under way may have looked too early. */
  function poll(): Promise<void> {
    if (following !== undefined) return following;
    if (underWay === undefined) return pollNow();
    following = underWay.then(() => {
      following = undefined;
      return pollNow();
    });
    return following;
  }

  function pollNow(): Promise<void> {
    if (stopped) return Promise.resolve();
    let limit: NodeJS.Timeout | undefined;
    const abandoned = new Promise<void>((resolve) => {
      limit = setTimeout(resolve, POLL_LIMIT_MS);
      limit.unref();
    });
    underWay = Promise.race([ask(), abandoned]).then(() => {
      clearTimeout(limit);
      underWay = undefined;
    });
    return underWay;
  }

  return {
    find(key) {
      const isTrusted = performance.now() < trustedUntilMs;
      isUsed = true;
      // The first request after a pause: those that follow are answered from memory again.
      if (!isTrusted && underWay === undefined) void poll();
      const holder = isTrusted ? entries.get(key) : undefined;
      if (holder === undefined) misses += 1;
      else hits += 1;
      return holder;
    },

    hitRate: () => (hits + misses === 0 ? 1 : hits / (hits + misses)),

    async load(key, readHolder) {
      const read: Read = { forgotten: new Set(), forgottenAll: false };
      reads.add(read);
      try {
        const holder = await readHolder();
        // What was forgotten while reading may be old; it is good for this request only.
        const fresh = holder && !read.forgottenAll && !idsOf(holder).some((id) => read.forgotten.has(id));
        if (fresh) remember(key, holder);
        return holder;
      } finally {
        reads.delete(read);
      }
    },

    forget,
    watch,
    catchUp: poll,
    generation: () => generation,

    async start() {
      await poll();
      const subscription = await sql.listen('identity_changed', (ids) => {
        if (ids !== '') forget(ids.split(','));
        void poll();
      });
      unlisten = () => subscription.unlisten();
      timer = setInterval(() => {
        if (isUsed || watchers.size > 0) void poll();
        isUsed = false;
      }, POLL_MS);
      timer.unref();
    },

    async stop() {
      stopped = true;
      clearInterval(timer);
      await unlisten?.().catch(() => undefined);
    },
  };
}

/** All that a change may name to concern this token. */
export function idsOf({
  token,
  user,
  memberships,
  support,
}: Pick<TokenHolder, 'token' | 'user' | 'memberships' | 'support'>): string[] {
  const organizations = memberships.map(({ organization }) => organization.id);
  const people = [user?.id, support?.openedWith].filter((id) => id !== undefined);
  return [token.id, ...people, ...organizations];
}
