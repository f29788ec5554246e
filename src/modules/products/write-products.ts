import { recordChange, type Tx } from '../../platform/database/index.ts';
import { isId, newId } from '../../platform/ids.ts';
import { type AuditEntry, type Author, recordAudit, updateEntries } from '../audit/index.ts';
import { findProductClashes, generateForProducts, lockMatrixForProducts } from '../skus/index.ts';
import { type Item, type Known, type Mode, type Outcome, type Plan, planWrites } from './plan-writes.ts';
import { NAMES } from './product.ts';
import { findBarcodeHolders, findByIvIds, findReferences, lockByIvIds } from './sql/read.ts';
import { insertProducts, releaseBarcodes, updateProducts } from './sql/write.ts';

export const PRODUCTS_LIST = 'products';

/**
 * Writes products, one or a thousand: every write of the module but deleting goes through here. The number of
 * statements does not depend on the number of items. A concurrent writer of the same iv_id or barcode
 * makes one of the two fail as a whole, so callers run it through `retryCollisions`.
 */
export async function writeProducts(
  tx: Tx,
  organizationId: string,
  mode: Mode,
  items: readonly Item[],
  author: Author,
  now: Date,
): Promise<Outcome[]> {
  if (items.length === 0) return [];
  if (mode !== 'update') await lockMatrixForProducts(tx, organizationId);
  const known = await readKnown(tx, organizationId, mode, items);
  const plan = await settleClashes(tx, organizationId, (clashes) =>
    planWrites(mode, items, known, clashes, { newId, now }),
  );
  await store(tx, organizationId, plan, now);
  await recordAudit(tx, organizationId, author, entriesOf(plan), now);
  return plan.outcomes;
}

/** Sent together; the connection runs them in this order, so the second sees what waiting for the locks let through. */
async function readKnown(tx: Tx, organizationId: string, mode: Mode, items: readonly Item[]): Promise<Known> {
  const ivIds = distinct(items.map((item) => item.ivId));
  const [products, holders, references] = await Promise.all([
    // Creating changes no row that is there already.
    mode === 'create' ? findByIvIds(tx, organizationId, ivIds) : lockByIvIds(tx, organizationId, ivIds),
    findBarcodeHolders(tx, organizationId, distinct(items.map((item) => item.fields.barcode)).filter(Boolean)),
    findReferences(tx, organizationId, {
      brandIds: distinct(items.map((item) => item.fields.brand_id)).filter(isId),
      categoryIds: distinct(items.map((item) => item.fields.category_id)).filter(isId),
    }),
  ]);
  const idsOf = (kind: string) => new Set(references.filter((one) => one.kind === kind).map((one) => one.id));
  return {
    products,
    barcodes: new Map(holders.map((holder) => [holder.barcode, holder.iv_id])),
    brandIds: idsOf('brand'),
    categoryIds: idsOf('category'),
  };
}

function distinct<T>(values: readonly (T | null | undefined)[]): T[] {
  return [...new Set(values)].filter((value) => value !== null && value !== undefined);
}

/**
 * Plans until no product that would be created spells the SKU iv_id of another pair. One question settles it, unless a
 * product refused for this leaves its barcode to a later item, which then gets in and has to be asked about as well:
 * of the answers only the first is certain in that case.
 */
async function settleClashes(
  tx: Tx,
  organizationId: string,
  plan: (clashes: ReadonlyMap<string, string>) => Plan,
): Promise<Plan> {
  const certain = new Map<string, string>();
  for (;;) {
    const planned = plan(certain);
    const candidates = new Set(planned.created.map((product) => product.iv_id));
    const [first, ...others] = candidates.size > 0 ? await findProductClashes(tx, organizationId, [...candidates]) : [];
    if (first === undefined) return planned;
    certain.set(first.newIvId, first.skuIvId);
    const rest = plan(new Map([...certain, ...others.map((clash) => [clash.newIvId, clash.skuIvId] as const)]));
    if (rest.created.every((product) => candidates.has(product.iv_id))) return rest;
  }
}

async function store(tx: Tx, organizationId: string, plan: Plan, now: Date): Promise<void> {
  const { created, changed } = plan;
  if (created.length === 0 && changed.length === 0) return;
  const leaving = findBarcodesInTheWay(plan);
  if (leaving.length > 0) await releaseBarcodes(tx, organizationId, leaving);
  if (created.length > 0) await insertProducts(tx, organizationId, created, now);
  if (changed.length > 0) {
    const rows = changed.map(({ after }) => after);
    await updateProducts(tx, organizationId, rows);
  }
  await recordChange(tx, organizationId, PRODUCTS_LIST, created.length);
  if (created.length > 0) {
    const ids = created.map((product) => product.id);
    await generateForProducts(tx, organizationId, ids, now);
  }
}

function entriesOf({ created, changed }: Plan): AuditEntry[] {
  return [
    ...created.map(({ id }) => ({ action: 'create', resource: 'Products', resourceId: id })),
    ...updateEntries(
      'Products',
      NAMES,
      changed.map(({ before, after }) => ({ id: before.id, before, after })),
    ),
  ];
}

/** The index checks row by row: a barcode that moves from one product of the batch to another must leave first. */
function findBarcodesInTheWay({ created, changed }: Plan): string[] {
  const leaving = new Map(
    changed
      .filter(({ before, after }) => before.barcode !== '' && before.barcode !== after.barcode)
      .map(({ before }) => [before.barcode, before.id]),
  );
  const wanted = [...created, ...changed.map(({ after }) => after)].map((product) => leaving.get(product.barcode));
  return distinct(wanted);
}
