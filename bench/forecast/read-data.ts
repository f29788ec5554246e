import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** All series of a file lie on the same days, so that an origin is one index for all of them. */
export type Series = {
  skuId: string;
  /** NaN: closed, so nothing is known. */
  quantities: Float64Array;
  unitPrices: Float64Array | undefined;
  promotions: Float64Array | undefined;
  stockoutDays: Uint8Array | undefined;
};

export type DataSet = { name: string; firstDay: number; dayCount: number; series: Series[] };

const DAY_MS = 86_400_000;
/** A shop that stood empty for a third of a day of 16 hours lost sales that cannot be counted. */
const STOCKOUT_HOURS = 6;

export const epochDay = (date: string) => Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
export const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

export async function readDataSets(folder: string): Promise<DataSet[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('_daily.csv')).sort();
  if (files.length === 0) throw new Error(`No *_daily.csv in ${folder}`);
  const sets: DataSet[] = [];
  for (const file of files) {
    const text = await readFile(path.join(folder, file), 'utf8');
    sets.push(readDataSet(file.replace(/_daily\.csv$/, ''), text));
  }
  return sets;
}

/** Plain figures without quotes: columns by name, in any order. */
export function readDataSet(name: string, text: string): DataSet {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const header = (lines[0] ?? '').split(',').map((title) => title.trim());
  const column = (title: string) => header.indexOf(title);
  const [skuColumn, dateColumn, qtyColumn] = [column('sku_id'), column('sale_date'), column('qty')];
  if (skuColumn < 0 || dateColumn < 0 || qtyColumn < 0)
    throw new Error(`${name}: sku_id, sale_date and qty are needed`);
  const [priceColumn, promoColumn, stockoutColumn] = [column('unit_price'), column('promo'), column('stockout_hours')];
  const rows: { sku: string; day: number; cells: string[] }[] = [];
  let [firstDay, lastDay] = [Infinity, -Infinity];
  for (const line of lines.slice(1)) {
    if (line === '') continue;
    const cells = line.split(',');
    const day = epochDay((cells[dateColumn] ?? '').slice(0, 10));
    if (!Number.isFinite(day)) continue;
    firstDay = Math.min(firstDay, day);
    lastDay = Math.max(lastDay, day);
    rows.push({ sku: cells[skuColumn] ?? '', day, cells });
  }
  if (rows.length === 0) throw new Error(`${name}: no rows`);
  const dayCount = lastDay - firstDay + 1;
  const missing = name.startsWith('pasta') ? Number.NaN : 0;
  const bySku = new Map<string, Series>();
  for (const { sku, day, cells } of rows) {
    let series = bySku.get(sku);
    if (series === undefined) {
      series = {
        skuId: sku,
        quantities: new Float64Array(dayCount).fill(missing),
        unitPrices: priceColumn < 0 ? undefined : new Float64Array(dayCount).fill(Number.NaN),
        promotions: promoColumn < 0 ? undefined : new Float64Array(dayCount),
        stockoutDays: stockoutColumn < 0 ? undefined : new Uint8Array(dayCount),
      };
      bySku.set(sku, series);
    }
    const at = day - firstDay;
    series.quantities[at] = Math.max(0, Number(cells[qtyColumn]));
    if (series.unitPrices) series.unitPrices[at] = Number(cells[priceColumn] || Number.NaN);
    if (series.promotions) series.promotions[at] = Number(cells[promoColumn] || 0);
    if (series.stockoutDays) series.stockoutDays[at] = Number(cells[stockoutColumn] || 0) >= STOCKOUT_HOURS ? 1 : 0;
  }
  return { name, firstDay, dayCount, series: [...bySku.values()] };
}
