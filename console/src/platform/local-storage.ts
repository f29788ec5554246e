const PREFIX = 'dukkan.';

/**
 * What outlives a session: preferences of this browser, and values stored under a user's id and read by that user alone. A sale
 * without an answer is among them, because losing it could sell the goods twice; drafts of forms, because a session may end while a
 * form is open. All other names are removed at the end of a session, so a name added later is removed unless it is listed here.
 */
const OUTLIVES = [
  'language',
  'theme',
  'known',
  'till.branch.',
  'organization.',
  'orders.views.',
  'home.checklist.',
  'orders.alerts.',
  'till.sale.',
  'till.keys.',
  'draft.',
];
/** Also outlives a session that the service has ended; signing out removes it. */
const OUTLIVES_EXPIRY = ['till.cart.'];
/** In `sessionStorage`: the id of the tab, which says nothing about a user. */
export const TAB_ID = `${PREFIX}tab`;

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

/** The names of stored values that begin with `start`. */
export function storedNames(start: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX + start))
      .map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

/** At the end of a session. `sessionStorage` also holds the router's scroll positions, by address. */
export function clearStored({ isSignedOut = false } = {}): void {
  const stays = isSignedOut ? OUTLIVES : [...OUTLIVES, ...OUTLIVES_EXPIRY];
  try {
    for (const name of storedNames('')) if (!outlives(name, stays)) localStorage.removeItem(PREFIX + name);
    for (const key of Object.keys(sessionStorage)) if (key !== TAB_ID) sessionStorage.removeItem(key);
  } catch {
    // Nothing was stored.
  }
}

function outlives(name: string, stays: readonly string[]): boolean {
  return stays.some((one) => (one.endsWith('.') ? name.startsWith(one) : name === one));
}

/** Calls `listener` when another tab has changed a value. */
export function onStoredElsewhere(listener: (name: string, value: string | null) => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith(PREFIX)) listener(key.slice(PREFIX.length), newValue);
  });
}
