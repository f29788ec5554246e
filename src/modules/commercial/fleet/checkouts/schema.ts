import { Type } from 'typebox';
import { listEnvelopeOf } from '../../../../platform/http/envelopes.ts';
import { PageQuery } from '../../../../platform/http/paging.ts';
import { moneyToNumber } from '../../billing/index.ts';
import { AmountSar } from '../amount.ts';
import type { CheckoutRow } from './sql.ts';

export const EXAMPLE_CHECKOUT_ID = '0193a1f0-7c00-7000-8000-0000000000e1';

/** Another one: a payment that was confirmed is not cancelled. */
export const EXAMPLE_ABANDONED_ID = '0193a1f0-7c00-7000-8000-0000000000e2';

export const CheckoutBody = Type.Object(
  { amount_sar: AmountSar },
  { title: 'NewBillingCheckout', examples: [{ amount_sar: 287.5 }] },
);

const paramsOf = (example: string) =>
  Type.Object({ id: Type.String({ description: 'The id of the payment', examples: [example] }) });
export const CheckoutParams = paramsOf(EXAMPLE_CHECKOUT_ID);
export const AbandonedParams = paramsOf(EXAMPLE_ABANDONED_ID);
export const CheckoutsQuery = Type.Object(PageQuery);

export const Checkout = Type.Object(
  {
    id: Type.String(),
    amount_sar: Type.Number(),
    status: Type.String({ description: 'pending, succeeded or cancelled, which it is too once it has expired' }),
    checkout_url: Type.String({ description: 'Where the payer completes it: a page of the console in the sandbox' }),
    created: Type.String(),
    finished: Type.Union([Type.String(), Type.Null()], {
      description: 'When it was confirmed, was cancelled or expired',
    }),
  },
  {
    title: 'BillingCheckout',
    examples: [
      {
        id: EXAMPLE_CHECKOUT_ID,
        amount_sar: 287.5,
        status: 'pending',
        checkout_url: `http://localhost:8080/settings/billing?checkout=${EXAMPLE_CHECKOUT_ID}`,
        created: '2026-11-15T08:00:00.000Z',
        finished: null,
      },
    ],
  },
);

export const CheckoutList = listEnvelopeOf(Checkout);

export function checkoutShape(checkout: CheckoutRow, base: string) {
  return {
    id: checkout.id,
    amount_sar: moneyToNumber(checkout.amount_sar),
    status: checkout.status,
    checkout_url: `${base}/settings/billing?checkout=${checkout.id}`,
    created: checkout.created.toISOString(),
    finished: checkout.finished?.toISOString() ?? null,
  };
}
