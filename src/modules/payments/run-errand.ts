import { setTimeout as delay } from 'node:timers/promises';
import { inTransaction, type Tx } from '../../platform/database/index.ts';
import type { Actor } from '../audit/index.ts';
import { getPaywallOf, type Paywall } from './find-provider.ts';
import type { Once } from './once.ts';
import { LEASE_MS, type Paying } from './paying.ts';
import type { Paylink } from './paylink.ts';
import { refreshPaylink, settleErrand } from './read-back.ts';
import { paylinkNotFound, underWay } from './refusals.ts';
import { findPaylink, type PaylinkKey } from './sql/paylinks.ts';
import { type HeldPaylink, lockWithOrder } from './write-state.ts';

/** What a rule says of a paylink that it holds, before anything is told to the provider. */
export type Judgement =
  /** Nothing is left to do. */
  | { kind: 'done' }
  /** What we know may be old: the provider is asked, once. */
  | { kind: 'look' }
  /** An earlier errand has to be settled first. */
  | { kind: 'unclear' }
  /** Written down: the provider is to be told now. */
  | { kind: 'begun'; errandId: string; amount: number; capturedBefore: number };

export type Errand<Row, Given> = {
  once: Once<Row, Given>;
  actor: Actor;
  judge(tx: Tx, held: HeldPaylink, paywall: Paywall, state: { hasLooked: boolean; until: Date }): Promise<Judgement>;
};

export type Begun = { paywall: Paywall; row: Paylink; errandId: string; amount: number; capturedBefore: number };

const WAIT_MS = 15_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

/**
 * Takes the paylink to itself and writes down what is to be done. Whoever comes while another is at it waits, with no
 * transaction open, and then sees what that one has left.
 */
export async function beginErrand<Row, Given>(
  paying: Paying,
  key: PaylinkKey,
  branchId: string | null,
  { once, actor, judge }: Errand<Row, Given>,
): Promise<{ kept: Given } | { done: Paylink } | { begun: Begun }> {
  const endsAtMs = performance.now() + WAIT_MS;
  let pauseMs = FIRST_PAUSE_MS;
  let hasLooked = false;
  for (;;) {
    const kept = await once.findKept();
    if (kept !== undefined) return { kept: kept.given };
    const found = await findPaylink(paying.sql, key, branchId);
    if (found === undefined || !found.is_made) throw paylinkNotFound(key.id);
    const paywall = await getPaywallOf(paying, found);
    const taken = await inTransaction(paying.sql, async (tx) => {
      const held = await lockWithOrder(tx, key);
      if (held === undefined) throw paylinkNotFound(key.id);
      const now = paying.clock.now();
      if (held.row.errand_until !== null && held.row.errand_until > now)
        return { row: held.row, kind: 'busy' as const };
      const until = new Date(now.getTime() + LEASE_MS);
      return { row: held.row, ...(await judge(tx, held, paywall, { hasLooked, until })) };
    });
    if (taken.kind === 'done') return { done: taken.row };
    if (taken.kind === 'begun') return { begun: { ...taken, paywall } };
    if (taken.kind === 'look') {
      await refreshPaylink(paying, paywall, taken.row, actor);
      hasLooked = true;
    } else if (taken.kind === 'unclear') await settleErrand(paying, paywall, taken.row, actor);
    else {
      if (performance.now() > endsAtMs) throw underWay(key.id);
      await delay(pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }
}
