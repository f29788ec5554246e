import { ensureWeeks, type Sql, type Tx, weekStart } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { recordInstallHealth } from '../apps/index.ts';
import { countHistory, type HistoryRow, insertHistory } from './sql/history.ts';
import type { StagingOutcome } from './staged-payload.ts';
import { STAGING_WEEKS } from './staging-weeks.ts';

/** A call of the past, and what became of it. */
export type PastCall = {
  install: { id: string; app_slug: string };
  headers: Record<string, string>;
  payload: string;
  event: string | null;
  externalOrderId: string | null;
  outcome: StagingOutcome;
  /** Without one of the outcomes it is what the call failed with. */
  error: { code: string; message: string; path: string } | null;
  orderId: string | null;
  attempts: number;
  receivedAt: Date;
  processedAt: Date;
};

const BATCH = 500;
const WEEK_MS = 7 * 86_400_000;

/** The weeks that history goes into. Parts of a table are made in transactions of their own: none may be open. */
export async function prepareHistory(sql: Sql, since: Date, now: Date): Promise<void> {
  for (let week = weekStart(since); week <= now; week = new Date(week.getTime() + WEEK_MS)) {
    await ensureWeeks(sql, STAGING_WEEKS, week);
  }
}

/** Takes in calls that were read elsewhere and earlier, as the record that they are. Nothing is read, and nothing waits. */
export async function stageHistory(tx: Tx, organizationId: string, calls: readonly PastCall[]): Promise<void> {
  const rows = calls.map((call) => toRow(organizationId, call));
  for (let from = 0; from < rows.length; from += BATCH) await insertHistory(tx, rows.slice(from, from + BATCH));
  const failed = rows.filter(({ status }) => status === 'failed').length;
  await countHistory(tx, { processed: rows.length - failed, failed });
  await noteHowInstallsFared(tx, organizationId, rows);
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
    error_code: error?.code ?? null,
    error_message: error?.message ?? null,
    error_path: error?.path ?? null,
    order_id: orderId,
    received_at: receivedAt,
    processed_at: processedAt,
  };
}

async function noteHowInstallsFared(tx: Tx, organizationId: string, rows: readonly HistoryRow[]): Promise<void> {
  const inOrder = rows.toSorted((one, other) => one.received_at.getTime() - other.received_at.getTime());
  for (const [id, own] of Map.groupBy(inOrder, (row) => row.organization_app_id)) {
    const lastSuccess = own.findLastIndex(({ status }) => status === 'processed');
    const at = own[lastSuccess]?.processed_at ?? own.at(-1)?.received_at ?? new Date(0);
    const failed = own.length - 1 - lastSuccess;
    await recordInstallHealth(tx, [{ organizationId, id, failed, hasSucceeded: lastSuccess >= 0 }], at);
  }
}
