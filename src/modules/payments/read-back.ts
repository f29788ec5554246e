import { ringAfter } from '../../platform/background/index.ts';
import { inTransaction, type Tx } from '../../platform/database/index.ts';
import { conflict } from '../../platform/http/problem.ts';
import { add, compare, decimal } from '../../platform/money.ts';
import type { ProviderPayment } from '../../providers/contract.ts';
import type { Actor } from '../audit/index.ts';
import { clientOf, driverOf } from './driver.ts';
import type { Paywall } from './find-provider.ts';
import { LOOK_MS, type Paying } from './paying.ts';
import { isOtherPayment, type Paylink, stateAfter } from './paylink.ts';
import { paylinkNotFound, underWay, vendorProblem } from './refusals.ts';
import { dropUnmade, endErrand, insertCapture } from './sql/paylinks.ts';
import { type HeldPaylink, lockWithOrder, writeState } from './write-state.ts';

/** As the provider has it now. */
export function readPayment(paying: Paying, paywall: Paywall, row: Paylink): Promise<ProviderPayment> {
  const client = clientOf(paying, paywall, LOOK_MS);
  return driverOf(paying, paywall).readPayment(row.provider_reference ?? '', client);
}

/** Takes over what the provider has. No transaction may be open. */
export async function refreshPaylink(paying: Paying, paywall: Paywall, row: Paylink, actor: Actor): Promise<Paylink> {
  let told: ProviderPayment;
  try {
    told = await readPayment(paying, paywall, row);
  } catch (error) {
    throw vendorProblem(paywall.provider.app.slug, error);
  }
  if (isOtherPayment(row, told)) {
    throw conflict('Amount differs', { id: row.id, hint: 'the provider has another amount or currency' });
  }
  return takeOver(paying, row, told, actor);
}

function takeOver(paying: Paying, row: Paylink, told: ProviderPayment, actor: Actor): Promise<Paylink> {
  return ringAfter(paying.ordering.outbox, () =>
    inTransaction(paying.sql, async (tx) => {
      const held = await lockWithOrder(tx, keyOf(row));
      if (held === undefined) throw paylinkNotFound(row.id);
      await noteErrandDone(tx, paying, held, told);
      return writeState(tx, paying, held, stateAfter(held.row, told), { actor, action: 'update' });
    }),
  );
}

export const keyOf = ({ organization_id, id }: Paylink) => ({ organizationId: organization_id, id });

/** Whether a capture that was begun has been carried out, as far as the provider says how much was captured. */
export function hasCaptured(
  { errand_captured_before, errand_amount }: Paylink,
  told: Pick<ProviderPayment, 'capturedAmount'>,
): boolean | undefined {
  if (told.capturedAmount === undefined) return undefined;
  return compare(told.capturedAmount, add(decimal(errand_captured_before ?? 0), decimal(errand_amount ?? 0))) >= 0;
}

/** A capture whose answer got lost and that is done all the same is kept with its reference. */
async function noteErrandDone(
  tx: Tx,
  { clock }: Paying,
  { row }: HeldPaylink,
  told: Pick<ProviderPayment, 'capturedAmount'>,
): Promise<void> {
  const isUnclear = row.errand === 'capture' && row.errand_until !== null && row.errand_until <= clock.now();
  if (!isUnclear || row.errand_id === null || hasCaptured(row, told) !== true) return;
  const capture = { id: row.errand_id, amount: row.errand_amount ?? 0, key: row.errand_key, now: clock.now() };
  await insertCapture(tx, keyOf(row), capture);
  await endErrand(tx, keyOf(row), row.errand_id);
}

const HOUR_MS = 3_600_000;

/**
 * What was begun by somebody who is no longer there: the provider is asked what became of it. It is never done again by
 * ourselves: whoever began it was told that it failed. Refused while nobody can tell.
 */
export async function settleErrand(paying: Paying, paywall: Paywall, row: Paylink, actor: Actor): Promise<Paylink> {
  if (row.errand === null || row.errand_id === null) return row;
  if (row.errand === 'create') {
    await dropUnmade(paying.sql, keyOf(row));
    throw paylinkNotFound(row.id);
  }
  const errandId = row.errand_id;
  let told: ProviderPayment;
  try {
    told = await readPayment(paying, paywall, row);
  } catch (error) {
    throw vendorProblem(paywall.provider.app.slug, error);
  }
  const isKnown = row.errand === 'cancel' || hasCaptured(row, told) !== undefined || told.status !== 'authorized';
  const begunMs = row.errand_until?.getTime() ?? 0;
  if (!isKnown && paying.clock.now().getTime() - begunMs < HOUR_MS) throw underWay(row.id);
  const after = await takeOver(paying, row, told, actor);
  await endErrand(paying.sql, keyOf(row), errandId);
  return { ...after, errand: null, errand_id: null };
}
