import { notifyAfterCommit } from '../../platform/background/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { conflict } from '../../platform/http/problem.ts';
import { add, compare, decimal } from '../../platform/money.ts';
import { findOperation, settleOperation } from '../../platform/operations/index.ts';
import type { ProviderPayment } from '../../providers/contract.ts';
import { vendorProblem } from '../apps/index.ts';
import type { Actor } from '../audit/index.ts';
import { clientOf, driverOf } from './driver.ts';
import type { ProviderInstall } from './find-provider.ts';
import { isOtherPayment, type Paylink, stateAfter } from './paylink.ts';
import { type CaptureOperation, operationKey, type PaylinkIntent, type PaylinkOperation } from './paylink-intent.ts';
import { LOOK_MS, type PaymentContext } from './payment-context.ts';
import { paylinkNotFound } from './refusals.ts';
import { insertCapture } from './sql/paylinks.ts';
import { lockWithOrder, writeState } from './write-state.ts';

/** As the provider has it now. */
export function readPayment(
  payments: PaymentContext,
  providerInstall: ProviderInstall,
  row: Paylink,
): Promise<ProviderPayment> {
  const client = clientOf(payments, providerInstall, LOOK_MS);
  return driverOf(payments, providerInstall).readPayment(row.provider_reference ?? '', client);
}

/** The same for a request: the error says why the payment could not be read. */
export async function askProvider(
  payments: PaymentContext,
  providerInstall: ProviderInstall,
  row: Paylink,
): Promise<ProviderPayment> {
  try {
    return await readPayment(payments, providerInstall, row);
  } catch (error) {
    throw vendorProblem(providerInstall.provider.app.slug, error);
  }
}

/** Updates the paylink to the provider's state. No transaction may be open. */
export async function refreshPaylink(
  payments: PaymentContext,
  providerInstall: ProviderInstall,
  row: Paylink,
  actor: Actor,
): Promise<Paylink> {
  const reported = await askProvider(payments, providerInstall, row);
  if (isOtherPayment(row, reported)) {
    throw conflict('Amount differs', { id: row.id, hint: 'the provider has another amount or currency' });
  }
  const key = keyOf(row);
  return notifyAfterCommit(payments.ordering.outbox, () =>
    inTransaction(payments.sql, async (tx) => {
      const locked = await lockWithOrder(tx, key);
      if (locked === undefined) throw paylinkNotFound(row.id);
      const now = payments.clock.now();
      const operation = await findOperation<PaylinkIntent>(tx, operationKey(key));
      // A capture that was carried out although its response was lost is recorded with its reference.
      const isLost = operation !== undefined && operation.lease_until <= now && isCaptured(operation, reported);
      if (isLost && (await settleOperation(tx, operation))) await insertCapture(tx, operation, now);
      return writeState(tx, payments, locked, stateAfter(locked.row, reported), { actor, action: 'update' });
    }),
  );
}

export const keyOf = ({ organization_id, id }: Paylink) => ({ organizationId: organization_id, id });

/** Whether the operation is a capture that was carried out, judged by the captured amount that the provider reports. */
export function isCaptured(
  operation: PaylinkOperation,
  { capturedAmount }: Pick<ProviderPayment, 'capturedAmount'>,
): operation is CaptureOperation {
  const { input } = operation;
  if (input.action !== 'capture' || capturedAmount === undefined) return false;
  return compare(capturedAmount, add(decimal(input.capturedBefore), decimal(input.amount))) >= 0;
}
