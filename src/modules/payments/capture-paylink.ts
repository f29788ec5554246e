import type { Tx } from '../../platform/database/index.ts';
import { KEY_LIFETIME_MS } from '../../platform/http/idempotent-write.ts';
import { unprocessable } from '../../platform/http/problem.ts';
import { add, compare, currencyDigits, decimal, round, toNumber, toText, ZERO } from '../../platform/money.ts';
import { beginOperation, claimOperation, OperationUnderWay, settleOperation } from '../../platform/operations/index.ts';
import { VendorUnavailable } from '../../providers/contract.ts';
import type { Actor } from '../audit/index.ts';
import { canonicalPaymentStatus } from '../orders/index.ts';
import { type Begun, beginOnPaylink, type Circumstances, type Judgement } from './begin-on-paylink.ts';
import { clientOf, driverOf } from './driver.ts';
import { type Once, requestKeyText } from './once.ts';
import { CALLS_MS, LEASE_MS, type Paying } from './paying.ts';
import { type Paylink, restOf, stateAfterCapture } from './paylink.ts';
import { type CaptureIntent, type CaptureOperation, operationKey, type PaylinkOperation } from './paylink-intent.ts';
import { isCaptured, keyOf, readPayment } from './read-back.ts';
import { beyondAmount, orderSettled, underWay, vendorProblem, wholeOnly, wrongState } from './refusals.ts';
import { leaveUnclear } from './settle-operation.ts';
import { hasCaptureOfRequest, insertCapture, lockPaylink, type PaylinkKey } from './sql/paylinks.ts';
import { type HeldPaylink, lockWithOrder, writeState } from './write-state.ts';

export type CaptureAsked = { amount?: number | undefined; actor: Actor };

/**
 * Captures a part or what is left. What is to be captured is written down before the provider hears of it, so that a repeat
 * after a lost answer, or after the process died, goes out under the same reference and takes nothing twice.
 */
export async function capturePaylink<Given>(
  paying: Paying,
  key: PaylinkKey,
  branchId: string | null,
  asked: CaptureAsked,
  once: Once<Paylink, Given>,
): Promise<Given> {
  const requestKey = requestKeyText(once.request);
  const started = await beginOnPaylink(paying, key, branchId, {
    once,
    actor: asked.actor,
    judge: (tx, held, circumstances) => judgeCapture(tx, held, { ...circumstances, amount: asked.amount, requestKey }),
  });
  if ('kept' in started) return started.kept;
  if ('done' in started) return once.keep(async (tx) => (await lockPaylink(tx, key)) ?? started.done);
  await tellProvider(paying, started.begun);
  return once.keep((tx) => writeCapture(tx, paying, started.begun.operation, asked.actor));
}

type Asked = Circumstances & { amount: number | undefined; requestKey: string | null };
type JudgedCapture = Judgement<CaptureIntent>;

async function judgeCapture(tx: Tx, { row, order }: HeldPaylink, asked: Asked): Promise<JudgedCapture> {
  const { provider } = asked.providerInstall;
  const key = keyOf(row);
  const since = new Date(asked.now.getTime() - KEY_LIFETIME_MS);
  if (asked.requestKey !== null && (await hasCaptureOfRequest(tx, key, asked.requestKey, since)))
    return { kind: 'done' };
  if (asked.unclear !== undefined) return judgeUnclear(tx, row, asked.unclear, asked);
  if (row.status === 'captured' && isWhole(row, asked.amount)) return { kind: 'done' };
  if (row.status === 'captured') throw beyondAmount(toText(restOf(row)));
  if ((row.status === 'created' || row.status === 'failed') && !asked.hasLooked) return { kind: 'look' };
  if (row.status !== 'authorized') throw wrongState(row, 'capture');
  if (order !== undefined && ['paid', 'refunded'].includes(canonicalPaymentStatus(order.payment_status))) {
    throw orderSettled(order.id, order.payment_status);
  }
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

/** All of it, or all that is left: asking for that again asks for nothing more. */
function isWhole(row: Paylink, amount: number | undefined): boolean {
  return amount === undefined || compare(decimal(amount), decimal(row.amount)) === 0;
}

/** The same again goes on under the same reference; anything else has to wait until the outcome is known. */
async function judgeUnclear(
  tx: Tx,
  row: Paylink,
  unclear: PaylinkOperation,
  { amount, requestKey, now }: Asked,
): Promise<JudgedCapture> {
  const { input } = unclear;
  if (input.action !== 'capture') throw new OperationUnderWay(unclear);
  const captured = add(decimal(input.capturedBefore), decimal(input.amount));
  // Of two requests for a part each may mean a part of its own; of all that is left there is only one.
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

/** What it rejects with leaves nothing changed, or an operation that a repeat goes on with. */
async function tellProvider(paying: Paying, { providerInstall, row, operation }: Begun<CaptureIntent>): Promise<void> {
  const { input } = operation;
  try {
    await driverOf(paying, providerInstall).capture(
      {
        providerReference: row.provider_reference ?? '',
        amount: decimal(input.amount),
        currency: row.currency,
        referenceId: operation.id,
        capturedBefore: decimal(input.capturedBefore),
        now: paying.clock.now(),
      },
      clientOf(paying, providerInstall, CALLS_MS),
    );
  } catch (error) {
    if (error instanceof VendorUnavailable && error.mayHaveArrived) {
      const told = await readPayment(paying, providerInstall, row).catch(() => undefined);
      if (told !== undefined && isCaptured(operation, told)) return;
      await leaveUnclear(paying, operation);
    } else await settleOperation(paying.sql, operation);
    throw vendorProblem(providerInstall.provider.app.slug, error);
  }
}

async function writeCapture(tx: Tx, paying: Paying, operation: CaptureOperation, actor: Actor): Promise<Paylink> {
  const { organization_id: organizationId, subject_id: id, input } = operation;
  const held = await lockWithOrder(tx, { organizationId, id });
  if (held === undefined) throw new Error('a paylink vanished while it was captured');
  if (!(await settleOperation(tx, operation))) throw underWay(id);
  await insertCapture(tx, operation, paying.clock.now());
  const captured = add(decimal(input.capturedBefore), decimal(input.amount));
  return writeState(tx, paying, held, stateAfterCapture(held.row, captured), { actor, action: 'capture' });
}
