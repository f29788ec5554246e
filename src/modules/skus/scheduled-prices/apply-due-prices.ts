import type { Clock } from '../../../platform/clock.ts';
import { inTransaction, type Sql, type Tx } from '../../../platform/database/index.ts';
import { currencyDigits } from '../../../platform/money.ts';
import { recordAudit, SYSTEM_ACTOR } from '../../audit/index.ts';
import { readOrganizationDefaults } from '../../identity/index.ts';
import { MAX_PRICE } from '../schema.ts';
import { endPrices, lockDueSchedule, type PriceSchedule, setStatus, startPrices } from '../sql/scheduled-prices.ts';

/**
 * Starts and ends the schedules that are due, each in its own transaction with its state: any number of processes may run this, and each
 * change happens once. Returns how many.
 */
export async function applyDuePrices(
  { sql, clock }: { sql: Sql; clock: Clock },
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  let count = 0;
  while (!signal.aborted && (await inTransaction(sql, (tx) => applyNext(tx, clock.now())))) count += 1;
  return count;
}

async function applyNext(tx: Tx, now: Date): Promise<boolean> {
  const schedule = await lockDueSchedule(tx, now);
  if (schedule === undefined) return false;
  const changed = schedule.status === 'scheduled' ? await start(tx, schedule, now) : await end(tx, schedule, now);
  if (changed > 0) {
    const entry = { action: 'update', resource: 'Products', resourceId: schedule.id, changedFields: ['price'] };
    await recordAudit(tx, schedule.organization_id, SYSTEM_ACTOR, [entry], now);
  }
  return true;
}

async function start(tx: Tx, schedule: PriceSchedule, now: Date): Promise<number> {
  const { currency } = await readOrganizationDefaults(tx, schedule.organization_id);
  const changed = await startPrices(tx, schedule, { digits: currencyDigits(currency), maxPrice: MAX_PRICE }, now);
  await setStatus(tx, schedule, schedule.ends_at === null ? 'ended' : 'active');
  return changed;
}

async function end(tx: Tx, schedule: PriceSchedule, now: Date): Promise<number> {
  const changed = await endPrices(tx, schedule, now);
  await setStatus(tx, schedule, 'ended');
  return changed;
}
