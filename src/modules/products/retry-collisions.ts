import { classifyDatabaseError } from '../../platform/database/index.ts';

/** A hundred clients that fight over one product needed three; beyond this something else is wrong. */
const MAX_ATTEMPTS = 50;

const CONTESTED = new Set(['products_iv_id', 'products_barcode', 'products_brand', 'products_category', 'skus_iv_id']);

/**
 * Runs a transaction again when another one took the same iv_id, barcode or brand from under it. The other has ended
 * by then, so the next run sees what it did and answers item by item. Rejected: one lock for all writers of an
 * organization, which would make writers of different products wait as well.
 */
export async function retryCollisions<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isCollision(error)) throw error;
    }
  }
}

function isCollision(error: unknown): boolean {
  const fault = classifyDatabaseError(error);
  if (fault.kind === 'conflict' || fault.kind === 'missing-reference') return CONTESTED.has(fault.constraint);
  return fault.kind === 'retry';
}
