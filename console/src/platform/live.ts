import { DukkanError, type OrderEvent } from '@dukkan/sdk';
import { useEffect, useRef } from 'react';
import { useOnline } from './online.ts';
import type { Scope } from './scope.ts';
import { useMay, useScope, useSession } from './session.ts';
import { createStore, useStore } from './store.ts';
import { type Channel, openChannel, withTabLock } from './tab-channel.ts';

/** `live`: changes arrive within moments. `waiting`: the connection is lost and is being retried. */
export type LiveState = 'off' | 'live' | 'waiting';
type LiveMessage = { event: OrderEvent } | { state: LiveState };

const state = createStore<LiveState>('off');
const listeners = new Set<(event: OrderEvent) => void>();
const RETRY_MS = 5_000;
const SETTLED_MS = 4_000;

/** An idle stream does not notice that the network is gone; the browser does. */
export function useLiveState(): LiveState {
  const current = useStore(state);
  const isOnline = useOnline();
  return current === 'live' && !isOnline ? 'waiting' : current;
}

/** Calls `listener` with every change of an order while mounted. */
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
  const scope = useScope();
  const isOpen = organization !== undefined && !organization.suspended && may('read:Orders');
  useEffect(() => {
    if (!isOpen) return;
    const ended = new AbortController();
    const stop = () => ended.abort();
    // With the scope, not only with the page: nothing that comes in between is passed on to the next user.
    scope.signal.addEventListener('abort', stop);
    void follow(scope, ended.signal);
    return () => {
      scope.signal.removeEventListener('abort', stop);
      stop();
    };
  }, [isOpen, scope]);
}

/** The connection that is followed now. Messages of earlier ones are ignored. */
let current: AbortSignal | undefined;

/**
 * One tab holds the stream and passes events to the others: browsers allow six connections to a host, and eight open tabs
 * would take them all. When that tab closes, its lock passes to the next one, which resumes after the last event it received.
 */
async function follow(scope: Scope, signal: AbortSignal): Promise<void> {
  // By user as well: another user's tab does not receive what this one may read.
  const name = `live ${scope.userId} ${scope.organizationId}`;
  let since = 'now';
  current = signal;
  const show = (next: LiveState) => {
    if (current === signal) state.set(next);
  };
  const hear = (event: OrderEvent) => {
    if (signal.aborted) return;
    since = event.cursor;
    for (const listener of [...listeners]) listener(event);
  };
  const others: Channel<LiveMessage> = openChannel<LiveMessage>(name, (message) => {
    if ('event' in message) hear(message.event);
    else show(message.state);
  });
  const say = (next: LiveState) => {
    if (signal.aborted || current !== signal || state.get() === next) return;
    show(next);
    others.post({ state: next });
  };
  const publish = (event: OrderEvent) => {
    if (signal.aborted) return;
    say('live');
    hear(event);
    others.post({ event });
  };
  show('live');
  try {
    // The calls of an ended scope stay pending; the lock must not, or no tab would follow after the next sign-in.
    const work = () => Promise.race([hold(scope, () => since, { publish, say }, signal), untilAborted(signal)]);
    await withTabLock(name, work, signal);
  } catch {
    // Refused for good, or no longer needed: pages work without live updates and report refusals themselves.
  } finally {
    show('off');
    others.close();
  }
}

async function hold(
  scope: Scope,
  since: () => string,
  { publish, say }: { publish(event: OrderEvent): void; say(state: LiveState): void },
  signal: AbortSignal,
): Promise<void> {
  let settling: ReturnType<typeof setTimeout> | undefined;
  /** The stream does not report that it is connected again: no further loss within this time counts as connected. */
  const lost = (delayMs: number) => {
    say('waiting');
    clearTimeout(settling);
    settling = setTimeout(() => say('live'), delayMs + SETTLED_MS);
  };
  say('live');
  while (!signal.aborted) {
    try {
      const changes = scope.api.changes({
        since: since(),
        signal,
        onReconnect: (_error, delayMs) => lost(delayMs),
      });
      for await (const event of changes) publish(event);
    } catch (error) {
      if (signal.aborted) return;
      // Refused: a retry would be refused again.
      if (error instanceof DukkanError && [401, 402, 403].includes(error.status)) throw error;
      lost(RETRY_MS);
      await Promise.race([new Promise((resolve) => setTimeout(resolve, RETRY_MS)), untilAborted(signal)]);
    }
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
