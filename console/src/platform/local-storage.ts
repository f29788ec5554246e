const PREFIX = 'dukkan.';

/**
 * What outlives a session: preferences of this browser, and values stored under a user's id and read by that user alone. A sale
 * without an answer is among them, because losing it could sell the goods twice. All other names are removed at the end of a session,
 * so a name added later is removed unless it is listed here.
 */
const OUTLIVES = ['language', 'theme', 'known', 'till.branch.', 'organization.', 'orders.views.', 'till.sale.'];

/** Small values that outlive the tab. A browser without storage (private, full, forbidden) loses only these. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function writeStored(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // Not stored.
  }
}

/** At the end of a session. `sessionStorage` holds the router's scroll positions, by address. */
export function clearStored(): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX) && !outlives(key.slice(PREFIX.length))) localStorage.removeItem(key);
    }
    sessionStorage.clear();
  } catch {
    // Nothing was stored.
  }
}

function outlives(name: string): boolean {
  return OUTLIVES.some((one) => (one.endsWith('.') ? name.startsWith(one) : name === one));
}

/** Calls `listener` when another tab has changed a value. */
export function onStoredElsewhere(listener: (name: string, value: string | null) => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith(PREFIX)) listener(key.slice(PREFIX.length), newValue);
  });
}
