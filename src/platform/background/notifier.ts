import type { FastifyBaseLogger } from 'fastify';
import { type Sql, withoutTenant } from '../database/index.ts';
import { newId } from '../ids.ts';

/**
 * Notifies listeners of a channel, in this process and in others, that there is work.
 *
 * Notifications are batched and sent outside of the writing transaction: a transaction with NOTIFY holds a server-wide lock while it
 * commits, and all order writes would queue for it.
 */
export type Notifier = {
  /** Something was committed. Cheap: at most one notification is sent every few milliseconds. */
  notify(): void;
  onNotify(listener: (payload: string) => void): () => void;
  start(): Promise<void>;
  stop(): Promise<void>;
};

const BATCH_MS = 4;

export function createNotifier(sql: Sql, log: FastifyBaseLogger, channel: string): Notifier {
  const listeners = new Set<(payload: string) => void>();
  const self = newId();
  let timer: NodeJS.Timeout | undefined;
  let unlisten: (() => Promise<void>) | undefined;
  let stopped = false;

  const notifyLocally = (payload: string) => {
    for (const listener of listeners) listener(payload);
  };

  return {
    notify() {
      if (timer !== undefined || stopped) return;
      timer = setTimeout(() => {
        timer = undefined;
        // Listeners in this process do not wait for the round trip.
        notifyLocally('');
        withoutTenant(async () => await sql`select pg_notify(${channel}, ${self})`).catch((error: unknown) => {
          // Listeners poll as well: a lost notification delays work and loses none.
          log.warn({ err: error, channel }, 'could not send a notification');
        });
      }, BATCH_MS);
    },
    onNotify(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async start() {
      const onRemote = (payload: string) => {
        if (payload !== self) notifyLocally(payload);
      };
      const subscription = await sql.listen(channel, onRemote, () => notifyLocally(''));
      unlisten = () => subscription.unlisten();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await unlisten?.().catch(() => undefined);
    },
  };
}
