import { preconditionFailed } from '../../platform/http/preconditions.ts';
import { conflict, notFound, type Problem, unprocessable } from '../../platform/http/problem.ts';
import type { Outcome, Refusal } from './plan-writes.ts';
import type { Product, ProductShape } from './product.ts';

const REFERENCE_NAMES: Record<string, string> = { brand_id: 'Brand', category_id: 'Category' };

export function productNotFound(ivId: string): Problem {
  return notFound('Product not found', { iv_id: ivId });
}

export function imageNotFound(id: string): Problem {
  return notFound('Image not found', { id });
}

/** The product of a single write; a refusal is thrown as its error. */
export function getProduct(
  outcome: Outcome | undefined,
  ivId: string,
  shape: (product: Product) => ProductShape,
): Product {
  if (outcome !== undefined && 'product' in outcome) return outcome.product;
  if (outcome === undefined) throw new Error('an item came back without an outcome');
  throw toProblem(outcome.refusal, ivId, shape);
}

function toProblem(refusal: Refusal, ivId: string, shape: (product: Product) => ProductShape): Problem {
  switch (refusal.kind) {
    case 'unknown-reference':
      return unprocessable(refusal.fields);
    case 'missing':
      return productNotFound(ivId);
    case 'changed':
      return preconditionFailed(shape(refusal.current));
    case 'barcode':
      return conflict('Duplicate barcode', { barcode: refusal.barcode });
    case 'clash':
      return conflict('SKU iv_id already exists', { iv_id: ivId, sku_iv_id: refusal.skuIvId });
    case 'taken':
    case 'repeated':
      return conflict('Product iv_id already exists', { iv_id: ivId });
  }
}

/** The same refusal as the message of one item in a batch. */
export function inWords(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'unknown-reference':
      return Object.keys(refusal.fields)
        .map((field) => `${REFERENCE_NAMES[field] ?? field} does not exist`)
        .join('; ');
    case 'missing':
      return 'Product not found';
    case 'changed':
      return 'Precondition failed';
    case 'barcode':
      return 'Duplicate barcode';
    case 'clash':
      return `SKU iv_id already exists: ${refusal.skuIvId}`;
    case 'taken':
      return 'Product iv_id already exists';
    case 'repeated':
      return 'Duplicate iv_id in this request';
  }
}

export function fieldsAtFault(refusal: Refusal): string[] {
  switch (refusal.kind) {
    case 'unknown-reference':
      return Object.keys(refusal.fields);
    case 'barcode':
      return ['barcode'];
    default:
      return ['iv_id'];
  }
}
