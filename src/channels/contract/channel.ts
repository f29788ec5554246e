import { type InboundCall, parseExactJson, type Reader, readerOf } from '../../platform/inbound/index.ts';
import type { App } from './app.ts';
import type { ChannelOrder, OrderStatus, PaymentStatus } from './order.ts';
import type { AppSettings } from './settings.ts';
import type { Credentials, VendorAnswer, VendorClient } from './vendor.ts';

/** A verified call as it is stored, without secret headers. */
export type StagedCall = Pick<InboundCall, 'method' | 'path' | 'query' | 'headers' | 'body'>;

export type ReadContext = {
  settings: AppSettings;
  /** For times without a zone: the install's setting, otherwise the organization's zone. */
  timeZone: string;
  /** The organization's currency, for payloads without one. */
  currency: string;
  receivedAt: Date;
};

/** The result of parsing a payload; Unreadable is thrown. `event` is the vendor's name of the event. */
export type ParsedPayload =
  | { kind: 'order'; event: string; order: ChannelOrder }
  /** A change of an order without the order itself. It waits if the order is not stored yet. */
  | {
      kind: 'change';
      event: string;
      orderId: string;
      revision: bigint | undefined;
      status?: OrderStatus | undefined;
      /** The status for pickup orders, if it differs. */
      statusOfPickup?: OrderStatus | undefined;
      paymentStatus?: PaymentStatus | undefined;
    }
  /** A notification without the order: it is fetched from the vendor and parsed by `readOrder`. */
  | { kind: 'fetch'; event: string; orderId: string }
  | { kind: 'ignored'; event: string; orderId?: string | undefined };

/** An order whose new status is pushed to the vendor. */
export type PushedOrder = {
  /** The vendor's id. */
  id: string;
  /** Dukkan's id. */
  ownId: string;
  status: OrderStatus;
  note: string | undefined;
  fulfillmentMethod: string | null;
  storeId: string | null;
  /** The last payload of the vendor, digits intact. */
  payload: Reader;
  /** When the status changed, for vendors that require it. */
  at?: Date;
};

export type PollPosition = {
  cursor: string | undefined;
  since: Date;
  /** The next cursor may not pass it: an order dated in the future would hide all that change until then. */
  now: Date;
};

export type Page = {
  /** Orders for `readOrder`; with `pollsOutlines`, for `read`. */
  orders: unknown[];
  /** The position to continue from; stored in the transaction that stores the orders. */
  cursor: string;
  hasMore: boolean;
};

export type Channel = {
  app: App;
  /** Parses a webhook. */
  read(call: StagedCall, context: ReadContext): ParsedPayload;
  /** Parses an order of the vendor's API: after a notification, when polling, or to check a push. */
  readOrder?(order: Reader, context: ReadContext): ParsedPayload;
  credentials?(settings: AppSettings): Credentials;
  /** The vendor's cheapest authenticated read, to test address and credentials. */
  probe?(client: VendorClient, settings: AppSettings): Promise<VendorAnswer>;
  fetchOrder?(orderId: string, client: VendorClient, settings: AppSettings): Promise<unknown>;
  /** The vendor lists orders without lines: each is parsed by `read`, which requests a fetch. */
  pollsOutlines?: true;
  /** Changes since the cursor, or since `since` without one; oldest first. */
  poll?(at: PollPosition, client: VendorClient, settings: AppSettings): Promise<Page>;
  /**
   * Pushes the status. False without a call if the vendor has none for this status. Its last call decides the outcome; the client
   * that requested the change gets its error.
   */
  push?(order: PushedOrder, client: VendorClient, settings: AppSettings): Promise<boolean>;
};

export function jsonOf(call: StagedCall): unknown {
  return parseExactJson(call.body);
}

export function readerOfCall(call: StagedCall): Reader {
  return readerOf(jsonOf(call));
}
