import { rawJsonValue } from '../../../platform/inbound/index.ts';
import { lineTotal } from '../../../platform/money.ts';
import { EVENT_SPEC_VERSION } from '../../events/index.ts';
import type { Order, OrderLine } from '../order.ts';
import { CANONICAL_FIELDS } from '../order-fields.ts';
import { canonicalPaymentStatus, canonicalStatus } from '../order-status.ts';
import type { ListForm, Pagination } from '../payload.ts';
import { compileShown } from '../show-fields.ts';

const externalOf = compileShown(CANONICAL_FIELDS.external);
const paymentOf = compileShown(CANONICAL_FIELDS.payment);
const fulfillmentOf = compileShown(CANONICAL_FIELDS.fulfillment);
const amountsOf = compileShown(CANONICAL_FIELDS.amounts);
const branchOf = compileShown(CANONICAL_FIELDS.branch);
const customerOf = compileShown(CANONICAL_FIELDS.customer);
const receiverOf = compileShown(CANONICAL_FIELDS.receiver);
const topLevelOf = compileShown(CANONICAL_FIELDS.top);

/** The same shape for every channel: normalised statuses beside the stored ones. */
export function canonicalOrder(order: Order, options: { raw?: boolean } = {}) {
  return {
    id: order.id,
    channel: {
      app_slug: order.app_slug,
      family: order.channel_family,
      kind: order.channel_kind,
      organization_app_id: order.organization_app_id,
      source: order.source,
    },
    external: { ...externalOf(order), placed_at: (order.source_timestamp ?? order.created_at).toISOString() },
    status: canonicalStatus(order.order_status),
    status_raw: order.order_status,
    payment: { status: canonicalPaymentStatus(order.payment_status), ...paymentOf(order) },
    fulfillment: fulfillmentOf(order),
    amounts: amountsOf(order),
    lines: order.products.map((line) => canonicalLine(line, order.currency)),
    branch: branchOf(order),
    customer: customerOf(order),
    receiver: receiverOf(order),
    ...topLevelOf(order),
    created_at: order.created_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
    ...(options.raw ? { raw: order.raw === null ? null : rawJsonValue(order.raw) } : {}),
  };
}

export type CanonicalOrder = ReturnType<typeof canonicalOrder>;

export function canonicalLine(line: OrderLine, currency: string) {
  const quantity = line.quantity ?? 1;
  const unitPrice = line.price ?? 0;
  return {
    product_id: line.product_id,
    sku_id: line.sku_id,
    name: line.name ?? null,
    quantity,
    unit_price: unitPrice,
    total: lineTotal(quantity, unitPrice, currency),
  };
}

export function canonicalListForm(organizationId: string, pages: Pagination, options: { raw: boolean }): ListForm {
  return {
    envelope: {
      spec_version: EVENT_SPEC_VERSION,
      organization_id: organizationId,
      orders: [],
      pagination: pages,
      meta: {},
    },
    headOf: () => '{',
    restOf: (order) => canonicalOrder(order, options),
  };
}

export function canonicalEnvelope(order: Order, options: { raw: boolean }) {
  return {
    spec_version: EVENT_SPEC_VERSION,
    organization_id: order.organization_id,
    order: canonicalOrder(order, options),
  };
}
