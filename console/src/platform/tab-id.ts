import { TAB_ID } from './local-storage.ts';

/** How long a page that is being left may hold its id while its reload starts. */
const RELEASE_MS = 500;
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

function hold(id: string): Promise<boolean> {
  // Absent on insecure pages, contrary to the types.
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(RELEASE_MS);
    locks
      .request(nameOf(id), { signal }, () => {
        resolve(true);
        return new Promise(() => undefined);
      })
      .catch(() => resolve(false));
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
