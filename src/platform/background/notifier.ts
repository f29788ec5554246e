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
  /** Something was committed. Cheap: listeners of this process are notified every few milliseconds at most, others less often. */
  notify(): void;
  onNotify(listener: (payload: string) => void): () => void;
  start(): Promise<void>;
  stop(): Promise<void>;
};

const BATCH_MS = 4;
/** Of notifications to other processes, each of which is a statement: at 1,000 orders a second there was one for every four orders. */
const REMOTE_EVERY_MS = 20;

export function createNotifier(sql: Sql, log: FastifyBaseLogger, channel: string): Notifier {
  const listeners = new Set<(payload: string) => void>();
  const self = newId();
  let timer: NodeJS.Timeout | undefined;
  let remotePause: NodeJS.Timeout | undefined;
  let isRemoteDue = false;
  let unlisten: (() => Promise<void>) | undefined;
  let stopped = false;

  const notifyLocally = (payload: string) => {
    for (const listener of listeners) listener(payload);
  };

  function notifyRemotely(): void {
    isRemoteDue = remotePause !== undefined;
    if (isRemoteDue || stopped) return;
    remotePause = setTimeout(() => {
      remotePause = undefined;
      if (isRemoteDue) notifyRemotely();
    }, REMOTE_EVERY_MS);
    withoutTenant(async () => await sql`select pg_notify(${channel}, ${self})`).catch((error: unknown) => {
      // Listeners poll as well: a lost notification delays work and loses none.
      log.warn({ err: error, channel }, 'could not send a notification');
    });
  }

  return {
    notify() {
      if (timer !== undefined || stopped) return;
      timer = setTimeout(() => {
        timer = undefined;
        // Listeners in this process do not wait for the round trip.
        notifyLocally('');
        notifyRemotely();
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
      clearTimeout(remotePause);
      await unlisten?.().catch(() => undefined);
    },
  };
}
