import { ringAfter } from '../../platform/background/index.ts';
import { inTransaction, type Tx } from '../../platform/database/index.ts';
import { conflict } from '../../platform/http/problem.ts';
import { add, compare, decimal } from '../../platform/money.ts';
import { findOperation, type Operation, settleOperation } from '../../platform/operations/index.ts';
import type { ProviderPayment } from '../../providers/contract.ts';
import type { Actor } from '../audit/index.ts';
import { clientOf, driverOf } from './driver.ts';
import type { Paywall } from './find-provider.ts';
import { LOOK_MS, type Paying } from './paying.ts';
import { isOtherPayment, type Paylink, stateAfter } from './paylink.ts';
import { type CaptureIntent, operationKey, type PaylinkIntent } from './paylink-intent.ts';
import { paylinkNotFound, vendorProblem } from './refusals.ts';
import { insertCapture } from './sql/paylinks.ts';
import { lockWithOrder, writeState } from './write-state.ts';

/** As the provider has it now. */
export function readPayment(paying: Paying, paywall: Paywall, row: Paylink): Promise<ProviderPayment> {
  const client = clientOf(paying, paywall, LOOK_MS);
  return driverOf(paying, paywall).readPayment(row.provider_reference ?? '', client);
}

/** The same for a caller who is to be told why it could not be read. */
export async function askProvider(paying: Paying, paywall: Paywall, row: Paylink): Promise<ProviderPayment> {
  try {
    return await readPayment(paying, paywall, row);
  } catch (error) {
    throw vendorProblem(paywall.provider.app.slug, error);
  }
}

/** Takes over what the provider has. No transaction may be open. */
export async function refreshPaylink(paying: Paying, paywall: Paywall, row: Paylink, actor: Actor): Promise<Paylink> {
  const told = await askProvider(paying, paywall, row);
  if (isOtherPayment(row, told)) {
    throw conflict('Amount differs', { id: row.id, hint: 'the provider has another amount or currency' });
  }
  const key = keyOf(row);
  return ringAfter(paying.ordering.outbox, () =>
    inTransaction(paying.sql, async (tx) => {
      const held = await lockWithOrder(tx, key);
      if (held === undefined) throw paylinkNotFound(row.id);
      const operation = await findOperation<PaylinkIntent>(tx, operationKey(key));
      const isUnclear = operation?.input.action === 'capture' && operation.lease_until <= paying.clock.now();
      if (isUnclear && hasCaptured(operation.input as CaptureIntent, told) && (await settleOperation(tx, operation))) {
        await noteCapture(tx, paying, operation, told);
      }
      return writeState(tx, paying, held, stateAfter(held.row, told), { actor, action: 'update' });
    }),
  );
}

export const keyOf = ({ organization_id, id }: Paylink) => ({ organizationId: organization_id, id });

/** Whether a capture that was begun has been carried out, as far as the provider says how much was captured. */
export function hasCaptured(
  { capturedBefore, amount }: CaptureIntent,
  told: Pick<ProviderPayment, 'capturedAmount'>,
): boolean | undefined {
  if (told.capturedAmount === undefined) return undefined;
  return compare(told.capturedAmount, add(decimal(capturedBefore), decimal(amount))) >= 0;
}

/** A capture whose answer got lost and that is done all the same is kept with its reference. */
export async function noteCapture(
  tx: Tx,
  { clock }: Paying,
  operation: Operation<PaylinkIntent>,
  told: Pick<ProviderPayment, 'capturedAmount'>,
): Promise<void> {
  const { organization_id: organizationId, subject_id: id, input } = operation;
  if (input.action !== 'capture' || hasCaptured(input, told) !== true) return;
  const capture = { id: operation.id, amount: input.amount, key: input.requestKey, now: clock.now() };
  await insertCapture(tx, { organizationId, id }, capture);
}
