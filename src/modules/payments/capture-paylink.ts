import type { Tx } from '../../platform/database/index.ts';
import { unprocessable } from '../../platform/http/problem.ts';
import { KEY_LIFETIME_MS } from '../../platform/http/write-once.ts';
import { newId } from '../../platform/ids.ts';
import { add, compare, currencyDigits, decimal, round, toNumber, toText, ZERO } from '../../platform/money.ts';
import { VendorUnavailable } from '../../providers/contract.ts';
import type { Actor } from '../audit/index.ts';
import { canonicalPaymentStatus } from '../orders/index.ts';
import { clientOf, driverOf } from './driver.ts';
import type { Paywall } from './find-provider.ts';
import { type Once, requestKeyText } from './once.ts';
import { ERRAND_MS, type Paying } from './paying.ts';
import { type Paylink, restOf, stateAfterCapture } from './paylink.ts';
import { readPayment } from './read-back.ts';
import { beyondAmount, orderSettled, vendorProblem, wholeOnly, wrongState } from './refusals.ts';
import { type Begun, beginErrand, type Judgement } from './run-errand.ts';
import {
  endErrand,
  forgetCaptureRequest,
  hasCaptureOfRequest,
  insertCapture,
  leaveErrand,
  lockPaylink,
  type PaylinkKey,
  beginErrand as writeErrand,
} from './sql/paylinks.ts';
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
  const started = await beginErrand(paying, key, branchId, {
    once,
    actor: asked.actor,
    judge: (tx, held, paywall, { hasLooked, until }) =>
      judgeCapture(tx, held, paywall, { ...asked, requestKey, hasLooked, until, now: paying.clock.now() }),
  });
  if ('kept' in started) return started.kept;
  if ('done' in started) {
    return once.keep(async (tx) => {
      if (requestKey !== null) await forgetCaptureRequest(tx, key, requestKey);
      return (await lockPaylink(tx, key)) ?? started.done;
    });
  }
  await tellProvider(paying, key, started.begun);
  return once.keep((tx) => writeCapture(tx, paying, key, started.begun, asked.actor));
}

type Circumstances = CaptureAsked & { requestKey: string | null; hasLooked: boolean; until: Date; now: Date };

async function judgeCapture(
  tx: Tx,
  { row, order }: HeldPaylink,
  { provider }: Paywall,
  asked: Circumstances,
): Promise<Judgement> {
  const key = { organizationId: row.organization_id, id: row.id };
  const since = new Date(asked.now.getTime() - KEY_LIFETIME_MS);
  if (asked.requestKey !== null && (await hasCaptureOfRequest(tx, key, asked.requestKey, since)))
    return { kind: 'done' };
  if (row.errand !== null) return judgeUnclear(tx, row, asked);
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
  const errand = {
    kind: 'capture' as const,
    id: newId(),
    amount: toNumber(amount),
    key: asked.requestKey,
    until: asked.until,
  };
  await writeErrand(tx, key, errand);
  return { kind: 'begun', errandId: errand.id, amount: errand.amount, capturedBefore: row.captured_amount };
}

/** All of it, or all that is left: asking for that again asks for nothing more. */
function isWhole(row: Paylink, amount: number | undefined): boolean {
  return amount === undefined || compare(decimal(amount), decimal(row.amount)) === 0;
}

/** The same again goes on where the first one was left; anything else waits until that is known. */
async function judgeUnclear(tx: Tx, row: Paylink, asked: Circumstances): Promise<Judgement> {
  const { errand, errand_id, errand_amount, errand_captured_before, errand_key } = row;
  if (errand !== 'capture' || errand_id === null || errand_amount === null) return { kind: 'unclear' };
  const captured = add(decimal(errand_captured_before ?? 0), decimal(errand_amount));
  // Of two requests for a part each may mean a part of its own; of all that is left there is only one.
  const isAll = compare(captured, decimal(row.amount)) === 0;
  const isSamePart = asked.amount === errand_amount && errand_key === asked.requestKey;
  const isSame = isAll ? asked.amount === undefined || asked.amount === errand_amount : isSamePart;
  if (!isSame) return { kind: 'unclear' };
  const key = { organizationId: row.organization_id, id: row.id };
  if (compare(decimal(row.captured_amount), captured) >= 0) {
    await insertCapture(tx, key, { id: errand_id, amount: errand_amount, key: errand_key, now: asked.now });
    await endErrand(tx, key, errand_id);
    return { kind: 'done' };
  }
  await leaveErrand(tx, key, errand_id, asked.until);
  return { kind: 'begun', errandId: errand_id, amount: errand_amount, capturedBefore: errand_captured_before ?? 0 };
}

export function refuseOddDigits(amount: number | undefined, currency: string, field = 'amount'): void {
  if (amount === undefined) return;
  const digits = currencyDigits(currency);
  if (compare(round(decimal(amount), digits), decimal(amount)) !== 0) {
    throw unprocessable({ [field]: `has more than the ${digits} digits that ${currency} has` });
  }
}

/** What it rejects with leaves nothing changed, or an errand that the next one goes on with. */
async function tellProvider(paying: Paying, key: PaylinkKey, begun: Begun): Promise<void> {
  const { paywall, row, errandId } = begun;
  const amount = decimal(begun.amount);
  const capturedBefore = decimal(begun.capturedBefore);
  try {
    await driverOf(paying, paywall).capture(
      {
        providerReference: row.provider_reference ?? '',
        amount,
        currency: row.currency,
        referenceId: errandId,
        capturedBefore,
        now: paying.clock.now(),
      },
      clientOf(paying, paywall, ERRAND_MS),
    );
  } catch (error) {
    const isUnclear = error instanceof VendorUnavailable && error.mayHaveArrived;
    if (isUnclear) {
      const told = await readPayment(paying, paywall, row).catch(() => undefined);
      if (told?.capturedAmount !== undefined && compare(told.capturedAmount, add(capturedBefore, amount)) >= 0) return;
      await leaveErrand(paying.sql, key, errandId, paying.clock.now());
    } else await endErrand(paying.sql, key, errandId);
    throw vendorProblem(paywall.provider.app.slug, error);
  }
}

async function writeCapture(tx: Tx, paying: Paying, key: PaylinkKey, begun: Begun, actor: Actor): Promise<Paylink> {
  const held = await lockWithOrder(tx, key);
  if (held === undefined) throw new Error('a paylink vanished while it was captured');
  const now = paying.clock.now();
  // The answer is kept with it: nothing else has to remember the request.
  await insertCapture(tx, key, { id: begun.errandId, amount: begun.amount, key: null, now });
  await endErrand(tx, key, begun.errandId);
  const captured = add(decimal(begun.capturedBefore), decimal(begun.amount));
  return writeState(tx, paying, held, stateAfterCapture(held.row, captured), { actor, action: 'capture' });
}
