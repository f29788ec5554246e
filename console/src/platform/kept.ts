const PREFIX = 'dukkan.';

/**
 * What outlives a session: choices of this browser, and what is stored under a user's id and read by that user alone. A sale
 * without an answer is among them, because to forget it could sell the goods twice. All other names are dropped at the end of a session,
 * so a name that is added later is dropped unless it is listed here.
 */
const OUTLIVES = ['language', 'theme', 'known', 'till.branch.', 'organization.', 'orders.views.', 'till.sale.'];

/** Small choices that outlive the tab. A browser that keeps nothing (private, full, forbidden) loses them and nothing else. */
export function readKept(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // Not kept.
  }
}

/** At the end of a session. `sessionStorage` holds the router's scroll positions, by address. */
export function dropKept(): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX) && !outlives(key.slice(PREFIX.length))) localStorage.removeItem(key);
    }
    sessionStorage.clear();
  } catch {
    // Nothing was kept.
  }
}

function outlives(name: string): boolean {
  return OUTLIVES.some((one) => (one.endsWith('.') ? name.startsWith(one) : name === one));
}

/** Told when another tab has changed one of them. */
export function onKeptElsewhere(listener: (name: string, value: string | null) => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith(PREFIX)) listener(key.slice(PREFIX.length), newValue);
  });
}
