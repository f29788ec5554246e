import { DukkanError, type OrderEvent } from '@dukkan/sdk';
import { useEffect, useRef } from 'react';
import { alone, type Channel, openChannel } from './between-tabs.ts';
import { useMay, useSession, withToken } from './session.ts';
import { createStore, useStore } from './store.ts';

/** `live`: every change is heard of within moments. `waiting`: the connection is lost and is being tried again. */
export type LiveState = 'off' | 'live' | 'waiting';
type Told = { event: OrderEvent } | { state: LiveState; cursor?: string };

const state = createStore<LiveState>('off');
const listeners = new Set<(event: OrderEvent) => void>();
const AGAIN_MS = 5_000;

export const useLiveState = () => useStore(state);

/** Hears every change of an order while it is mounted. */
export function useLive(listener: (event: OrderEvent) => void): void {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => {
    const hear = (event: OrderEvent) => latest.current(event);
    listeners.add(hear);
    return () => {
      listeners.delete(hear);
    };
  }, []);
}

/** Mounted once, by the frame. */
export function useLiveConnection(): void {
  const session = useSession();
  const organization = session.phase === 'in' ? session.organization : undefined;
  const may = useMay();
  const id = organization !== undefined && !organization.suspended && may('read:Orders') ? organization.id : undefined;
  useEffect(() => {
    if (id === undefined) return;
    const ended = new AbortController();
    void follow(id, ended.signal);
    return () => ended.abort();
  }, [id]);
}

/**
 * One tab holds the stream and tells the others: browsers allow six connections to a host, and eight open tabs would take
 * them all. When that tab closes, its lock goes to the next one, which goes on after the last event that it heard of.
 */
async function follow(organizationId: string, signal: AbortSignal): Promise<void> {
  let since = 'now';
  const hear = (event: OrderEvent) => {
    since = event.cursor;
    for (const listener of [...listeners]) listener(event);
  };
  const others: Channel<Told> = openChannel<Told>(`live ${organizationId}`, (told) => {
    if ('event' in told) hear(told.event);
    else state.set(told.state);
  });
  const say = (next: LiveState) => {
    state.set(next);
    others.tell({ state: next });
  };
  state.set('live');
  try {
    await alone(
      `live ${organizationId}`,
      () => hold(organizationId, () => since, { hear, say, others }, signal),
      signal,
    );
  } catch {
    // Refused for good: pages go on without, and say what they are refused themselves.
    state.set('off');
  } finally {
    others.close();
    if (signal.aborted) state.set('off');
  }
}

async function hold(
  organizationId: string,
  since: () => string,
  tell: { hear(event: OrderEvent): void; say(state: LiveState): void; others: Channel<Told> },
  signal: AbortSignal,
): Promise<void> {
  tell.say('live');
  while (!signal.aborted) {
    try {
      const changes = withToken(organizationId).changes({
        since: since(),
        signal,
        onReconnect: () => tell.say('waiting'),
      });
      for await (const event of changes) {
        tell.say('live');
        tell.hear(event);
        tell.others.tell({ event });
      }
    } catch (error) {
      if (signal.aborted) return;
      // Told not to: a later try would be told the same.
      if (error instanceof DukkanError && [401, 402, 403].includes(error.status)) throw error;
      tell.say('waiting');
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}
