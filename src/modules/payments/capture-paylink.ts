import type { Tx } from '../../platform/database/index.ts';
import { KEY_LIFETIME_MS } from '../../platform/http/idempotent-write.ts';
import { unprocessable } from '../../platform/http/problem.ts';
import { add, compare, currencyDigits, decimal, round, toNumber, toText, ZERO } from '../../platform/money.ts';
import {
  beginOperation,
  claimOperation,
  findOperationOnAny,
  OperationUnderWay,
  settleOperation,
} from '../../platform/operations/index.ts';
import { VendorUnavailable } from '../../providers/contract.ts';
import { vendorProblem } from '../apps/index.ts';
import type { Actor } from '../audit/index.ts';
import { canonicalPaymentStatus } from '../orders/index.ts';
import { type BegunOperation, beginOnPaylink, type Decision, type DecisionContext } from './begin-on-paylink.ts';
import { clientOf, driverOf } from './driver.ts';
import { type IdempotentCall, requestKeyText } from './idempotent-call.ts';
import { type Paylink, restOf, stateAfterCapture } from './paylink.ts';
import {
  type CaptureIntent,
  type CaptureOperation,
  operationKey,
  type PaylinkIntent,
  type PaylinkOperation,
} from './paylink-intent.ts';
import { CALLS_MS, LEASE_MS, type PaymentContext } from './payment-context.ts';
import { isCaptured, keyOf, readPayment } from './read-back.ts';
import { beyondAmount, orderSettled, underWay, wholeOnly, wrongState } from './refusals.ts';
import { leaveUnclear } from './settle-operation.ts';
import { hasCaptureOfRequest, insertCapture, listSiblingIds, lockPaylink, type PaylinkKey } from './sql/paylinks.ts';
import { type LockedPaylink, lockWithOrder, writeState } from './write-state.ts';

export type CaptureAsked = { amount?: number | undefined; actor: Actor };

/**
 * Captures a part or the remaining amount. The intent is stored before the provider is called, so a repeat after a lost response
 * or a crash is sent under the same reference and captures nothing twice.
 */
export async function capturePaylink<Reply>(
  payments: PaymentContext,
  key: PaylinkKey,
  branchId: string | null,
  asked: CaptureAsked,
  idempotentCall: IdempotentCall<Paylink, Reply>,
): Promise<Reply> {
  const requestKey = requestKeyText(idempotentCall.request);
  const started = await beginOnPaylink(payments, key, branchId, {
    idempotentCall,
    actor: asked.actor,
    decide: (tx, locked, context) => decideCapture(tx, locked, { ...context, amount: asked.amount, requestKey }),
  });
  if ('stored' in started) return started.stored;
  if ('done' in started) return idempotentCall.store(async (tx) => (await lockPaylink(tx, key)) ?? started.done);
  await callProvider(payments, started.begun);
  return idempotentCall.store((tx) => writeCapture(tx, payments, started.begun.operation, asked.actor));
}

type Asked = DecisionContext & { amount: number | undefined; requestKey: string | null };
type CaptureDecision = Decision<CaptureIntent>;

async function decideCapture(tx: Tx, { row, order }: LockedPaylink, asked: Asked): Promise<CaptureDecision> {
  const { provider } = asked.providerInstall;
  const key = keyOf(row);
  const since = new Date(asked.now.getTime() - KEY_LIFETIME_MS);
  if (asked.requestKey !== null && (await hasCaptureOfRequest(tx, key, asked.requestKey, since)))
    return { kind: 'done' };
  if (asked.unclear !== undefined) return decideUnclear(tx, row, asked.unclear, asked);
  if (row.status === 'captured' && isWhole(row, asked.amount)) return { kind: 'done' };
  if (row.status === 'captured') throw beyondAmount(toText(restOf(row)));
  if ((row.status === 'created' || row.status === 'failed') && !asked.hasReadBack) return { kind: 'read_back' };
  if (row.status !== 'authorized') throw wrongState(row, 'capture');
  if (order !== undefined && ['paid', 'refunded'].includes(canonicalPaymentStatus(order.payment_status))) {
    throw orderSettled(order.id, order.payment_status);
  }
  if (order !== undefined) await refuseSecondCapture(tx, row);
  const rest = restOf(row);
  const amount = asked.amount === undefined ? rest : decimal(asked.amount);
  refuseOddDigits(asked.amount, row.currency);
  if (compare(amount, rest) > 0) throw beyondAmount(toText(rest));
  if (compare(amount, ZERO) <= 0) throw unprocessable({ amount: 'must be more than 0' });
  if (!provider.capturesInParts && compare(amount, rest) < 0) throw wholeOnly(toText(rest));
  const input: CaptureIntent = {
    action: 'capture',
    amount: toNumber(amount),
    capturedBefore: row.captured_amount,
    requestKey: asked.requestKey,
    sentAt: asked.now.toISOString(),
  };
  const lease = { now: asked.now, leaseMs: LEASE_MS };
  return { kind: 'begun', operation: await beginOperation(tx, operationKey(key), { input, ...lease }) };
}

/**
 * A customer may have authorised several links of one order. While one is being captured it is not known whether it pays the order, so another
 * waits. Call it with the order locked.
 */
async function refuseSecondCapture(tx: Tx, row: Paylink): Promise<void> {
  const siblingIds = await listSiblingIds(tx, row);
  if (siblingIds.length === 0) return;
  const other = await findOperationOnAny<PaylinkIntent>(tx, operationKey(keyOf(row)), siblingIds);
  if (other?.input.action === 'capture') throw new OperationUnderWay(other);
}

/** The full or the remaining amount: repeating the request asks for nothing more. */
function isWhole(row: Paylink, amount: number | undefined): boolean {
  return amount === undefined || compare(decimal(amount), decimal(row.amount)) === 0;
}

/** A repeat of the same capture continues under the same reference; any other request waits until the outcome is known. */
async function decideUnclear(
  tx: Tx,
  row: Paylink,
  unclear: PaylinkOperation,
  { amount, requestKey, now }: Asked,
): Promise<CaptureDecision> {
  const { input } = unclear;
  if (input.action !== 'capture') throw new OperationUnderWay(unclear);
  const captured = add(decimal(input.capturedBefore), decimal(input.amount));
  // Two requests for a part may be two captures; two requests for the remaining amount are one.
  const isAll = compare(captured, decimal(row.amount)) === 0;
  const isSamePart = amount === input.amount && requestKey === input.requestKey;
  const isSame = isAll ? amount === undefined || amount === input.amount : isSamePart;
  if (!isSame) throw new OperationUnderWay(unclear);
  if (compare(decimal(row.captured_amount), captured) >= 0) {
    if (!(await settleOperation(tx, unclear))) throw new OperationUnderWay(unclear);
    await insertCapture(tx, { ...unclear, input }, now);
    return { kind: 'done' };
  }
  const again: CaptureIntent = { ...input, sentAt: now.toISOString() };
  const operation = await claimOperation(tx, unclear, { now, leaseMs: LEASE_MS, input: again });
  if (operation === undefined) throw new OperationUnderWay(unclear);
  return { kind: 'begun', operation: { ...operation, input: again } };
}

export function refuseOddDigits(amount: number | undefined, currency: string, field = 'amount'): void {
  if (amount === undefined) return;
  const digits = currencyDigits(currency);
  if (compare(round(decimal(amount), digits), decimal(amount)) !== 0) {
    throw unprocessable({ [field]: `has more than the ${digits} digits that ${currency} has` });
  }
}

/** If it rejects, nothing has changed, or a repeat of the request continues the operation. */
async function callProvider(
  payments: PaymentContext,
  { providerInstall, row, operation }: BegunOperation<CaptureIntent>,
): Promise<void> {
  const { input } = operation;
  try {
    await driverOf(payments, providerInstall).capture(
      {
        providerReference: row.provider_reference ?? '',
        amount: decimal(input.amount),
        currency: row.currency,
        referenceId: operation.id,
        capturedBefore: decimal(input.capturedBefore),
        now: payments.clock.now(),
      },
      clientOf(payments, providerInstall, CALLS_MS),
    );
  } catch (error) {
    if (error instanceof VendorUnavailable && error.mayHaveArrived) {
      const reported = await readPayment(payments, providerInstall, row).catch(() => undefined);
      if (reported !== undefined && isCaptured(operation, reported)) return;
      await leaveUnclear(payments, operation);
    } else await settleOperation(payments.sql, operation);
    throw vendorProblem(providerInstall.provider.app.slug, error);
  }
}

async function writeCapture(
  tx: Tx,
  payments: PaymentContext,
  operation: CaptureOperation,
  actor: Actor,
): Promise<Paylink> {
  const { organization_id: organizationId, subject_id: id, input } = operation;
  const locked = await lockWithOrder(tx, { organizationId, id });
  if (locked === undefined) throw new Error('a paylink vanished while it was captured');
  if (!(await settleOperation(tx, operation))) throw underWay(id);
  await insertCapture(tx, operation, payments.clock.now());
  const captured = add(decimal(input.capturedBefore), decimal(input.amount));
  return writeState(tx, payments, locked, stateAfterCapture(locked.row, captured), { actor, action: 'capture' });
}
