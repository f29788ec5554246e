import { notifyAfterCommit } from '../../platform/background/index.ts';
import { inTransaction, type Sql } from '../../platform/database/index.ts';
import { abandonOperation, claimOperation, type Operation, settleOperation } from '../../platform/operations/index.ts';
import type { ProviderPayment } from '../../providers/contract.ts';
import type { Actor } from '../audit/index.ts';
import { getProviderInstallOf } from './find-provider.ts';
import { type Paylink, stateAfter } from './paylink.ts';
import type { PaylinkIntent, PaylinkOperation } from './paylink-intent.ts';
import { LEASE_MS, type PaymentContext } from './payment-context.ts';
import { askProvider, isCaptured } from './read-back.ts';
import { underWay } from './refusals.ts';
import { deleteCreating, findPaylink, insertCapture } from './sql/paylinks.ts';
import { lockWithOrder, writeState } from './write-state.ts';

/** Time in which a caller with an unknown outcome can repeat its request before the recovery loop asks the provider. */
const ASK_AFTER_MS = 30_000;
const HOUR_MS = 3_600_000;

/** Unlimited: an operation on money is never abandoned with an unknown outcome. A repeat of the request need not wait for the next attempt. */
export const RETRIES = { delaysMs: [60_000, 600_000], maxAttempts: Number.POSITIVE_INFINITY };

/** Releases an operation with an unknown outcome: to a repeat of the request now, to the recovery loop after ASK_AFTER_MS. */
export function leaveUnclear({ sql, clock }: PaymentContext, operation: Operation): Promise<void> {
  const now = clock.now();
  return abandonOperation(sql, operation, { freeAt: now, recoverAt: new Date(now.getTime() + ASK_AFTER_MS) });
}

/** For a request that is blocked by an operation whose lease has ended. */
export async function settleNow(payments: PaymentContext, operation: PaylinkOperation, actor: Actor): Promise<void> {
  const claimed = await claimOperation(payments.sql, operation, { now: payments.clock.now(), leaseMs: LEASE_MS });
  if (claimed === undefined) return;
  try {
    await settlePaylink(payments, claimed, actor);
  } catch (error) {
    await leaveUnclear(payments, claimed);
    throw error;
  }
}

/**
 * Settles an operation whose process died before the write, or whose outcome stayed unknown, by reading the payment back. The call
 * is never repeated here, because the caller received an error. Rejects while the outcome cannot be known.
 */
export async function settlePaylink(
  payments: PaymentContext,
  operation: PaylinkOperation,
  actor: Actor,
): Promise<void> {
  const { input } = operation;
  const key = { organizationId: operation.organization_id, id: operation.subject_id };
  const row = await findPaylink(payments.sql, key);
  if (row === undefined || input.action === 'create') return deletePending(payments.sql, operation);
  const reported = await askProvider(payments, await getProviderInstallOf(payments, row), row);
  if (!isKnown(payments, input, reported)) throw underWay(row.id);
  await notifyAfterCommit(payments.ordering.outbox, () =>
    inTransaction(payments.sql, async (tx): Promise<Paylink | undefined> => {
      const locked = await lockWithOrder(tx, key);
      if (!(await settleOperation(tx, operation))) throw underWay(row.id);
      if (locked === undefined) return undefined;
      if (isCaptured(operation, reported)) await insertCapture(tx, operation, payments.clock.now());
      return writeState(tx, payments, locked, stateAfter(locked.row, reported), { actor, action: 'update' });
    }),
  );
}

/** If the provider does not report the captured amount, its status is trusted after an hour. */
function isKnown({ clock }: PaymentContext, input: PaylinkIntent, reported: ProviderPayment): boolean {
  if (input.action !== 'capture' || reported.status !== 'authorized' || reported.capturedAmount !== undefined)
    return true;
  return clock.now().getTime() - Date.parse(input.sentAt) >= HOUR_MS;
}

/** Deletes a paylink that the provider did not create: its page was shown to no customer. */
export function deletePending(sql: Sql, operation: Operation): Promise<void> {
  return inTransaction(sql, async (tx) => {
    await deleteCreating(tx, { organizationId: operation.organization_id, id: operation.subject_id });
    await settleOperation(tx, operation);
  });
}
