import type { RequestMaker } from '../load/plan.ts';
import { newOrderBody } from '../orders/fill.ts';

/** One order after the other, of one tenant after the other. */
export const ordersOfTenants: RequestMaker<{ tokens: string[] }> = ({ tokens }) => {
  let made = 0;
  return () => {
    made += 1;
    return {
      path: '/api/v1/orders',
      headers: { Authorization: `Bearer ${tokens[made % tokens.length]}` },
      body: newOrderBody(),
    };
  };
};
