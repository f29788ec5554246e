import { withoutFormulaGuard } from '../../../platform/csv/index.ts';
import { isStorableText } from '../../../platform/http/json-body.ts';
import { findClosestWord } from '../../../platform/text/closest-word.ts';

/** The template's columns, in its order. */
export const DEMAND_COLUMNS = [
  'sku_id',
  'product_name_en',
  'sale_date',
  'qty',
  'unit_price',
  'current_qty',
  'reorder_threshold',
  'buffer',
] as const;
export type DemandColumn = (typeof DEMAND_COLUMNS)[number];

const REQUIRED: readonly DemandColumn[] = ['sku_id', 'sale_date', 'qty'];
/** Earlier dates are mistyped years. */
export const FIRST_DEMAND_DAY = '2000-01-01';
const MAX_SKU_ID_CHARACTERS = 101;
const MAX_ECHOED_CHARACTERS = 50;

/** Where each column is in a row. */
export type DemandHeader = { places: Map<DemandColumn, number>; cells: number; ignored: string[] };

/** By column; `product_name_en` is for human readers of the file and is ignored. */
export type DemandRow = {
  sku: string;
  day: string;
  qty: string;
  price: string | null;
  stock: { current_qty?: number; reorder_threshold?: number; buffer?: number };
};
export type RowFault = { column: DemandColumn | null; message: string };

/** Errors of a header by column; empty when it is valid. */
export function readDemandHeader(cells: readonly string[]): DemandHeader | { errors: Record<string, string> } {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const places = new Map<DemandColumn, number>();
  const ignored: string[] = [];
  const errors: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const column = DEMAND_COLUMNS.find((known) => known === name);
    if (column === undefined) ignored.push(name || `(column ${index + 1}, no name)`);
    else if (places.has(column)) errors[column] = 'this column comes twice';
    else places.set(column, index);
  }
  for (const column of REQUIRED) {
    if (!places.has(column)) errors[column] = `this column is missing${meantBy(column, ignored)}`;
  }
  return Object.keys(errors).length > 0 ? { errors } : { places, cells: names.length, ignored };
}

function meantBy(column: string, ignored: readonly string[]): string {
  const closest = findClosestWord(column, ignored);
  return closest === undefined ? '' : `: is it the one called ${closest.slice(0, MAX_ECHOED_CHARACTERS)}?`;
}

export type ParseRules = { delimiter: ',' | ';'; today: string };

export function readDemandRow(
  header: DemandHeader,
  cells: readonly string[],
  { delimiter, today }: ParseRules,
): DemandRow | RowFault {
  if (cells.length !== header.cells) {
    return { column: null, message: `${cells.length} cells, where the header names ${header.cells}` };
  }
  const cellOf = (column: DemandColumn) => cells[header.places.get(column) ?? -1]?.trim() ?? '';

  const sku = withoutFormulaGuard(cellOf('sku_id'));
  if (sku === '') return { column: 'sku_id', message: 'is required' };
  if (!isStorableText(sku) || sku.length > MAX_SKU_ID_CHARACTERS) return { column: 'sku_id', message: 'SKU not found' };

  const day = latinDigits(cellOf('sale_date'));
  if (day === '') return { column: 'sale_date', message: 'is required' };
  if (!isDay(day)) return wrong('sale_date', day, 'a day as 2026-11-15');
  if (day > today) return { column: 'sale_date', message: `is after today, ${today}` };
  if (day < FIRST_DEMAND_DAY) return { column: 'sale_date', message: `is before ${FIRST_DEMAND_DAY}` };

  const numbers: Partial<Record<DemandColumn, string>> = {};
  for (const column of ['qty', 'unit_price', 'current_qty', 'reorder_threshold', 'buffer'] as const) {
    const cell = cellOf(column);
    if (cell === '') continue;
    const number = readDecimal(cell, delimiter);
    if (number === undefined) return wrong(column, cell, 'a number as 12 or 12.5');
    // Only stock may be negative: more was sold than was counted.
    if (number.startsWith('-') && column !== 'current_qty') return { column, message: 'must not be negative' };
    numbers[column] = number;
  }
  if (numbers.qty === undefined) return { column: 'qty', message: 'is required' };
  const stock: DemandRow['stock'] = {};
  for (const column of ['current_qty', 'reorder_threshold', 'buffer'] as const) {
    if (numbers[column] !== undefined) stock[column] = Number(numbers[column]);
  }
  return { sku, day, qty: numbers.qty, price: numbers.unit_price ?? null, stock };
}

function wrong(column: DemandColumn, cell: string, form: string): RowFault {
  return { column, message: `cannot be read: ${cell.slice(0, MAX_ECHOED_CHARACTERS)} (it takes ${form})` };
}

const DECIMAL = /^-?\d{1,12}(?:\.\d{1,9})?$/;

/** Decimal text. In files separated by semicolons, a decimal comma is accepted. */
function readDecimal(cell: string, delimiter: ',' | ';'): string | undefined {
  const latin = latinDigits(cell).replace('٫', '.');
  const text = delimiter === ';' ? latin.replace(',', '.') : latin;
  if (!DECIMAL.test(text)) return undefined;
  return Number(text) === 0 ? '0' : text;
}

/** As an Arabic keyboard writes them. */
function latinDigits(text: string): string {
  return text
    .replaceAll(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replaceAll(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0));
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
