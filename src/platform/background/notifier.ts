import type { FastifyBaseLogger } from 'fastify';
import { type Sql, withoutTenant } from '../database/index.ts';
import { newId } from '../ids.ts';

/**
 * Tells whoever waits on a channel, in this process and in others, that there is something to do.
 *
 * Notices are gathered and sent on their own, never inside an order's transaction: a transaction that notifies takes a
 * lock of the whole server while it commits, and all order writes would queue for it.
 */
export type Notifier = {
  /** Something was committed. Cheap: at most one notice goes out every few milliseconds. */
  notify(): void;
  onNotify(listener: (payload: string) => void): () => void;
  start(): Promise<void>;
  stop(): Promise<void>;
};

const GATHER_MS = 4;

export function createNotifier(sql: Sql, log: FastifyBaseLogger, channel: string): Notifier {
  const listeners = new Set<(payload: string) => void>();
  const self = newId();
  let timer: NodeJS.Timeout | undefined;
  let unlisten: (() => Promise<void>) | undefined;
  let stopped = false;

  const tell = (payload: string) => {
    for (const listener of listeners) listener(payload);
  };

  return {
    notify() {
      if (timer !== undefined || stopped) return;
      timer = setTimeout(() => {
        timer = undefined;
        // Those in this process need not wait for the notice to come back.
        tell('');
        withoutTenant(async () => await sql`select pg_notify(${channel}, ${self})`).catch((error: unknown) => {
          // Listeners poll as well; a lost notice costs a moment, not an event.
          log.warn({ err: error, channel }, 'could not send a notice');
        });
      }, GATHER_MS);
    },
    onNotify(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async start() {
      const hear = (payload: string) => {
        if (payload !== self) tell(payload);
      };
      const subscription = await sql.listen(channel, hear, () => tell(''));
      unlisten = () => subscription.unlisten();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await unlisten?.().catch(() => undefined);
    },
  };
}
