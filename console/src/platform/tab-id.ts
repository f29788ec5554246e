import { TAB_ID } from './local-storage.ts';
import { openChannel } from './tab-channel.ts';

/** `ask`: which page holds this id? `held`: this one does. */
type Message = 'ask' | 'held';
let claimed: Promise<string> | undefined;

/** The id of this tab, held by a lock for as long as the tab is open. It survives a reload; a duplicated tab gets another one. */
export function claimTabId(): Promise<string> {
  claimed ??= claim();
  return claimed;
}

async function claim(): Promise<string> {
  const stored = readTabId();
  const id = stored !== null && (await hold(stored)) ? stored : await holdNew();
  writeTabId(id);
  return id;
}

async function holdNew(): Promise<string> {
  const id = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  await hold(id);
  return id;
}

/**
 * True with the lock of this id, false when another open page holds it. No timeout: on a busy machine, the page before a reload may take
 * seconds to release its lock. That page has stopped and does not answer; the original of a duplicated tab does.
 */
function hold(id: string): Promise<boolean> {
  // Absent on insecure pages, contrary to the types.
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    const waiting = new AbortController();
    let isHeld = false;
    const others = openChannel<Message>(`tab ${id}`, (message) => {
      if (isHeld && message === 'ask') others.post('held');
      else if (!isHeld && message === 'held') waiting.abort();
    });
    locks
      .request(nameOf(id), { signal: waiting.signal }, () => {
        isHeld = true;
        // For a page that asked before this one held it.
        others.post('held');
        resolve(true);
        return new Promise(() => undefined);
      })
      .catch(() => {
        others.close();
        resolve(false);
      });
    others.post('ask');
  });
}

/** The tabs that are open now; none in browsers without locks. */
export async function openTabIds(): Promise<ReadonlySet<string>> {
  const locks = navigator.locks as LockManager | undefined;
  const { held = [] } = (await locks?.query()) ?? {};
  return new Set(held.flatMap(({ name }) => (name?.startsWith(nameOf('')) ? [name.slice(nameOf('').length)] : [])));
}

/** A duplicated tab begins with the id of the original. */
function readTabId(): string | null {
  try {
    return sessionStorage.getItem(TAB_ID);
  } catch {
    return null;
  }
}

function writeTabId(id: string): void {
  try {
    sessionStorage.setItem(TAB_ID, id);
  } catch {
    // Not stored.
  }
}

const nameOf = (id: string) => `dukkan tab ${id}`;
