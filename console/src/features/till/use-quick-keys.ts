import type { Schemas } from '@dukkan/sdk';
import { useState } from 'react';
import { readStored, useScope, writeStored } from '../../platform/index.ts';

export const MOST_KEYS = 9;
export type QuickKey = Pick<Schemas['Sku'], 'iv_id' | 'product_iv_id' | 'name_en' | 'name_ar'>;

/** Goods pinned to the keys 1 to 9, by user and branch, in this browser. A key that is taken off leaves its place free. */
export function useQuickKeys(place: string) {
  const name = `till.keys.${useScope().userId}.${place}`;
  const [keys, setKeys] = useState<readonly (QuickKey | null)[]>(() => readKeys(name));
  function store(next: readonly (QuickKey | null)[]): void {
    const last = next.findLastIndex((key) => key !== null);
    const stored = next.slice(0, last + 1);
    writeStored(name, stored.length === 0 ? null : JSON.stringify(stored));
    setKeys(stored);
  }
  return {
    keys,
    isFull: keys.length === MOST_KEYS && !keys.includes(null),
    pin(key: QuickKey): void {
      const free = keys.indexOf(null);
      store(free === -1 ? [...keys, key].slice(0, MOST_KEYS) : keys.with(free, key));
    },
    unpin(ivId: string): void {
      store(keys.map((key) => (key?.iv_id === ivId ? null : key)));
    },
  };
}

function readKeys(name: string): (QuickKey | null)[] {
  try {
    const stored: unknown = JSON.parse(readStored(name) ?? '[]');
    return Array.isArray(stored) ? stored.slice(0, MOST_KEYS) : [];
  } catch {
    return [];
  }
}
