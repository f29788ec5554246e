import type { Branch } from '../branches.ts';
import type { MatrixShow } from '../searches.ts';
import type { Product, Shelf, Sku } from './matrix-data.ts';
import type { Edit } from './matrix-edits.ts';

export type MatrixColumn = { id: string; width: number } & (
  | { kind: 'barcode' }
  | { kind: 'base' }
  | { kind: 'branch'; branch: Branch }
);

const BARCODE_WIDTH = 144;
const BASE_WIDTH = 92;
const BRANCH_WIDTH = 106;
const LONGEST_BARCODE = 50;

/** On a phone the branches come first: the columns before them would fill the screen. */
export function columnsOf(branches: readonly Branch[], isNarrow: boolean): MatrixColumn[] {
  const ofProduct: MatrixColumn[] = [
    { id: 'barcode', kind: 'barcode', width: BARCODE_WIDTH },
    { id: 'base', kind: 'base', width: BASE_WIDTH },
  ];
  const ofBranches = branches.map((branch) => ({
    id: branch.iv_id,
    kind: 'branch' as const,
    branch,
    width: BRANCH_WIDTH,
  }));
  return isNarrow ? [...ofBranches, ...ofProduct] : [...ofProduct, ...ofBranches];
}

/** The value of a cell as it is typed. */
export function textIn(column: MatrixColumn, show: MatrixShow, product: Product, shelf: Shelf | undefined): string {
  if (column.kind === 'barcode') return product.barcode;
  if (column.kind === 'base') return String(product.average_price);
  const sku = shelf?.get(column.branch.iv_id);
  if (sku === undefined) return '';
  return show === 'stock' ? String(sku.current_qty) : sku.price === null ? '' : String(sku.price);
}

export type Wrong = 'notANumber' | 'tooSmall' | 'barcodeLong';

/** The edit for a typed text; the key of an error text if it is invalid, undefined if nothing changes. */
export function editOf(
  column: MatrixColumn,
  show: MatrixShow,
  { product, shelf, text }: { product: Product; shelf: Shelf | undefined; text: string },
  readNumber: (text: string) => number | undefined,
): Edit | Wrong | undefined {
  const wanted = text.trim();
  if (wanted === textIn(column, show, product, shelf)) return undefined;
  const whole = { of: 'product' as const, product: product.iv_id, whole: product };
  if (column.kind === 'barcode') {
    if (wanted.length > LONGEST_BARCODE) return 'barcodeLong';
    return { ...whole, before: { barcode: product.barcode }, after: { barcode: wanted } };
  }
  const number = readNumber(wanted);
  if (column.kind === 'base') {
    if (number === undefined) return 'notANumber';
    if (number < 0) return 'tooSmall';
    return { ...whole, before: { average_price: product.average_price }, after: { average_price: number } };
  }
  const sku = shelf?.get(column.branch.iv_id);
  if (sku === undefined) return undefined;
  if (show === 'stock') {
    return number === undefined ? 'notANumber' : skuEdit(column, product, sku, { current_qty: number });
  }
  // Without its own price the branch uses the product's.
  if (wanted === '') return skuEdit(column, product, sku, { price: null });
  if (number === undefined) return 'notANumber';
  return number < 0 ? 'tooSmall' : skuEdit(column, product, sku, { price: number });
}

/** On sale or not in one branch. */
export function saleEdit(column: MatrixColumn, product: Product, shelf: Shelf | undefined): Edit | undefined {
  if (column.kind !== 'branch') return undefined;
  const sku = shelf?.get(column.branch.iv_id);
  return sku === undefined ? undefined : skuEdit(column, product, sku, { is_enabled: !sku.is_enabled });
}

function skuEdit(column: MatrixColumn & { kind: 'branch' }, product: Product, sku: Sku, after: Partial<Sku>): Edit {
  const fields = Object.keys(after) as (keyof Sku)[];
  return {
    of: 'sku',
    ivId: sku.iv_id,
    product: product.iv_id,
    branch: column.branch.iv_id,
    before: Object.fromEntries(fields.map((field) => [field, sku[field]])),
    after,
  };
}
