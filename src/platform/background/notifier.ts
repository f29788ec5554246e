import type { FastifyBaseLogger } from 'fastify';
import { currentTenantContext, type Sql, withoutTenant } from '../database/index.ts';
import { newId } from '../ids.ts';

/**
 * Notifies listeners of a channel, in this process and in others, that there is work.
 *
 * Notifications are batched and sent outside of the writing transaction: a transaction with NOTIFY holds a server-wide lock while it
 * commits, and all order writes would queue for it.
 */
export type Notifier = {
  /**
   * Something was committed for a tenant: the one whose work this is unless another is named, and any tenant if there is none. Cheap:
   * listeners of this process are notified every few milliseconds at most, others less often.
   */
  notify(tenant?: string): void;
  /** The payload has the ids of tenants, separated by commas. Empty or `*`: any of them. */
  onNotify(listener: (payload: string) => void): () => void;
  start(): Promise<void>;
  stop(): Promise<void>;
};

const BATCH_MS = 4;
/** Of notifications to other processes, each of which is a statement: at 1,000 orders a second there was one for every four orders. */
const REMOTE_EVERY_MS = 20;
/** A payload holds 8,000 bytes; past this many tenants it names none. */
const NAMED_TENANTS = 100;

const ANY_TENANT = '*';

/** Empties the list. */
function takeNamed(tenants: Set<string>): string {
  const names = tenants.size > NAMED_TENANTS || tenants.has(ANY_TENANT) ? ANY_TENANT : [...tenants].join(',');
  tenants.clear();
  return names;
}

export function createNotifier(sql: Sql, log: FastifyBaseLogger, channel: string): Notifier {
  const listeners = new Set<(payload: string) => void>();
  const self = newId();
  const named = { locally: new Set<string>(), remotely: new Set<string>() };
  let timer: NodeJS.Timeout | undefined;
  let remotePause: NodeJS.Timeout | undefined;
  let unlisten: (() => Promise<void>) | undefined;
  let stopped = false;

  const notifyLocally = (payload: string) => {
    for (const listener of listeners) listener(payload);
  };

  function notifyRemotely(): void {
    if (remotePause !== undefined || stopped) return;
    remotePause = setTimeout(() => {
      remotePause = undefined;
      if (named.remotely.size > 0) notifyRemotely();
    }, REMOTE_EVERY_MS);
    const payload = `${self} ${takeNamed(named.remotely)}`;
    withoutTenant(async () => await sql`select pg_notify(${channel}, ${payload})`).catch((error: unknown) => {
      // Listeners poll as well: a lost notification delays work and loses none.
      log.warn({ err: error, channel }, 'could not send a notification');
    });
  }

  return {
    notify(tenant = currentTenantContext().tenant ?? ANY_TENANT) {
      if (stopped) return;
      for (const tenants of [named.locally, named.remotely]) if (tenants.size <= NAMED_TENANTS) tenants.add(tenant);
      timer ??= setTimeout(() => {
        timer = undefined;
        // Listeners in this process do not wait for the round trip.
        notifyLocally(takeNamed(named.locally));
        notifyRemotely();
      }, BATCH_MS);
    },
    onNotify(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async start() {
      const onRemote = (payload: string) => {
        if (!payload.startsWith(self)) notifyLocally(payload.slice(payload.indexOf(' ') + 1));
      };
      const subscription = await sql.listen(channel, onRemote, () => notifyLocally(''));
      unlisten = () => subscription.unlisten();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      clearTimeout(remotePause);
      await unlisten?.().catch(() => undefined);
    },
  };
}
