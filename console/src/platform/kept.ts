/** Small choices that outlive the tab. A browser that keeps nothing (private, full, forbidden) loses them and nothing else. */
export function readKept(name: string): string | null {
  try {
    return localStorage.getItem(`dukkan.${name}`);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`dukkan.${name}`);
    else localStorage.setItem(`dukkan.${name}`, value);
  } catch {
    // Not kept.
  }
}

/** Told when another tab has changed one of them. */
export function onKeptElsewhere(listener: (name: string, value: string | null) => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith('dukkan.')) listener(key.slice('dukkan.'.length), newValue);
  });
}
