import { unprocessable } from '../../platform/http/problem.ts';
import { newId } from '../../platform/ids.ts';
import { decimal } from '../../platform/money.ts';
import type { BnplProvider } from '../../providers/contract.ts';
import { findProvider } from '../../providers/list.ts';
import type { Actor } from '../audit/index.ts';
import { type OrderOwner, placePrepared, prepareOrder } from '../orders/index.ts';
import { refuseOddDigits } from './capture-paylink.ts';
import { createAtProvider } from './create-at-provider.ts';
import { getCurrency, toLineItems } from './create-paylink.ts';
import { getProviderInstall } from './find-provider.ts';
import type { IdempotentCall } from './idempotent-call.ts';
import type { Paylink } from './paylink.ts';
import type { PaymentContext } from './payment-context.ts';
import type { PaymentOrderInput } from './schema.ts';
import { insertPaymentOrder } from './sql/payment-orders.ts';

export type CreatedPaymentOrder = ReturnType<typeof paymentOrderShape>;

function paymentOrderShape(row: Paylink, orderId: string, gateways: readonly BnplProvider[], active: BnplProvider) {
  return {
    order_id: orderId,
    accepted_gateways: gateways.map(({ id }) => id),
    active_gateway: active.id,
    app_slug: active.app.slug,
    execute_endpoint: `/api/v1/providers/${active.id}/paylinks`,
    execute_method: 'POST',
    next_action: { type: 'redirect', url: row.url ?? '' },
  };
}

/** Creates the order in the transaction that confirms its paylink: without a paylink there is no order. */
export async function createPaymentOrder<Reply>(
  payments: PaymentContext,
  owner: OrderOwner,
  { providers, order }: PaymentOrderInput,
  {
    baseUrl,
    actor,
    idempotentCall,
  }: { baseUrl: string; actor: Actor; idempotentCall: IdempotentCall<CreatedPaymentOrder, Reply> },
): Promise<Reply> {
  const stored = await idempotentCall.findStoredResponse();
  if (stored !== undefined) return stored.reply;
  const gateways = supportedOf(providers);
  const [active] = gateways;
  if (active === undefined) throw unprocessable({ providers: 'none of them makes payment links' });
  const currency = getCurrency(order.currency, 'order.currency');
  refuseOddDigits(order.total_amount, currency, 'order.total_amount');
  const providerInstall = await getProviderInstall(payments, owner.organizationId, active);
  const orderId = newId();
  const prepared = await prepareOrder(
    payments.ordering,
    owner,
    orderInput(order, currency, providerInstall.install.id),
    orderId,
  );
  if ('refusal' in prepared) throw prepared.refusal;

  const wanted = {
    organizationId: owner.organizationId,
    orderId,
    isNewOrder: true,
    ownId: newId(),
    amount: decimal(order.total_amount),
    currency,
    lineItems: toLineItems(order.line_items),
  };
  return createAtProvider(payments, providerInstall, wanted, {
    baseUrl,
    actor,
    idempotentCall,
    async onCreated(tx, row) {
      await placePrepared(tx, payments.ordering, prepared);
      await insertPaymentOrder(tx, {
        organization_id: owner.organizationId,
        order_id: orderId,
        accepted_gateways: gateways.map(({ id }) => id),
        active_gateway: active.id,
        paylink_id: row.id,
        created: row.updated,
      });
      return paymentOrderShape(row, orderId, gateways, active);
    },
  });
}

/** Skips gateways whose transactions are only synced, and unknown ids. */
function supportedOf(providers: readonly string[]): BnplProvider[] {
  return [...new Set(providers)].flatMap((id) => {
    const provider = findProvider(id);
    return provider?.type === 'bnpl' ? [provider] : [];
  });
}

function orderInput(order: PaymentOrderInput['order'], currency: string, installId: string) {
  const products = order.line_items.map(({ sku, name, qty, price }) => ({
    product_id: sku,
    sku_id: sku,
    name,
    quantity: qty,
    price,
  }));
  return {
    source: installId,
    order_status: 'pending',
    payment_status: 'pending' as const,
    fulfillment_status: 'none',
    total_amount: order.total_amount,
    currency,
    skus: products.map(({ sku_id }) => sku_id),
    products,
  };
}
