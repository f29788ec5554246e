import { type CsvCell, writeCsv } from '../../../platform/csv/index.ts';
import type { Sql } from '../../../platform/database/index.ts';
import { DEMAND_COLUMNS } from '../demand-upload/demand-columns.ts';
import { type ExportedDay, listExportedDays, listSkusWithDemand } from '../sql/demand-days.ts';

const SKUS_A_LOOK = 500;
/** A SKU of ten years has 3,650 rows of some 90 bytes. */
const SKUS_A_READ = 10;

/** The header alone: to be filled in and uploaded. Without a byte order mark: ids, days, numbers and English names need none. */
export function writeTemplate(): string {
  return writeCsv([[...DEMAND_COLUMNS]]);
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
      if (rows.length > 0) yield writeCsv(rows.map(cellsOf));
    }
    if (skus.length < SKUS_A_LOOK) return;
    after = skus.at(-1) ?? '';
  }
}

function cellsOf(row: ExportedDay): CsvCell[] {
  return [
    row.sku_id,
    row.product_name_en,
    row.sale_date,
    { decimal: row.qty },
    { decimal: row.unit_price },
    { decimal: row.current_qty },
    { decimal: row.reorder_threshold },
    { decimal: row.buffer },
  ];
}
