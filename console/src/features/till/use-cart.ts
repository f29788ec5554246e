import { useCallback, useEffect, useState } from 'react';
import { claimTabId, openTabIds, readStored, storedNames, useScope, writeStored } from '../../platform/index.ts';
import type { CartLine } from './cart.ts';

export type Cart = { lines: readonly CartLine[]; discount: string };
type Stored = Cart & { savedAt: number };
/** The cart of a tab that has been closed. */
export type LeftCart = Stored & { name: string };

export const EMPTY_CART: Cart = { lines: [], discount: '' };

/**
 * The cart of this tab. It survives a reload and the end of the session, so forty items need not be scanned again. Each tab has its
 * own, by user and branch: two tabs of the till do not overwrite each other's. Undefined until the tab has its id.
 */
export function useCart(place: string) {
  const start = `till.cart.${useScope().userId}.${place}.`;
  const [name, setName] = useState<string>();
  const [cart, setCart] = useState<Cart>(EMPTY_CART);
  const [left, setLeft] = useState<readonly LeftCart[]>([]);
  useEffect(() => {
    let isOver = false;
    async function open(): Promise<void> {
      const own = start + (await claimTabId());
      const open = await openTabIds();
      if (isOver) return;
      const others = storedNames(start).filter((other) => other !== own && !open.has(other.slice(start.length)));
      setLeft(
        others.flatMap((other) =>
          readCart(other)?.lines.length ? [{ ...(readCart(other) as Stored), name: other }] : [],
        ),
      );
      setCart(readCart(own) ?? EMPTY_CART);
      setName(own);
    }
    void open();
    return () => {
      isOver = true;
    };
  }, [start]);
  useEffect(() => {
    if (name === undefined) return;
    const isEmpty = cart.lines.length === 0 && cart.discount === '';
    writeStored(name, isEmpty ? null : JSON.stringify({ ...cart, savedAt: Date.now() } satisfies Stored));
  }, [name, cart]);
  const drop = useCallback((one: LeftCart) => {
    writeStored(one.name, null);
    setLeft((before) => before.filter((other) => other.name !== one.name));
  }, []);
  return { cart, setCart, isReady: name !== undefined, left, drop };
}

function readCart(name: string): Stored | undefined {
  const text = readStored(name);
  try {
    return text === null ? undefined : (JSON.parse(text) as Stored);
  } catch {
    return undefined;
  }
}
