import type { Schemas } from '@dukkan/sdk';
import { type CsvFault, type CsvRow, readCsv, readText } from './csv.ts';

export const COLUMNS = [
  'iv_id',
  'name_en',
  'name_ar',
  'average_price',
  'vat_value',
  'barcode',
  'brand',
  'category',
  'brand_id',
  'category_id',
  'generic_id',
  'is_enabled',
] as const;
export type ImportColumn = (typeof COLUMNS)[number];

const LONGEST: Partial<Record<ImportColumn, number>> = {
  iv_id: 50,
  name_en: 255,
  name_ar: 255,
  barcode: 50,
  brand_id: 255,
  category_id: 255,
  generic_id: 255,
};
const TRUE = ['true', 'yes', '1', 'نعم'];
const FALSE = ['false', 'no', '0', 'لا'];
const HIGHEST_PRICE = 1e12;
const ROWS_AT_ONCE = 2_000;

export type Wrong =
  | { kind: 'needed' | 'positive'; column: ImportColumn }
  | { kind: 'long'; column: ImportColumn; count: number }
  | { kind: 'number' | 'boolean'; column: ImportColumn; text: string }
  | { kind: 'range'; column: ImportColumn; from: number; to: number }
  | { kind: 'repeated' | 'barcode'; line: number }
  | { kind: 'brand' | 'category'; text: string }
  | { kind: 'cells' };
export type ImportRow = { line: number; cells: string[]; product: Schemas['NewProduct']; wrong: Wrong[] };
export type ImportFile = { name: string; header: string[]; ignored: string[]; rows: ImportRow[] };
export type ImportFault = CsvFault | { kind: 'noCode' } | { kind: 'twice'; name: string };

/** Ids by lower-case name. */
export type GroupIds = { brand: ReadonlyMap<string, string>; category: ReadonlyMap<string, string> };

/** Validates everything that needs no service before anything is sent. */
export async function readProducts(
  file: File,
  groupIds: (needed: { brand: boolean; category: boolean }) => Promise<GroupIds>,
): Promise<ImportFile | ImportFault> {
  const text = readText(await file.arrayBuffer());
  if (typeof text !== 'string') return text;
  const read = await readCsv(text);
  if (!Array.isArray(read)) return read;
  const [first, ...lines] = read;
  if (first === undefined || lines.length === 0) return { kind: 'empty' };
  const header = first.cells.map((name) => name.trim().toLowerCase());
  const known = header.filter((name) => isColumn(name));
  const twice = known.find((name, index) => known.indexOf(name) !== index);
  if (twice !== undefined) return { kind: 'twice', name: twice };
  if (!known.includes('iv_id')) return { kind: 'noCode' };
  const ids = await groupIds({ brand: known.includes('brand'), category: known.includes('category') });
  const seen = { codes: new Map<string, number>(), barcodes: new Map<string, number>() };
  const rows: ImportRow[] = [];
  for (const line of lines) {
    rows.push(readRow(line, header, ids, seen));
    if (rows.length % ROWS_AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return {
    name: file.name,
    header: first.cells,
    ignored: first.cells.filter((_, at) => !isColumn(header[at] ?? '')),
    rows,
  };
}

function readRow(
  { line, cells }: CsvRow,
  header: readonly string[],
  ids: GroupIds,
  seen: { codes: Map<string, number>; barcodes: Map<string, number> },
): ImportRow {
  const product: Schemas['NewProduct'] = { iv_id: '' };
  const wrong: Wrong[] = cells.length > header.length ? [{ kind: 'cells' }] : [];
  for (const [at, name] of header.entries()) {
    const text = cells[at]?.trim() ?? '';
    if (!isColumn(name) || text === '') continue;
    const value = readValue(name, text, ids);
    if ('wrong' in value) wrong.push(value.wrong);
    else Object.assign(product, value.set);
  }
  if (product.iv_id === '') wrong.push({ kind: 'needed', column: 'iv_id' });
  const before = product.iv_id === '' ? undefined : seen.codes.get(product.iv_id);
  if (before !== undefined) wrong.push({ kind: 'repeated', line: before });
  else seen.codes.set(product.iv_id, line);
  const barcode = product.barcode ?? '';
  const holder = barcode === '' ? undefined : seen.barcodes.get(barcode);
  if (holder !== undefined) wrong.push({ kind: 'barcode', line: holder });
  else if (barcode !== '') seen.barcodes.set(barcode, line);
  return { line, cells, product, wrong };
}

function readValue(column: ImportColumn, text: string, ids: GroupIds): { set: object } | { wrong: Wrong } {
  const longest = LONGEST[column];
  if (longest !== undefined && text.length > longest) return { wrong: { kind: 'long', column, count: longest } };
  switch (column) {
    case 'average_price':
    case 'vat_value': {
      // As the service parses numbers: a decimal point, no thousands separator.
      const value = /^-?(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : undefined;
      if (value === undefined) return { wrong: { kind: 'number', column, text } };
      if (column === 'average_price' && (value < 0 || value > HIGHEST_PRICE))
        return { wrong: { kind: 'positive', column } };
      if (column === 'vat_value' && (value < 0 || value > 100))
        return { wrong: { kind: 'range', column, from: 0, to: 100 } };
      return { set: { [column]: value } };
    }
    case 'is_enabled': {
      const word = text.toLowerCase();
      if (!TRUE.includes(word) && !FALSE.includes(word)) return { wrong: { kind: 'boolean', column, text } };
      return { set: { is_enabled: TRUE.includes(word) } };
    }
    case 'brand':
    case 'category': {
      const id = ids[column].get(text.toLowerCase());
      return id === undefined ? { wrong: { kind: column, text } } : { set: { [`${column}_id`]: id } };
    }
    default:
      return { set: { [column]: text } };
  }
}

function isColumn(name: string): name is ImportColumn {
  return (COLUMNS as readonly string[]).includes(name);
}
