import { beginOperation, OperationUnderWay, settleOperation } from '../../platform/operations/index.ts';
import { type PaylinkStatus, paylinkMayBecome, VendorUnavailable } from '../../providers/contract.ts';
import { vendorProblem } from '../apps/index.ts';
import type { Actor } from '../audit/index.ts';
import { type BegunOperation, beginOnPaylink } from './begin-on-paylink.ts';
import { clientOf, driverOf } from './driver.ts';
import type { IdempotentCall } from './idempotent-call.ts';
import { type Paylink, restOf } from './paylink.ts';
import { operationKey } from './paylink-intent.ts';
import { CALLS_MS, LEASE_MS, type PaymentContext } from './payment-context.ts';
import { readPayment } from './read-back.ts';
import { underWay, wrongState } from './refusals.ts';
import { lockPaylink, type PaylinkKey } from './sql/paylinks.ts';
import { lockWithOrder, writeState } from './write-state.ts';

/** Cancels the part that was not captured. */
export async function cancelPaylink<Reply>(
  payments: PaymentContext,
  key: PaylinkKey,
  branchId: string | null,
  actor: Actor,
  idempotentCall: IdempotentCall<Paylink, Reply>,
): Promise<Reply> {
  const started = await beginOnPaylink(payments, key, branchId, {
    idempotentCall,
    actor,
    async decide(tx, { row }, { unclear, hasReadBack, now }) {
      if (unclear !== undefined) throw new OperationUnderWay(unclear);
      if (row.status === 'cancelled') return { kind: 'done' };
      if ((row.status === 'created' || row.status === 'failed') && !hasReadBack) return { kind: 'read_back' };
      if (row.status !== 'created' && row.status !== 'authorized') throw wrongState(row, 'cancel');
      const input = { action: 'cancel' as const };
      return {
        kind: 'begun',
        operation: await beginOperation(tx, operationKey(key), { input, now, leaseMs: LEASE_MS }),
      };
    },
  });
  if ('stored' in started) return started.stored;
  if ('done' in started) return idempotentCall.store(async (tx) => (await lockPaylink(tx, key)) ?? started.done);
  await callProvider(payments, started.begun);
  return idempotentCall.store(async (tx) => {
    const locked = await lockWithOrder(tx, key);
    if (locked === undefined) throw new Error('a paylink vanished while it was cancelled');
    if (!(await settleOperation(tx, started.begun.operation))) throw underWay(key.id);
    const { status, captured_amount, refunded_amount } = locked.row;
    const wanted: PaylinkStatus = captured_amount > 0 ? 'captured' : 'cancelled';
    const state = { status: paylinkMayBecome(status, wanted) ? wanted : status, captured_amount, refunded_amount };
    return writeState(tx, payments, locked, state, { actor, action: 'cancel' });
  });
}

/** If the provider has no call for it, the page expires there by itself; here the paylink is cancelled at once. */
async function callProvider(
  payments: PaymentContext,
  { providerInstall, row, operation }: BegunOperation<unknown>,
): Promise<void> {
  const { provider_reference, session_reference, currency } = row;
  try {
    await driverOf(payments, providerInstall).cancel(
      {
        providerReference: provider_reference ?? '',
        sessionReference: session_reference ?? undefined,
        amount: restOf(row),
        currency,
      },
      clientOf(payments, providerInstall, CALLS_MS),
    );
  } catch (error) {
    const isUnclear = error instanceof VendorUnavailable && error.mayHaveArrived;
    const reported = isUnclear ? await readPayment(payments, providerInstall, row).catch(() => undefined) : undefined;
    if (reported?.status === 'cancelled' || reported?.status === 'expired') return;
    await settleOperation(payments.sql, operation);
    throw vendorProblem(providerInstall.provider.app.slug, error);
  }
}
