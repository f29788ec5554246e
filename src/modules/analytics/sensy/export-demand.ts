import { stringify } from 'csv-stringify/sync';
import type { Sql } from '../../../platform/database/index.ts';
import { DEMAND_COLUMNS, guarded } from '../demand-upload/demand-columns.ts';
import { type ExportedDay, listExportedDays, listSkusWithDemand } from '../sql/demand-days.ts';

const SKUS_A_LOOK = 500;
/** A SKU of ten years has 3,650 rows of some 90 bytes. */
const SKUS_A_READ = 10;

// By itself the writer quotes its own line end only, and some readers begin a row after any of these.
const LINE_ENDS = /[\r\n\v\f\u0085\u2028\u2029]/;

/** The header alone: to be filled in and uploaded. Without a byte order mark: ids, days, numbers and English names need none. */
export function writeTemplate(): string {
  return write([[...DEMAND_COLUMNS]]);
}

/**
 * Every day of demand up to yesterday, as an upload takes it back: what was uploaded, and the service's own sales of the
 * other days. Today is left out, since uploaded again it would stand in place of what is still to be sold. Read while the
 * client reads, a few SKUs at a time and without a transaction.
 */
export async function* exportDemand(
  sql: Sql,
  whose: { organizationId: string; branchId: string | null },
  { today }: { today: string },
): AsyncGenerator<string> {
  yield writeTemplate();
  let after = '';
  for (;;) {
    const skus = await listSkusWithDemand(sql.expensive, whose, { after, limit: SKUS_A_LOOK });
    for (let at = 0; at < skus.length; at += SKUS_A_READ) {
      const rows = await listExportedDays(sql, whose, skus.slice(at, at + SKUS_A_READ), { before: today });
      if (rows.length > 0) yield write(rows.map(cellsOf));
    }
    if (skus.length < SKUS_A_LOOK) return;
    after = skus.at(-1) ?? '';
  }
}

function cellsOf(row: ExportedDay): (string | null)[] {
  return [
    guarded(row.sku_id),
    guarded(row.product_name_en),
    row.sale_date,
    row.qty,
    row.unit_price,
    row.current_qty,
    row.reorder_threshold,
    row.buffer,
  ];
}

function write(rows: (string | null)[][]): string {
  return stringify(rows, { record_delimiter: 'windows', quoted_match: LINE_ENDS });
}
