import { notifyAfterCommit } from '../../platform/background/index.ts';
import { inTransaction, type Sql } from '../../platform/database/index.ts';
import { abandonOperation, claimOperation, type Operation, settleOperation } from '../../platform/operations/index.ts';
import type { ProviderPayment } from '../../providers/contract.ts';
import type { Actor } from '../audit/index.ts';
import { getProviderInstallOf } from './find-provider.ts';
import { LEASE_MS, type Paying } from './paying.ts';
import { type Paylink, stateAfter } from './paylink.ts';
import type { PaylinkIntent, PaylinkOperation } from './paylink-intent.ts';
import { askProvider, isCaptured } from './read-back.ts';
import { underWay } from './refusals.ts';
import { deleteUnmade, findPaylink, insertCapture } from './sql/paylinks.ts';
import { lockWithOrder, writeState } from './write-state.ts';

/** A caller that was told the outcome is unknown has this long to repeat its request before the recovery loop asks the provider. */
const ASK_AFTER_MS = 30_000;
const HOUR_MS = 3_600_000;

/** Unlimited: money whose whereabouts are unknown is not given up. A repeat of the request need not wait for the next attempt. */
export const RETRIES = { delaysMs: [60_000, 600_000], maxAttempts: Number.POSITIVE_INFINITY, isFreeMeanwhile: true };

/** Leaves one whose outcome is unknown: to a repeat of the request at once, to the recovery loop in a moment. */
export function leaveUnclear({ sql, clock }: Paying, operation: Operation): Promise<void> {
  const now = clock.now();
  return abandonOperation(sql, operation, { freeAt: now, recoverAt: new Date(now.getTime() + ASK_AFTER_MS) });
}

/** For a request that finds one in its way whose lease has ended. */
export async function settleNow(paying: Paying, operation: PaylinkOperation, actor: Actor): Promise<void> {
  const claimed = await claimOperation(paying.sql, operation, { now: paying.clock.now(), leaseMs: LEASE_MS });
  if (claimed === undefined) return;
  try {
    await settlePaylink(paying, claimed, actor);
  } catch (error) {
    await leaveUnclear(paying, claimed);
    throw error;
  }
}

/**
 * After a process died between the provider and the write, or an outcome that stayed unknown: the provider is asked. It is never
 * told again from here, because the caller was answered that it failed. Rejects while the outcome cannot be known.
 */
export async function settlePaylink(paying: Paying, operation: PaylinkOperation, actor: Actor): Promise<void> {
  const { input } = operation;
  const key = { organizationId: operation.organization_id, id: operation.subject_id };
  const row = await findPaylink(paying.sql, key);
  if (row === undefined || input.action === 'create') return deletePending(paying.sql, operation);
  const told = await askProvider(paying, await getProviderInstallOf(paying, row), row);
  if (!isKnown(paying, input, told)) throw underWay(row.id);
  await notifyAfterCommit(paying.ordering.outbox, () =>
    inTransaction(paying.sql, async (tx): Promise<Paylink | undefined> => {
      const held = await lockWithOrder(tx, key);
      if (!(await settleOperation(tx, operation))) throw underWay(row.id);
      if (held === undefined) return undefined;
      if (isCaptured(operation, told)) await insertCapture(tx, operation, paying.clock.now());
      return writeState(tx, paying, held, stateAfter(held.row, told), { actor, action: 'update' });
    }),
  );
}

/** A provider that does not say how much was captured is believed after an hour. */
function isKnown({ clock }: Paying, input: PaylinkIntent, told: ProviderPayment): boolean {
  if (input.action !== 'capture' || told.status !== 'authorized' || told.capturedAmount !== undefined) return true;
  return clock.now().getTime() - Date.parse(input.sentAt) >= HOUR_MS;
}

/** A paylink that never came about: its page was shown to no customer. */
export function deletePending(sql: Sql, operation: Operation): Promise<void> {
  return inTransaction(sql, async (tx) => {
    await deleteUnmade(tx, { organizationId: operation.organization_id, id: operation.subject_id });
    await settleOperation(tx, operation);
  });
}
