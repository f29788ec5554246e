import { ensureWeeks, type Sql, type Tx, weekStart } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { recordInstallHealth } from '../apps/index.ts';
import { healthAfter } from './settle-payloads.ts';
import { errorColumns } from './sql/error-columns.ts';
import { countHistory, type HistoryRow, insertHistory } from './sql/history.ts';
import type { PayloadError, StagingOutcome } from './staged-payload.ts';
import { STAGING_WEEKS } from './staging-weeks.ts';

/** A call of the past and what became of it. */
export type PastCall = {
  install: { id: string; app_slug: string };
  headers: Record<string, string>;
  payload: string;
  event: string | null;
  externalOrderId: string | null;
  outcome: StagingOutcome;
  /** With an empty outcome: why the call failed. */
  error: PayloadError | null;
  orderId: string | null;
  attempts: number;
  receivedAt: Date;
  processedAt: Date;
};

const BATCH = 500;
const WEEK_MS = 7 * 86_400_000;

/** Creates the weekly partitions of the history, each in a transaction of its own: call it with no transaction open. */
export async function prepareHistory(sql: Sql, since: Date, now: Date): Promise<void> {
  for (let week = weekStart(since); week <= now; week = new Date(week.getTime() + WEEK_MS)) {
    await ensureWeeks(sql, STAGING_WEEKS, week);
  }
}

/** Stores calls that were processed elsewhere, as records. Nothing is read and nothing is queued. */
export async function stageHistory(tx: Tx, organizationId: string, calls: readonly PastCall[]): Promise<void> {
  const rows = calls.map((call) => toRow(organizationId, call));
  for (let from = 0; from < rows.length; from += BATCH) await insertHistory(tx, rows.slice(from, from + BATCH));
  const failed = rows.filter(({ status }) => status === 'failed').length;
  await countHistory(tx, { processed: rows.length - failed, failed });
  await recordHistoryHealth(tx, organizationId, rows);
}

function toRow(organizationId: string, call: PastCall): HistoryRow {
  const { install, externalOrderId, outcome, error, orderId, receivedAt, processedAt, ...rest } = call;
  return {
    ...rest,
    organization_id: organizationId,
    organization_app_id: install.id,
    id: newId(),
    app_slug: install.app_slug,
    external_order_id: externalOrderId,
    status: outcome === '' ? 'failed' : 'processed',
    outcome,
    ...errorColumns(error),
    order_id: orderId,
    received_at: receivedAt,
    processed_at: processedAt,
  };
}

async function recordHistoryHealth(tx: Tx, organizationId: string, rows: readonly HistoryRow[]): Promise<void> {
  const inOrder = rows.toSorted((one, other) => one.received_at.getTime() - other.received_at.getTime());
  for (const [id, own] of Map.groupBy(inOrder, (row) => row.organization_app_id)) {
    const lastSuccess = own.findLastIndex(({ status }) => status === 'processed');
    const at = own[lastSuccess]?.processed_at ?? own.at(-1)?.received_at ?? new Date(0);
    await recordInstallHealth(tx, [{ organizationId, id, ...healthAfter(own) }], at);
  }
}
