import type { Tx } from '../../../platform/database/index.ts';
import { unprocessable } from '../../../platform/http/problem.ts';
import type { FieldErrors } from '../../../platform/http/validation.ts';
import { isId, newId } from '../../../platform/ids.ts';
import { currencyDigits, toText } from '../../../platform/money.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { readOrganizationDefaults } from '../../identity/index.ts';
import { MAX_PRICE } from '../schema.ts';
import {
  applyPriceChanges,
  countSelected,
  type PricedSku,
  type PriceFilter,
  type PriceRule,
  previewPriceChanges,
} from '../sql/price-changes.ts';
import type { SkuScope } from '../sql/skus.ts';
import { MAX_CHANGED_SKUS, MAX_SHOWN_ROWS, MAX_UNDO_ROWS, type PriceChangeShape } from './schema.ts';

export type ChangedPrices = {
  applied: boolean;
  total: number;
  rows: Omit<PricedSku, 'price'>[];
  undo: { iv_id: string; price: number | null }[] | null;
};

/** Changes the effective prices of the selected SKUs by a percentage: each gets a price of its own. */
export async function changePrices(
  tx: Tx,
  scope: SkuScope,
  change: PriceChangeShape,
  actor: Actor,
  now: Date,
): Promise<ChangedPrices> {
  const filter = readPriceFilter(change);
  const { currency } = await readOrganizationDefaults(tx, scope.organizationId);
  const rule = priceRule(change, currencyDigits(currency));
  if ((await countSelected(tx, scope, filter, MAX_CHANGED_SKUS + 1)) > MAX_CHANGED_SKUS) throw tooManySkus();
  if (change.dry_run === true) {
    const { rows, total, highest } = await previewPriceChanges(tx, scope, filter, rule, MAX_SHOWN_ROWS);
    if (highest > MAX_PRICE) throw priceTooHigh();
    return { applied: false, total, rows: rows.map(shown), undo: null };
  }
  const changed = await applyPriceChanges(tx, scope, filter, rule, now);
  if (changed.some(({ price_after }) => price_after > MAX_PRICE)) throw priceTooHigh();
  if (changed.length > 0) {
    // One entry for the whole change: an entry per SKU would be up to 20,000 rows that say the same.
    const entry = { action: 'update', resource: 'Products', resourceId: newId(), changedFields: ['price'] };
    await recordAudit(tx, scope.organizationId, actor, [entry], now);
  }
  const inOrder = changed.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  return {
    applied: true,
    total: changed.length,
    rows: inOrder.slice(0, MAX_SHOWN_ROWS).map(shown),
    undo: changed.length > MAX_UNDO_ROWS ? null : inOrder.map(({ sku_iv_id, price }) => ({ iv_id: sku_iv_id, price })),
  };
}

export const tooManySkus = () => unprocessable({ filter: `selects more than ${MAX_CHANGED_SKUS} SKUs` });

export const priceTooHigh = () => unprocessable({ percent: `makes a price higher than ${MAX_PRICE}` });

const keyOf = ({ product_iv_id, branch_iv_id }: PricedSku) => `${product_iv_id}\n${branch_iv_id}`;

function shown({ price, ...row }: PricedSku) {
  return row;
}

function readPriceFilter({ percent, filter }: PriceChangeShape): PriceFilter {
  const errors: FieldErrors = {};
  // 0.1 + 0.2 is not 0.3: compared with a tolerance far below a hundredth.
  if (Math.abs(percent * 100 - Math.round(percent * 100)) > 1e-6) errors.percent = 'must have at most 2 decimals';
  for (const field of ['category_id', 'brand_id'] as const) {
    const id = filter[field];
    if (id !== undefined && !isId(id)) errors[`filter.${field}`] = 'must be an id';
  }
  if (Object.keys(errors).length > 0) throw unprocessable(errors);
  return {
    productIvIds: filter.product_iv_ids,
    branchIvIds: filter.branch_iv_ids,
    categoryId: filter.category_id,
    brandId: filter.brand_id,
  };
}

/** A step is never finer than the currency: 0.05 of a currency without decimals is 1. */
function priceRule({ percent, rounding = 'none' }: PriceChangeShape, digits: number): PriceRule {
  const factor = toText({ units: BigInt(10_000 + Math.round(percent * 100)), scale: 4 });
  const smallest = toText({ units: 1n, scale: digits });
  const step = rounding === 'none' || Number(rounding) < Number(smallest) ? smallest : rounding;
  return { factor, step };
}
