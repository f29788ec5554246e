import type { Clock } from '../../../platform/clock.ts';
import { openCsv, UnreadableFile } from '../../../platform/csv/index.ts';
import { inTransaction, type Sql } from '../../../platform/database/index.ts';
import { conflict, Problem, tooLarge, unprocessable } from '../../../platform/http/problem.ts';
import { localDay } from '../../../platform/local-day.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { readTimeZones } from '../../identity/index.ts';
import type { TrackedContext } from '../../jobs/index.ts';
import { changeSkus } from '../../skus/index.ts';
import { countDemandDays, listKnownSkus, saveDemandDays } from '../sql/demand-days.ts';
import { deleteUpload, findPiece, findUpload, settleUpload, type UploadKey } from '../sql/demand-uploads.ts';
import { noteChange } from '../sql/forecast-states.ts';
import { createDemandCollector, type DemandCollector, MAX_UPLOAD_ROWS, type ReportedFault } from './collect-demand.ts';
import { type DemandRow, type ParseRules, readDemandHeader, readDemandRow } from './demand-columns.ts';

export const UPLOAD_JOB = 'upload-demand';
/** Of one organization: fourteen years of a thousand SKUs. */
export const MAX_DEMAND_DAYS = 5_000_000;
const ROWS_A_LOOK = 1_000;
const ROWS_A_WRITE = 5_000;
const SKUS_A_WRITE = 1_000;

export type UploadInput = { upload_id: string; lines: number; actor: Actor };
export type UploadResult = {
  rows: number;
  saved: number;
  replaced: number;
  failed: number;
  skus: number;
  ignored_columns: string[];
  errors: ReportedFault[];
  errors_left_off: number;
};

/**
 * Reads the file, then saves its valid rows in one transaction together with the result: a run that crashes leaves nothing,
 * and a repetition after the commit finds the result. Invalid rows are reported and do not affect the others.
 */
export async function runUpload(
  { sql, clock, maxRows = MAX_UPLOAD_ROWS }: { sql: Sql; clock: Clock; maxRows?: number },
  { upload_id: id, lines, actor }: UploadInput,
  { organizationId, jobId, progress, signal }: TrackedContext,
): Promise<UploadResult> {
  const key = { organizationId, id };
  const found = await findUpload<UploadResult>(sql, key);
  if (found === undefined) throw conflict('Upload not found', { upload_id: id });
  if (found.result !== null) return found.result;
  try {
    const { demand, rows, ignored } = await readUpload(sql, clock, { ...key, lines, maxRows, progress, signal });
    refuseUnusable(demand, rows, ignored);
    return await inTransaction(sql, async (tx) => {
      const now = clock.now();
      const days = demand.days();
      let replaced = 0;
      for (let at = 0; at < days.skus.length; at += ROWS_A_WRITE) {
        signal.throwIfAborted();
        const slice = <T>(column: readonly T[]) => column.slice(at, at + ROWS_A_WRITE);
        const batch = {
          skus: slice(days.skus),
          days: slice(days.days),
          quantities: slice(days.quantities),
          prices: slice(days.prices),
        };
        replaced += await saveDemandDays(tx, organizationId, batch, now);
      }
      if ((await countDemandDays(tx, organizationId)) > MAX_DEMAND_DAYS) throw tooManyDays();
      const changes = demand.stockChanges();
      const scope = { organizationId, onlyBranchId: null };
      for (let at = 0; at < changes.length; at += SKUS_A_WRITE) {
        await changeSkus(tx, scope, changes.slice(at, at + SKUS_A_WRITE), actor, now);
      }
      const { failed, reported } = demand.faults();
      const result: UploadResult = {
        rows,
        saved: rows - failed,
        replaced,
        failed,
        skus: demand.skuCount(),
        ignored_columns: ignored,
        errors: reported,
        errors_left_off: failed - reported.length,
      };
      await settleUpload(tx, key, result);
      if (days.skus.length > 0) {
        await noteChange(tx, organizationId);
        const entry = {
          action: 'import',
          resource: 'Analytics',
          resourceId: jobId,
          changedFields: ['qty', 'unit_price'],
        };
        await recordAudit(tx, organizationId, actor, [entry], now);
      }
      return result;
    });
  } catch (error) {
    // The result is final, so the bytes of the file are no longer needed.
    if (error instanceof Problem) await deleteUpload(sql, key);
    throw error;
  }
}

/** A file that changes nothing has failed: a client that checks only the status must notice. */
function refuseUnusable(demand: DemandCollector, rows: number, ignored: string[]): void {
  if (rows === 0) throw unprocessable({ file: 'has no rows' });
  const { failed, reported } = demand.faults();
  if (failed < rows) return;
  throw unprocessable({
    rows,
    failed,
    ignored_columns: ignored,
    errors: reported,
    errors_left_off: failed - reported.length,
  });
}

export function tooManyDays(): Problem {
  return conflict('Too many days of demand', { limit: MAX_DEMAND_DAYS });
}

type UploadRun = UploadKey & Pick<TrackedContext, 'progress' | 'signal'> & { lines: number; maxRows: number };

async function readUpload(
  sql: Sql,
  clock: Clock,
  run: UploadRun,
): Promise<{ demand: DemandCollector; rows: number; ignored: string[] }> {
  const { organizationId, lines: expected, maxRows, progress, signal } = run;
  const [timeZone = 'UTC'] = (await readTimeZones(sql, [organizationId])).values();
  const demand = createDemandCollector();
  const known = createKnownSkus(sql, organizationId);
  let rows = 0;
  try {
    const { delimiter, lines } = await openCsv(piecesOf(sql, run));
    const rules: ParseRules = { delimiter, today: localDay(clock.now(), timeZone) };
    const first = await lines.next();
    const header = first.done ? { errors: { file: 'is empty' } } : readDemandHeader(first.value.cells);
    if ('errors' in header) throw unprocessable(header.errors);
    let looked: { line: number; row: DemandRow }[] = [];
    const look = async () => {
      signal.throwIfAborted();
      await known.learn(looked.map(({ row }) => row.sku));
      for (const { line, row } of looked) {
        if (known.has(row.sku)) demand.add(row);
        else demand.fail(line, { column: 'sku_id', message: 'SKU not found' });
      }
      looked = [];
      await progress(rows, Math.max(rows, expected));
    };
    for await (const { cells, line } of lines) {
      // What a spreadsheet leaves below the last row: nothing but delimiters.
      if (!cells.some((cell) => cell.trim() !== '')) continue;
      rows += 1;
      if (rows > maxRows) throw tooLarge({ file: `at most ${maxRows} rows` });
      const row = readDemandRow(header, cells, rules);
      if ('sku' in row) looked.push({ line, row });
      else demand.fail(line, row);
      if (rows % ROWS_A_LOOK === 0) await look();
    }
    await look();
    await progress(rows, rows);
    return { demand, rows, ignored: header.ignored.slice(0, 50) };
  } catch (error) {
    throw error instanceof UnreadableFile ? unprocessable({ file: error.message }) : error;
  }
}

async function* piecesOf(sql: Sql, key: UploadKey): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const piece = await findPiece(sql, key, number);
    if (piece === undefined) return;
    yield piece;
  }
}

/** Each SKU is asked for once, a thousand rows' worth at a time. */
function createKnownSkus(sql: Sql, organizationId: string) {
  const asked = new Map<string, boolean>();
  return {
    async learn(skus: string[]): Promise<void> {
      const unknown = [...new Set(skus.filter((sku) => !asked.has(sku)))];
      if (unknown.length === 0) return;
      for (const sku of unknown) asked.set(sku, false);
      for (const sku of await listKnownSkus(sql, organizationId, unknown)) asked.set(sku, true);
    },
    has: (sku: string) => asked.get(sku) === true,
  };
}
