import { useState } from 'react';
import { useApi } from '../../../platform/index.ts';
import type { LineValues } from './values.ts';

/** Moves the lines of a new order to another branch, at the prices of that branch. `missing` are products that it does not sell. */
export function useBranchPrices(current: readonly LineValues[]) {
  const api = useApi();
  const [missing, setMissing] = useState<readonly string[]>([]);
  async function moveTo(branchIvId: string, lines: readonly LineValues[]): Promise<LineValues[]> {
    const moved = await Promise.all(
      lines.map(async (line) => {
        const ivId = `${line.stored.product_id}_${branchIvId}`;
        const sku = await api.call('getSku', { path: { ivId } }).catch(() => undefined);
        if (sku === undefined || !sku.is_enabled) return { line, isMissing: true };
        const stored = { ...line.stored, sku_id: sku.iv_id };
        return { line: { ...line, stored, price: String(sku.effective_price) }, isMissing: false };
      }),
    );
    setMissing(moved.filter((one) => one.isMissing).map(({ line }) => line.stored.product_id));
    return moved.map(({ line }) => line);
  }
  const isPresent = (productId: string) => current.some(({ stored }) => stored.product_id === productId);
  return { moveTo, missing: missing.filter(isPresent) };
}
