import { unprocessable } from '../../platform/http/problem.ts';
import { isId, newId } from '../../platform/ids.ts';
import { compare, type Decimal, decimal, isCurrency, roundToCurrency, ZERO } from '../../platform/money.ts';
import type { Actor } from '../audit/index.ts';
import { canonicalPaymentStatus, canonicalStatus, findOrders, type Order, type OrderOwner } from '../orders/index.ts';
import { refuseOddDigits } from './capture-paylink.ts';
import { createAtProvider, type NewPaylink } from './create-at-provider.ts';
import { getPaylinkProvider, getProviderInstall } from './find-provider.ts';
import type { IdempotentCall } from './idempotent-call.ts';
import type { Paylink } from './paylink.ts';
import type { PaymentContext } from './payment-context.ts';
import { branchNeedsOrder, orderSettled } from './refusals.ts';
import type { LineItemInput, PaylinkInput } from './schema.ts';

/** For an order, or for an amount by itself. */
export async function createPaylink<Reply>(
  payments: PaymentContext,
  owner: OrderOwner,
  providerId: string,
  input: PaylinkInput,
  { baseUrl, actor, idempotentCall }: { baseUrl: string; actor: Actor; idempotentCall: IdempotentCall<Paylink, Reply> },
): Promise<Reply> {
  const provider = getPaylinkProvider(providerId);
  const stored = await idempotentCall.findStoredResponse();
  if (stored !== undefined) return stored.reply;
  const wanted =
    input.order_id === undefined || input.order_id === null
      ? ofAmount(owner, input)
      : ofOrder(await getPayable(payments, owner, input.order_id), input);
  const providerInstall = await getProviderInstall(payments, owner.organizationId, provider);
  return createAtProvider(payments, providerInstall, wanted, {
    baseUrl,
    actor,
    idempotentCall,
    onCreated: async (_tx, row) => row,
  });
}

function ofAmount(owner: OrderOwner, input: PaylinkInput): NewPaylink {
  if (owner.branchId !== null) throw branchNeedsOrder();
  const { amount, line_items, customer } = input;
  if (amount === undefined || amount === null || !input.currency) {
    throw unprocessable({
      ...(amount === undefined || amount === null ? { amount: 'is required without order_id' } : {}),
      ...(input.currency ? {} : { currency: 'is required without order_id' }),
    });
  }
  const currency = getCurrency(input.currency, 'currency');
  refuseOddDigits(amount, currency);
  return {
    organizationId: owner.organizationId,
    orderId: null,
    ownId: newId(),
    amount: decimal(amount),
    currency,
    lineItems: toLineItems(line_items ?? []),
    customer: namedOnly(customer ?? {}),
  };
}

function ofOrder(order: Order, { customer }: PaylinkInput): NewPaylink {
  const { customer_name, customer_phone, customer_email } = order;
  return {
    organizationId: order.organization_id,
    orderId: order.id,
    ownId: newId(),
    amount: priceOf(order),
    currency: order.currency,
    lineItems: order.products.map(({ sku_id, name, quantity, price }) => ({
      sku: sku_id,
      name: name || sku_id,
      quantity: decimal(quantity ?? 1),
      price: decimal(price ?? 0),
    })),
    customer: namedOnly({
      name: customer?.name ?? customer_name,
      phone: customer?.phone ?? customer_phone,
      email: customer?.email ?? customer_email,
    }),
  };
}

const priceOf = ({ total_amount, currency }: Order): Decimal => roundToCurrency(decimal(total_amount), currency);

async function getPayable({ sql }: PaymentContext, owner: OrderOwner, id: string): Promise<Order> {
  const [order] = isId(id) ? await findOrders(sql, [{ organizationId: owner.organizationId, id }]) : [];
  if (order === undefined || (owner.branchId !== null && order.destination_id !== owner.branchId)) {
    throw unprocessable({ order_id: 'does not exist' });
  }
  const isSettled = ['paid', 'refunded'].includes(canonicalPaymentStatus(order.payment_status));
  if (isSettled || canonicalStatus(order.order_status) === 'cancelled') {
    throw orderSettled(order.id, order.payment_status);
  }
  // A total may have more digits than its currency: 0.001 SAR are none.
  if (compare(priceOf(order), ZERO) <= 0) throw unprocessable({ order_id: 'costs nothing' });
  return order;
}

export function getCurrency(text: string, field: string): string {
  if (!isCurrency(text)) throw unprocessable({ [field]: 'is not a currency of ISO 4217' });
  return text.toUpperCase();
}

export function toLineItems(items: readonly LineItemInput[]) {
  return items.map(({ sku, name, qty, price }) => ({ sku, name, quantity: decimal(qty), price: decimal(price) }));
}

type Named = { name?: string | null; phone?: string | null; email?: string | null };

function namedOnly({ name, phone, email }: Named) {
  return { name: name || undefined, phone: phone || undefined, email: email || undefined };
}
