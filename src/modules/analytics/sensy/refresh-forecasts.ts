import type { Clock } from '../../../platform/clock.ts';
import { inTransaction, inTransactionByIndex, type Sql, type Tx } from '../../../platform/database/index.ts';
import { addDays, localDay } from '../../../platform/local-day.ts';
import { prefetch } from '../../../platform/prefetch.ts';
import { readTimeZones } from '../../identity/index.ts';
import { deleteDemandOfGoneSkus } from '../sql/demand-days.ts';
import {
  type BranchPast,
  listBestSold,
  listForecastSkus,
  listMovedSkus,
  readForecastInputs,
  readLastKnownDays,
} from '../sql/forecast-inputs.ts';
import { type ForecastSettings, readForecastSettings } from '../sql/forecast-settings.ts';
import { beginPass, endPass, type ForecastState, findForecastState, movePass } from '../sql/forecast-states.ts';
import { deleteForecastsOfEarlierPasses, saveForecasts } from '../sql/forecasts.ts';
import type { ForecastThread } from './forecast-thread.ts';

export const REFRESH_JOB = 'refresh-forecasts';
/** Two years: the longest range of analytics, and the same before it for comparison. */
const HISTORY_DAYS = 730;
const SKUS_A_PAGE = 250;
const POOLED_SKUS = 500;
/** After this time the refresh of an organization is queued again behind the others and continues where it was. */
const TURN_MS = 20_000;

export type Refreshing = { sql: Sql; clock: Clock; thread: ForecastThread };

/**
 * Brings the forecasts of an organization up to date: all SKUs once a day and after an upload or a change of settings,
 * otherwise those whose stock has moved. Each page is a transaction that also stores the position of the pass, so the next
 * run after a crash continues from there. Returns `more` when its time limit ended before the work.
 */
export async function refreshForecasts(
  refreshing: Refreshing,
  organizationId: string,
  signal: AbortSignal,
): Promise<'done' | 'more'> {
  const { sql, clock } = refreshing;
  const [timeZone] = (await readTimeZones(sql, [organizationId])).values();
  if (timeZone === undefined) return 'done';
  const today = localDay(clock.now(), timeZone);
  const shop: Shop = {
    organizationId,
    today,
    past: await readPast(sql, organizationId, today),
    settings: await readForecastSettings(sql, organizationId),
  };
  const state = await findForecastState(sql, organizationId);
  const endsAtMs = performance.now() + TURN_MS;
  const isTurnOver = () => {
    signal.throwIfAborted();
    return performance.now() > endsAtMs;
  };
  return state === undefined || isOutdated(state, today)
    ? refreshAll(refreshing, shop, state, isTurnOver)
    : refreshMoved(refreshing, shop, state, isTurnOver);
}

async function refreshAll(
  refreshing: Refreshing,
  shop: Shop,
  state: ForecastState | undefined,
  isTurnOver: () => boolean,
): Promise<'done' | 'more'> {
  const { sql, clock } = refreshing;
  const { organizationId, today } = shop;
  const pass = await continueOrBegin(refreshing, shop, state);
  const window = { from: addDays(today, -HISTORY_DAYS), before: today };
  const list: ListSkus = (tx, page) => listForecastSkus(tx, organizationId, window, page);
  for await (const { last, rows } of forecastPages(refreshing, shop, {
    list,
    after: pass.doneTo,
    pooled: pass.pooled,
  })) {
    const isOurs = await inTransaction(sql, async (tx) => {
      if (!(await movePass(tx, organizationId, pass.number, last))) return false;
      await saveForecasts(tx, organizationId, { rows, pass: pass.number, now: clock.now() });
      return true;
    });
    // Another pass has started since, for a new day, and covers the rest.
    if (!isOurs || isTurnOver()) return 'more';
  }
  const isEnded = await inTransaction(sql, async (tx) => {
    if (!(await endPass(tx, organizationId, pass.number, clock.now()))) return false;
    await deleteForecastsOfEarlierPasses(tx, organizationId, pass.number);
    await deleteDemandOfGoneSkus(tx, organizationId);
    return true;
  });
  // Demand may have changed while the pass was running.
  const ended = await findForecastState(sql, organizationId);
  return isEnded && !isOutdated(ended, today) ? 'done' : 'more';
}

async function refreshMoved(
  refreshing: Refreshing,
  shop: Shop,
  state: ForecastState,
  isTurnOver: () => boolean,
): Promise<'done' | 'more'> {
  const { sql, clock } = refreshing;
  const { organizationId } = shop;
  const list: ListSkus = (tx, page) => listMovedSkus(tx, organizationId, page);
  const pooled = JSON.stringify(state.pooled);
  for await (const { rows } of forecastPages(refreshing, shop, { list, after: '', pooled })) {
    await inTransaction(sql, (tx) => saveForecasts(tx, organizationId, { rows, pass: state.pass, now: clock.now() }));
    if (isTurnOver()) return 'more';
  }
  return 'done';
}

/** The organization and the inputs of a pass. */
type Shop = { organizationId: string; today: string; past: Map<string, BranchPast>; settings: ForecastSettings };
type ListSkus = (tx: Tx, page: { after: string; limit: number }) => Promise<string[]>;
type Listed = { list: ListSkus; after: string; pooled: string };

/** Pipelined by page: one page is read while the previous one is calculated and the one before that is written. */
function forecastPages(
  { sql, thread }: Refreshing,
  { organizationId, today, past, settings }: Shop,
  { list, after, pooled }: Listed,
): AsyncIterable<{ last: string; rows: string }> {
  async function* read() {
    for (let page = { after, limit: SKUS_A_PAGE }; ; ) {
      const { last, skus } = await byKeys(sql, async (tx) => {
        const listed = await list(tx, page);
        const inputs = await readForecastInputs(tx, organizationId, past, { skus: listed, before: today });
        return { last: listed.at(-1), skus: inputs };
      });
      if (last === undefined) return;
      yield { last, skus };
      page = { ...page, after: last };
    }
  }
  async function* calculate() {
    for await (const { last, skus } of prefetch(read())) {
      yield { last, rows: await thread.run({ kind: 'page', today, past, settings, pooled, skus }) };
    }
  }
  return prefetch(calculate());
}

export function isOutdated(state: ForecastState | undefined, today: string): boolean {
  return state === undefined || state.for_day !== today || state.changes !== state.known_changes;
}

async function continueOrBegin(
  { sql, thread }: Refreshing,
  { organizationId, today, past }: Shop,
  state: ForecastState | undefined,
): Promise<{ number: number; doneTo: string; pooled: string }> {
  if (state !== undefined && state.pass_done_to !== null && state.pass_day === today) {
    return { number: state.pass, doneTo: state.pass_done_to, pooled: JSON.stringify(state.pooled) };
  }
  const window = { from: addDays(today, -HISTORY_DAYS), before: today };
  const best = await listBestSold(sql, organizationId, window, POOLED_SKUS);
  const skus = await readForecastInputs(sql, organizationId, past, { skus: best, before: today });
  const pooled = await thread.run({ kind: 'pool', today, past, skus });
  return { number: await beginPass(sql, organizationId, { day: today, pooled }), doneTo: '', pooled };
}

/** A plan made while there were no sales yet would read all of them for every SKU. */
function byKeys<T>(sql: Sql, read: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransactionByIndex(sql, read);
}

async function readPast(sql: Sql, organizationId: string, today: string): Promise<Map<string, BranchPast>> {
  const known = await readLastKnownDays(sql, organizationId, { before: today });
  return new Map(
    Array.from(known, ([branchId, until]) => [branchId, { from: addDays(until, 1 - HISTORY_DAYS), until }]),
  );
}
