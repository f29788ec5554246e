import type { OrderBranch } from '../order.ts';
import type { OrderInput } from '../schema.ts';

type UpdatedFields = Omit<OrderInput, 'order_status' | 'payment_status' | 'fulfillment_status'>;

/** An update of one order from the payload of its vendor. */
export type OrderUpdate = {
  transactionId: string;
  /** Decides which of two updates is the later one. */
  revision: number;
  /** The payload has no modification time: `revision` is its arrival time. */
  isRevisionArrivalTime?: boolean | undefined;
  /** Undefined: the status stays; a new order is RECEIVED. */
  status: string | undefined;
  /** The status when the order is a pickup order, where the vendor's status has another meaning. */
  statusOfPickup?: string | undefined;
  paymentStatus: string | undefined;
  fulfillmentStatus: string | undefined;
  /** All fields of a new order but its statuses. Undefined for a payload that carries only a status. */
  order: UpdatedFields | undefined;
  /** Of those, the fields that the payload contains: a stored order keeps the others. */
  mentioned?: Partial<UpdatedFields> | undefined;
  /** Statuses of a new order when the payload contains none. */
  newOrderStatuses?: Partial<Pick<OrderUpdate, 'status' | 'paymentStatus' | 'fulfillmentStatus'>> | undefined;
  /** The path of a field that a new order requires and the payload lacks. */
  missing?: string | undefined;
  /** The payload lacks lines or total. The stored payload, which status pushes are built from, is kept instead. */
  isPartial?: boolean | undefined;
  /** The payload names the store of the order. */
  isStoreNamed?: boolean | undefined;
  branch: OrderBranch | undefined;
  /** The vendor's payload as JSON text. */
  raw: string | undefined;
};

export type UpdateResult =
  /** `isWithoutLines`: the order has a total above 0 and no lines. */
  | { outcome: 'created' | 'updated' | 'unchanged'; orderId: string; isWithoutLines: boolean }
  /** A new order needs the missing field. */
  | { outcome: 'incomplete'; missing: string }
  /** A status for an order that has not arrived. */
  | { outcome: 'unknown' }
  /** Larger than an order may be. */
  | { outcome: 'too-large' }
  /** Another transaction is placing the same order. */
  | { outcome: 'contended' };
