import { newId } from '../../platform/ids.ts';
import { type PaylinkStatus, paylinkMayBecome, VendorUnavailable } from '../../providers/contract.ts';
import type { Actor } from '../audit/index.ts';
import { clientOf, driverOf } from './driver.ts';
import type { Once } from './once.ts';
import { ERRAND_MS, type Paying } from './paying.ts';
import { type Paylink, restOf } from './paylink.ts';
import { readPayment } from './read-back.ts';
import { vendorProblem, wrongState } from './refusals.ts';
import { type Begun, beginErrand } from './run-errand.ts';
import { endErrand, lockPaylink, type PaylinkKey, beginErrand as writeErrand } from './sql/paylinks.ts';
import { lockWithOrder, writeState } from './write-state.ts';

/** Gives up what was not captured. */
export async function cancelPaylink<Given>(
  paying: Paying,
  key: PaylinkKey,
  branchId: string | null,
  actor: Actor,
  once: Once<Paylink, Given>,
): Promise<Given> {
  const started = await beginErrand(paying, key, branchId, {
    once,
    actor,
    async judge(tx, { row }, _paywall, { hasLooked, until }) {
      if (row.errand !== null) return { kind: 'unclear' };
      if (row.status === 'cancelled') return { kind: 'done' };
      if ((row.status === 'created' || row.status === 'failed') && !hasLooked) return { kind: 'look' };
      if (row.status !== 'created' && row.status !== 'authorized') throw wrongState(row, 'cancel');
      const errandId = newId();
      await writeErrand(tx, key, { kind: 'cancel', id: errandId, amount: null, key: null, until });
      return { kind: 'begun', errandId, amount: 0, capturedBefore: row.captured_amount };
    },
  });
  if ('kept' in started) return started.kept;
  if ('done' in started) return once.keep(async (tx) => (await lockPaylink(tx, key)) ?? started.done);
  await tellProvider(paying, key, started.begun);
  return once.keep(async (tx) => {
    const held = await lockWithOrder(tx, key);
    if (held === undefined) throw new Error('a paylink vanished while it was cancelled');
    await endErrand(tx, key, started.begun.errandId);
    const { status, captured_amount, refunded_amount } = held.row;
    const wanted: PaylinkStatus = captured_amount > 0 ? 'captured' : 'cancelled';
    const state = { status: paylinkMayBecome(status, wanted) ? wanted : status, captured_amount, refunded_amount };
    return writeState(tx, paying, held, state, { actor, action: 'cancel' });
  });
}

/** Where the provider has no call for it, the page ends by itself, and here at once. */
async function tellProvider(paying: Paying, key: PaylinkKey, { paywall, row, errandId }: Begun): Promise<void> {
  const { provider_reference, session_reference, currency } = row;
  try {
    await driverOf(paying, paywall).cancel(
      {
        providerReference: provider_reference ?? '',
        sessionReference: session_reference ?? undefined,
        amount: restOf(row),
        currency,
      },
      clientOf(paying, paywall, ERRAND_MS),
    );
  } catch (error) {
    const isUnclear = error instanceof VendorUnavailable && error.mayHaveArrived;
    const told = isUnclear ? await readPayment(paying, paywall, row).catch(() => undefined) : undefined;
    if (told?.status === 'cancelled' || told?.status === 'expired') return;
    await endErrand(paying.sql, key, errandId);
    throw vendorProblem(paywall.provider.app.slug, error);
  }
}
