import type { DemandDays } from '../sql/demand-days.ts';
import type { DemandRow, RowFault } from './demand-columns.ts';

export const MAX_UPLOAD_ROWS = 200_000;
/** At most this many invalid rows are reported one by one; the rest are counted. */
export const MAX_REPORTED_FAULTS = 1_000;

export type ReportedFault = { line: number; column: string | null; message: string };
export type StockChange = { iv_id: string } & DemandRow['stock'];

/**
 * Collects the rows of a file by column: 200,000 rows take some tens of megabytes as arrays of short texts, a few times
 * that as objects. When a SKU and day occur twice, the later row wins.
 */
export function createDemandCollector() {
  const days: DemandDays = { skus: [], days: [], quantities: [], prices: [] };
  const places = new Map<string, number>();
  const stock = new Map<string, { day: string; change: DemandRow['stock'] }>();
  const faults: ReportedFault[] = [];
  let failed = 0;

  return {
    add({ sku, day, qty, price, stock: change }: DemandRow): void {
      const key = `${day}${sku}`;
      const place = places.get(key) ?? days.skus.length;
      places.set(key, place);
      days.skus[place] = sku;
      days.days[place] = day;
      days.quantities[place] = qty;
      days.prices[place] = price;
      if (Object.keys(change).length === 0) return;
      // Stock as of the latest day in the file.
      const before = stock.get(sku);
      if (before === undefined || before.day <= day) stock.set(sku, { day, change });
    },
    fail(line: number, { column, message }: RowFault): void {
      failed += 1;
      if (faults.length < MAX_REPORTED_FAULTS) faults.push({ line, column, message });
    },
    days: () => days,
    stockChanges: (): StockChange[] => Array.from(stock, ([iv_id, { change }]) => ({ iv_id, ...change })),
    skuCount: () => new Set(days.skus).size,
    /** By line: an unknown SKU is found after the cells of later lines were read. */
    faults: () => ({ failed, reported: faults.toSorted((one, other) => one.line - other.line) }),
  };
}

export type DemandCollector = ReturnType<typeof createDemandCollector>;
