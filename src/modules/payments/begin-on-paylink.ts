import { inTransaction, type Tx } from '../../platform/database/index.ts';
import { findOperation, type Operation, OperationUnderWay, untilFree } from '../../platform/operations/index.ts';
import type { Actor } from '../audit/index.ts';
import { getProviderInstallOf, type ProviderInstall } from './find-provider.ts';
import type { Once } from './once.ts';
import type { Paying } from './paying.ts';
import type { Paylink } from './paylink.ts';
import { operationKey, type PaylinkIntent, type PaylinkOperation } from './paylink-intent.ts';
import { refreshPaylink } from './read-back.ts';
import { paylinkNotFound, underWay } from './refusals.ts';
import { settleNow } from './settle-operation.ts';
import { findPaylink, type PaylinkKey } from './sql/paylinks.ts';
import { type HeldPaylink, lockWithOrder } from './write-state.ts';

/** What a rule decides on a paylink that it holds, before anything is told to the provider. */
export type Judgement<Intent> =
  /** Nothing is left to do. */
  | { kind: 'done' }
  /** What we know may be old: the provider is asked, once. */
  | { kind: 'look' }
  /** The intent is stored: the provider is to be told now. */
  | { kind: 'begun'; operation: Operation<Intent> };

export type Circumstances = {
  providerInstall: ProviderInstall;
  /** One whose outcome is not known. A rule that does not go on with it throws OperationUnderWay, which settles it. */
  unclear: PaylinkOperation | undefined;
  hasLooked: boolean;
  now: Date;
};

type Rules<Row, Given, Intent> = {
  once: Once<Row, Given>;
  actor: Actor;
  judge(tx: Tx, held: HeldPaylink, circumstances: Circumstances): Promise<Judgement<Intent>>;
};

export type Begun<Intent> = { providerInstall: ProviderInstall; row: Paylink; operation: Operation<Intent> };

/** Stores what is to be done to a paylink, once nothing else is being done to it. */
export function beginOnPaylink<Row, Given, Intent extends PaylinkIntent>(
  paying: Paying,
  key: PaylinkKey,
  branchId: string | null,
  { once, actor, judge }: Rules<Row, Given, Intent>,
): Promise<{ kept: Given } | { done: Paylink } | { begun: Begun<Intent> }> {
  let hasLooked = false;
  return whileFree(paying, actor, async () => {
    for (;;) {
      const kept = await once.findStoredResponse();
      if (kept !== undefined) return { kept: kept.given };
      const found = await findPaylink(paying.sql, key, branchId);
      if (found === undefined || !found.is_made) throw paylinkNotFound(key.id);
      const providerInstall = await getProviderInstallOf(paying, found);
      const taken = await inTransaction(paying.sql, async (tx) => {
        const held = await lockWithOrder(tx, key);
        if (held === undefined) throw paylinkNotFound(key.id);
        const now = paying.clock.now();
        const unclear = await findOperation<PaylinkIntent>(tx, operationKey(key));
        if (unclear !== undefined && unclear.lease_until > now) throw new OperationUnderWay(unclear);
        return { row: held.row, ...(await judge(tx, held, { providerInstall, unclear, hasLooked, now })) };
      });
      if (taken.kind === 'done') return { done: taken.row };
      if (taken.kind === 'begun') return { begun: { ...taken, providerInstall } };
      await refreshPaylink(paying, providerInstall, taken.row, actor);
      hasLooked = true;
    }
  });
}

/** Waits for another operation on the same paylink to end, settles one that was left, and answers 409 where neither helps. */
export async function whileFree<Result>(paying: Paying, actor: Actor, work: () => Promise<Result>): Promise<Result> {
  try {
    return await untilFree(work, {
      now: paying.clock.now,
      recover: (operation) => settleNow(paying, operation as PaylinkOperation, actor),
    });
  } catch (error) {
    throw error instanceof OperationUnderWay ? underWay(error.operation.subject_id) : error;
  }
}
