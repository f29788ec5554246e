import { notifyAfterCommit } from '../../platform/background/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { conflict } from '../../platform/http/problem.ts';
import { add, compare, decimal } from '../../platform/money.ts';
import { findOperation, settleOperation } from '../../platform/operations/index.ts';
import type { ProviderPayment } from '../../providers/contract.ts';
import type { Actor } from '../audit/index.ts';
import { clientOf, driverOf } from './driver.ts';
import type { ProviderInstall } from './find-provider.ts';
import { LOOK_MS, type Paying } from './paying.ts';
import { isOtherPayment, type Paylink, stateAfter } from './paylink.ts';
import { type CaptureOperation, operationKey, type PaylinkIntent, type PaylinkOperation } from './paylink-intent.ts';
import { paylinkNotFound, vendorProblem } from './refusals.ts';
import { insertCapture } from './sql/paylinks.ts';
import { lockWithOrder, writeState } from './write-state.ts';

/** As the provider has it now. */
export function readPayment(paying: Paying, providerInstall: ProviderInstall, row: Paylink): Promise<ProviderPayment> {
  const client = clientOf(paying, providerInstall, LOOK_MS);
  return driverOf(paying, providerInstall).readPayment(row.provider_reference ?? '', client);
}

/** The same for a caller who is to be told why it could not be read. */
export async function askProvider(
  paying: Paying,
  providerInstall: ProviderInstall,
  row: Paylink,
): Promise<ProviderPayment> {
  try {
    return await readPayment(paying, providerInstall, row);
  } catch (error) {
    throw vendorProblem(providerInstall.provider.app.slug, error);
  }
}

/** Takes over what the provider has. No transaction may be open. */
export async function refreshPaylink(
  paying: Paying,
  providerInstall: ProviderInstall,
  row: Paylink,
  actor: Actor,
): Promise<Paylink> {
  const told = await askProvider(paying, providerInstall, row);
  if (isOtherPayment(row, told)) {
    throw conflict('Amount differs', { id: row.id, hint: 'the provider has another amount or currency' });
  }
  const key = keyOf(row);
  return notifyAfterCommit(paying.ordering.outbox, () =>
    inTransaction(paying.sql, async (tx) => {
      const held = await lockWithOrder(tx, key);
      if (held === undefined) throw paylinkNotFound(row.id);
      const now = paying.clock.now();
      const operation = await findOperation<PaylinkIntent>(tx, operationKey(key));
      // A capture whose answer got lost and that is done all the same is kept with its reference.
      const isLost = operation !== undefined && operation.lease_until <= now && isCaptured(operation, told);
      if (isLost && (await settleOperation(tx, operation))) await insertCapture(tx, operation, now);
      return writeState(tx, paying, held, stateAfter(held.row, told), { actor, action: 'update' });
    }),
  );
}

export const keyOf = ({ organization_id, id }: Paylink) => ({ organizationId: organization_id, id });

/** Whether it is a capture that has been carried out, by what the provider says was captured. */
export function isCaptured(
  operation: PaylinkOperation,
  { capturedAmount }: Pick<ProviderPayment, 'capturedAmount'>,
): operation is CaptureOperation {
  const { input } = operation;
  if (input.action !== 'capture' || capturedAmount === undefined) return false;
  return compare(capturedAmount, add(decimal(input.capturedBefore), decimal(input.amount))) >= 0;
}
