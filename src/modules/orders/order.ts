import type { OrderChannel } from '../apps/index.ts';
import type { OrderFields } from './order-fields.ts';
import type { CanonicalStatus } from './order-status.ts';
import type { PaymentFacts } from './payment-state.ts';

export type { OrderLine } from './order-fields.ts';

/** An order as the table stores it. The fields that clients read are in order-fields.ts; the others are here. */
export type Order = OrderFields &
  OrderChannel & {
    source: string;
    /** The vendor's payload as text, so that the digits of its numbers stay the same. */
    raw: string | null;
    /** Decides which of two vendor updates is the later one. Null until a vendor has reported the order. */
    source_revision: number | null;
    is_open: boolean;
    /** See order-status.ts: set only while the canonical status of `order_status` is unknown. */
    last_known_status: CanonicalStatus | null;
    /** See payment-state.ts: null while `payment_status` alone states everything known about the payment. */
    payment_facts: PaymentFacts | null;
  };

/** An order that is ready to be inserted, with the JSON that the statement takes. */
export type ReadyOrder = {
  order: Order;
  json: string;
  /** Counted in the overflow row instead of under its own statuses: see counters/status-counters.ts. */
  isOverflow: boolean;
};

export const DIRECT_CHANNEL: OrderChannel = {
  organization_app_id: '',
  app_slug: 'api',
  channel_family: 'api',
  channel_kind: 'direct',
};

/** The branch of an order with the name that the order stores. */
export type OrderBranch = { destinationId: string | null; storeName: string | null };

export const NO_BRANCH: OrderBranch = { destinationId: null, storeName: null };
