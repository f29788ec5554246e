import { randomUUID } from 'node:crypto';
import type { RequestMaker } from '../load/plan.ts';

export type TillParams = { token: string; branchIvId: string; skuIvIds: string[] };

/** Sales of one article each, of the given ones in turn. */
export const tillSales: RequestMaker<TillParams> = ({ token, branchIvId, skuIvIds }) => {
  let made = 0;
  return () => {
    made += 1;
    return {
      path: '/api/v1/till/orders',
      headers: { Authorization: `Bearer ${token}`, 'Idempotency-Key': randomUUID() },
      body: {
        branch_iv_id: branchIvId,
        payment_method: 'cash',
        lines: [{ sku_iv_id: skuIvIds[made % skuIvIds.length], quantity: 1 }],
      },
    };
  };
};
