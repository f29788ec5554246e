import type { FastifyBaseLogger } from 'fastify';
import { Problem } from '../../platform/http/problem.ts';
import { findOperation } from '../../platform/operations/index.ts';
import { SYSTEM_ACTOR } from '../audit/index.ts';
import { getProviderInstallOf } from './find-provider.ts';
import { callWithoutKey } from './idempotent-call.ts';
import type { Paylink } from './paylink.ts';
import { operationKey } from './paylink-intent.ts';
import type { PaymentContext } from './payment-context.ts';
import { keyOf, refreshPaylink } from './read-back.ts';
import { listOverdue, postponeCheck } from './sql/paylinks.ts';
import { lockWithOrder, writeState } from './write-state.ts';

const CONCURRENCY = 8;
const MAX_ROWS = 200;
const LATER_MS = 10 * 60_000;
/** A provider's page may live longer than announced. Expiring it at once would miss a customer who agrees later. */
const EXPIRE_AFTER_MS = 24 * 3_600_000;

/** Reads back the payments whose page has expired. */
export async function sweepPaylinks(
  payments: PaymentContext,
  log: Pick<FastifyBaseLogger, 'warn'>,
  signal: AbortSignal,
): Promise<void> {
  const rows = await listOverdue(payments.sql, payments.clock.now(), MAX_ROWS);
  const waiting = [...rows];
  const work = async () => {
    for (let row = waiting.shift(); row !== undefined && !signal.aborted; row = waiting.shift()) {
      await checkPaylink(payments, log, row);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

async function checkPaylink(
  payments: PaymentContext,
  log: Pick<FastifyBaseLogger, 'warn'>,
  row: Paylink,
): Promise<void> {
  const later = new Date(payments.clock.now().getTime() + LATER_MS);
  try {
    // Postponed instead of skipped: operations that cannot be settled must not fill the list.
    const isUnderWay = (await findOperation(payments.sql, operationKey(keyOf(row)))) !== undefined;
    if (isUnderWay) return await postponeCheck(payments.sql, keyOf(row), later);
    const providerInstall = await getProviderInstallOf(payments, row);
    const { status } = await refreshPaylink(payments, providerInstall, row, SYSTEM_ACTOR);
    if (status === 'created') await expireOrWait(payments, row, later);
  } catch (error) {
    if (!(error instanceof Problem)) log.warn({ err: error, paylinkId: row.id }, 'a paylink could not be read back');
    // The app was removed or the provider is down. After a day no customer agrees any more.
    await expireOrWait(payments, row, later);
  }
}

function isLongExpired({ clock }: PaymentContext, { expires_at }: Paylink): boolean {
  return expires_at !== null && clock.now().getTime() - expires_at.getTime() > EXPIRE_AFTER_MS;
}

async function expireOrWait(payments: PaymentContext, row: Paylink, later: Date): Promise<void> {
  if (isLongExpired(payments, row)) await expire(payments, row);
  else await postponeCheck(payments.sql, keyOf(row), later);
}

async function expire(payments: PaymentContext, row: Paylink): Promise<void> {
  await callWithoutKey<Paylink | undefined>(payments).store(async (tx) => {
    const locked = await lockWithOrder(tx, keyOf(row));
    if (locked?.row.status !== 'created') return locked?.row;
    const state = { ...locked.row, status: 'expired' as const };
    return writeState(tx, payments, locked, state, { actor: SYSTEM_ACTOR, action: 'expire' });
  });
}
