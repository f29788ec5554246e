import { beginOperation, OperationUnderWay, settleOperation } from '../../platform/operations/index.ts';
import { type PaylinkStatus, paylinkMayBecome, VendorUnavailable } from '../../providers/contract.ts';
import type { Actor } from '../audit/index.ts';
import { type Begun, beginOnPaylink } from './begin-on-paylink.ts';
import { clientOf, driverOf } from './driver.ts';
import type { Once } from './once.ts';
import { CALLS_MS, LEASE_MS, type Paying } from './paying.ts';
import { type Paylink, restOf } from './paylink.ts';
import { operationKey } from './paylink-intent.ts';
import { readPayment } from './read-back.ts';
import { underWay, vendorProblem, wrongState } from './refusals.ts';
import { lockPaylink, type PaylinkKey } from './sql/paylinks.ts';
import { lockWithOrder, writeState } from './write-state.ts';

/** Gives up what was not captured. */
export async function cancelPaylink<Given>(
  paying: Paying,
  key: PaylinkKey,
  branchId: string | null,
  actor: Actor,
  once: Once<Paylink, Given>,
): Promise<Given> {
  const started = await beginOnPaylink(paying, key, branchId, {
    once,
    actor,
    async judge(tx, { row }, { unclear, hasLooked, now }) {
      if (unclear !== undefined) throw new OperationUnderWay(unclear);
      if (row.status === 'cancelled') return { kind: 'done' };
      if ((row.status === 'created' || row.status === 'failed') && !hasLooked) return { kind: 'look' };
      if (row.status !== 'created' && row.status !== 'authorized') throw wrongState(row, 'cancel');
      const input = { action: 'cancel' as const };
      return {
        kind: 'begun',
        operation: await beginOperation(tx, operationKey(key), { input, now, leaseMs: LEASE_MS }),
      };
    },
  });
  if ('kept' in started) return started.kept;
  if ('done' in started) return once.keep(async (tx) => (await lockPaylink(tx, key)) ?? started.done);
  await tellProvider(paying, started.begun);
  return once.keep(async (tx) => {
    const held = await lockWithOrder(tx, key);
    if (held === undefined) throw new Error('a paylink vanished while it was cancelled');
    if (!(await settleOperation(tx, started.begun.operation))) throw underWay(key.id);
    const { status, captured_amount, refunded_amount } = held.row;
    const wanted: PaylinkStatus = captured_amount > 0 ? 'captured' : 'cancelled';
    const state = { status: paylinkMayBecome(status, wanted) ? wanted : status, captured_amount, refunded_amount };
    return writeState(tx, paying, held, state, { actor, action: 'cancel' });
  });
}

/** Where the provider has no call for it, the page ends by itself, and here at once. */
async function tellProvider(paying: Paying, { providerInstall, row, operation }: Begun<unknown>): Promise<void> {
  const { provider_reference, session_reference, currency } = row;
  try {
    await driverOf(paying, providerInstall).cancel(
      {
        providerReference: provider_reference ?? '',
        sessionReference: session_reference ?? undefined,
        amount: restOf(row),
        currency,
      },
      clientOf(paying, providerInstall, CALLS_MS),
    );
  } catch (error) {
    const isUnclear = error instanceof VendorUnavailable && error.mayHaveArrived;
    const told = isUnclear ? await readPayment(paying, providerInstall, row).catch(() => undefined) : undefined;
    if (told?.status === 'cancelled' || told?.status === 'expired') return;
    await settleOperation(paying.sql, operation);
    throw vendorProblem(providerInstall.provider.app.slug, error);
  }
}
