import { type InboundCall, parseExactJson, type Reader, readerOf } from '../../platform/inbound/index.ts';
import type { App } from './app.ts';
import type { ChannelOrder, OrderStatus, PaymentStatus } from './order.ts';
import type { AppSettings } from './settings.ts';
import type { Credentials, VendorClient } from './vendor.ts';

/** A proven call as it was kept, without the headers that proved it. */
export type StagedCall = Pick<InboundCall, 'method' | 'path' | 'query' | 'headers' | 'body'>;

export type ReadContext = {
  settings: AppSettings;
  /** Of times without one: the install's setting, else the organization's zone. */
  timeZone: string;
  /** The organization's, where the vendor names none. */
  currency: string;
  receivedAt: Date;
};

/** What a payload says. `event` is the vendor's own name of it. Unreadable is thrown. */
export type ParsedPayload =
  | { kind: 'order'; event: string; order: ChannelOrder }
  /** News of an order we have, without the order. It waits for the order when that is still to come. */
  | {
      kind: 'change';
      event: string;
      orderId: string;
      revision: bigint | undefined;
      status?: OrderStatus | undefined;
      /** Where it means another thing for an order that the customer fetches: what it means for that. */
      statusOfPickup?: OrderStatus | undefined;
      paymentStatus?: PaymentStatus | undefined;
    }
  /** A notice without the order: it is fetched from the vendor and read by `readOrder`. */
  | { kind: 'fetch'; event: string; orderId: string }
  | { kind: 'ignored'; event: string; orderId?: string | undefined };

/** An order of ours whose new status the vendor is to be told. */
export type PushedOrder = {
  /** The vendor's id. */
  id: string;
  /** Ours. */
  ownId: string;
  status: OrderStatus;
  note: string | undefined;
  fulfillmentMethod: string | null;
  storeId: string | null;
  /** The vendor's last payload of it, digits intact. */
  payload: Reader;
  /** When it came to this status, for vendors that want the moment told. */
  at?: Date;
};

export type Page = {
  /** Each an order as `readOrder` takes it; where `pollsOutlines`, as `read` takes it. */
  orders: unknown[];
  /** Where to go on; kept with the install once the orders are. */
  cursor: string;
  hasMore: boolean;
};

export type Channel = {
  app: App;
  /** What the vendor's webhook says. */
  read(call: StagedCall, context: ReadContext): ParsedPayload;
  /** An order as the vendor's interface gives it when asked: after a notice, by polling, to see what became of a push. */
  readOrder?(order: Reader, context: ReadContext): ParsedPayload;
  credentials?(settings: AppSettings): Credentials;
  fetchOrder?(orderId: string, client: VendorClient, settings: AppSettings): Promise<unknown>;
  /** A list of the vendor's holds orders without their lines: each is read by `read`, which has it fetched. */
  pollsOutlines?: true;
  /** What changed since the cursor (none: since `since`), oldest change first. */
  poll?(at: { cursor: string | undefined; since: Date }, client: VendorClient, settings: AppSettings): Promise<Page>;
  /**
   * Tells the vendor. False, without a call, where the vendor has none for this status. Its last call is the one that counts;
   * whatever it rejects with goes to whoever asked for the change.
   */
  push?(order: PushedOrder, client: VendorClient, settings: AppSettings): Promise<boolean>;
};

export function jsonOf(call: StagedCall): unknown {
  return parseExactJson(call.body);
}

export function readerOfCall(call: StagedCall): Reader {
  return readerOf(jsonOf(call));
}
