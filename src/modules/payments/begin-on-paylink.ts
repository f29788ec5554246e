import { inTransaction, type Tx } from '../../platform/database/index.ts';
import { findOperation, type Operation, OperationUnderWay, untilFree } from '../../platform/operations/index.ts';
import type { Actor } from '../audit/index.ts';
import { getProviderInstallOf, type ProviderInstall } from './find-provider.ts';
import type { IdempotentCall } from './idempotent-call.ts';
import type { Paylink } from './paylink.ts';
import { operationKey, type PaylinkIntent, type PaylinkOperation } from './paylink-intent.ts';
import type { PaymentContext } from './payment-context.ts';
import { refreshPaylink } from './read-back.ts';
import { paylinkNotFound, underWay } from './refusals.ts';
import { settleNow } from './settle-operation.ts';
import { findPaylink, type PaylinkKey } from './sql/paylinks.ts';
import { type LockedPaylink, lockWithOrder } from './write-state.ts';

/** What a rule decides about a locked paylink before the provider is called. */
export type Decision<Intent> =
  /** The paylink is already in the wanted state. */
  | { kind: 'done' }
  /** The stored state may be outdated: read the payment back, at most once. */
  | { kind: 'read_back' }
  /** The intent is stored: call the provider. */
  | { kind: 'begun'; operation: Operation<Intent> };

export type DecisionContext = {
  providerInstall: ProviderInstall;
  /** An operation with an unknown outcome. A rule that does not continue it throws OperationUnderWay, which settles it. */
  unclear: PaylinkOperation | undefined;
  hasReadBack: boolean;
  now: Date;
};

type Rules<Row, Reply, Intent> = {
  idempotentCall: IdempotentCall<Row, Reply>;
  actor: Actor;
  decide(tx: Tx, locked: LockedPaylink, context: DecisionContext): Promise<Decision<Intent>>;
};

export type BegunOperation<Intent> = { providerInstall: ProviderInstall; row: Paylink; operation: Operation<Intent> };

/** Stores the intent of an operation on a paylink as soon as no other operation on it is under way. */
export function beginOnPaylink<Row, Reply, Intent extends PaylinkIntent>(
  payments: PaymentContext,
  key: PaylinkKey,
  branchId: string | null,
  { idempotentCall, actor, decide }: Rules<Row, Reply, Intent>,
): Promise<{ stored: Reply } | { done: Paylink } | { begun: BegunOperation<Intent> }> {
  let hasReadBack = false;
  return whileFree(payments, actor, async () => {
    for (;;) {
      const stored = await idempotentCall.findStoredResponse();
      if (stored !== undefined) return { stored: stored.reply };
      const found = await findPaylink(payments.sql, key, branchId);
      if (found === undefined) throw paylinkNotFound(key.id);
      const providerInstall = await getProviderInstallOf(payments, found);
      const decided = await inTransaction(payments.sql, async (tx) => {
        const locked = await lockWithOrder(tx, key);
        if (locked === undefined) throw paylinkNotFound(key.id);
        const now = payments.clock.now();
        const unclear = await findOperation<PaylinkIntent>(tx, operationKey(key));
        if (unclear !== undefined && unclear.lease_until > now) throw new OperationUnderWay(unclear);
        return { row: locked.row, ...(await decide(tx, locked, { providerInstall, unclear, hasReadBack, now })) };
      });
      if (decided.kind === 'done') return { done: decided.row };
      if (decided.kind === 'begun') return { begun: { ...decided, providerInstall } };
      await refreshPaylink(payments, providerInstall, decided.row, actor);
      hasReadBack = true;
    }
  });
}

/** Waits for another operation on the same paylink to end and settles an abandoned one; throws 409 if neither helps. */
export async function whileFree<Result>(
  payments: PaymentContext,
  actor: Actor,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await untilFree(work, {
      now: payments.clock.now,
      recover: (operation) => settleNow(payments, operation as PaylinkOperation, actor),
    });
  } catch (error) {
    throw error instanceof OperationUnderWay ? underWay(error.operation.subject_id) : error;
  }
}
