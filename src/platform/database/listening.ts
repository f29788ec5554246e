import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { clientClassOf, clientConfig, type DatabaseAddress, type Limits } from './session-settings.ts';

export type Listener = { onNotice(payload: string): void; onListening?(): void };
export type Subscription = { unlisten(): Promise<void> };

const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 500;

/**
 * One connection for all LISTEN channels, opened with the first. After a lost connection it reconnects and calls `onListening` of
 * every listener, since notifications in between were missed.
 */
export function createListening(address: DatabaseAddress, options: { applicationName: string; limits: Limits }) {
  const Client = clientClassOf(address);
  const channels = new Map<string, Set<Listener>>();
  let opening: Promise<pg.Client> | undefined;
  let lastSent: Promise<unknown> = Promise.resolve();
  let ended = false;

  async function open(): Promise<pg.Client> {
    const client = new Client(clientConfig(address, options));
    client.on('error', () => undefined);
    client.on('notification', ({ channel, payload }) => {
      for (const listener of channels.get(channel) ?? []) listener.onNotice(payload ?? '');
    });
    await client.connect();
    client.once('end', () => void reopen());
    for (const channel of channels.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    return client;
  }

  /** One after another: the driver accepts a second statement only when the first is answered. */
  function send(client: pg.Client, statement: string): Promise<unknown> {
    const sent = lastSent.then(() => client.query(statement));
    lastSent = sent.catch(() => undefined);
    return sent;
  }

  async function reopen(): Promise<void> {
    for (let waitMs = FIRST_RETRY_MS; !ended; waitMs = Math.min(waitMs * 2, MAX_RETRY_MS)) {
      opening = open();
      try {
        await opening;
        for (const listeners of channels.values()) for (const listener of listeners) listener.onListening?.();
        return;
      } catch {
        await delay(waitMs, undefined, { ref: false });
      }
    }
  }

  return {
    async listen(channel: string, listener: Listener): Promise<Subscription> {
      const listeners = channels.get(channel) ?? new Set();
      channels.set(channel, listeners);
      listeners.add(listener);
      opening ??= open();
      try {
        await send(await opening, `listen ${pg.escapeIdentifier(channel)}`);
      } catch (error) {
        listeners.delete(listener);
        opening = undefined;
        throw error;
      }
      listener.onListening?.();
      return {
        async unlisten() {
          listeners.delete(listener);
          if (listeners.size > 0) return;
          channels.delete(channel);
          const client = await opening;
          if (client !== undefined) await send(client, `unlisten ${pg.escapeIdentifier(channel)}`);
        },
      };
    },

    async end(): Promise<void> {
      ended = true;
      const client = await opening?.catch(() => undefined);
      await client?.end().catch(() => undefined);
    },
  };
}
