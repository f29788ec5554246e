import { alignColumns } from './format-text.ts';

export type ProductColumn = {
  name: string;
  /** For the help: what belongs there. */
  meaning: string;
  required?: true;
  /** Nothing when the cell cannot be read so. */
  read: (cell: string) => unknown;
  /** What a cell has to look like, for the row whose cell does not. */
  form: string;
  /** The cells of the template's two rows. */
  examples: readonly [string, string];
};

const asText = (cell: string) => cell;
const TEXT = { read: asText, form: 'text' };
const NUMBER = { read: asNumber, form: 'a number with a point for decimals such as 18.95' };

/** In the order of the template. Limits are those of the bulk route, which checks every row. */
export const PRODUCT_COLUMNS: readonly ProductColumn[] = [
  {
    name: 'iv_id',
    meaning: 'your own id of the product, 1 to 50 characters',
    required: true,
    ...TEXT,
    examples: ['PAN-EXTRA-24', 'MILK-FULL-1L'],
  },
  {
    name: 'name_en',
    meaning: 'English name, up to 255 characters',
    ...TEXT,
    examples: ['Panadol Extra, 24 tablets', 'Full cream milk 1 l'],
  },
  {
    name: 'name_ar',
    meaning: 'Arabic name, up to 255 characters',
    ...TEXT,
    examples: ['بنادول إكسترا 24 قرص', 'حليب كامل الدسم 1 لتر'],
  },
  {
    name: 'average_price',
    meaning: 'price of its SKUs unless they have their own: 18.95',
    ...NUMBER,
    examples: ['18.95', '6.50'],
  },
  { name: 'vat_value', meaning: 'VAT in percent, 0 to 100', ...NUMBER, examples: ['0', '15'] },
  {
    name: 'barcode',
    meaning: 'up to 50 characters, of one product only',
    ...TEXT,
    examples: ['6281086010242', '6281007021345'],
  },
  { name: 'brand_id', meaning: 'id of a brand that exists', ...TEXT, examples: ['', ''] },
  { name: 'category_id', meaning: 'id of a category that exists', ...TEXT, examples: ['', ''] },
  {
    name: 'generic_id',
    meaning: 'the generic medicine it is a brand of',
    ...TEXT,
    examples: ['paracetamol-caffeine', ''],
  },
  {
    name: 'is_enabled',
    meaning: 'true, yes, 1 or false, no, 0; true for a new product unless given',
    read: asBoolean,
    form: 'one of true yes 1 false no 0',
    examples: ['true', 'true'],
  },
];

export function describeColumns(): string {
  return alignColumns(
    PRODUCT_COLUMNS.map(({ name, meaning, required }) => [`  ${name}`, required ? `${meaning} (required)` : meaning]),
  );
}

/** A file that can be filled in, and imported as it is. */
export function writeTemplate(): string {
  const rows = [0, 1].map((row) => PRODUCT_COLUMNS.map(({ examples }) => quoted(examples[row] ?? '')));
  return [PRODUCT_COLUMNS.map(({ name }) => name), ...rows].map((cells) => `${cells.join(',')}\n`).join('');
}

function quoted(cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function asNumber(cell: string): number | undefined {
  return /^[+-]?\d+(\.\d+)?$/.test(cell) ? Number(cell) : undefined;
}

function asBoolean(cell: string): boolean | undefined {
  if (/^(true|yes|1)$/i.test(cell)) return true;
  return /^(false|no|0)$/i.test(cell) ? false : undefined;
}
