import {
  type Channel,
  type ChannelOrder,
  MissingCredentials,
  type ParsedPayload,
  type ReadContext,
  VendorAnswerTooLarge,
  VendorRefused,
  VendorUnavailable,
} from '../../channels/contract.ts';
import { parseExactJson, readerOf, Unreadable } from '../../platform/inbound/index.ts';
import type { QueuedPayload } from './sql/queue.ts';

export type PayloadFault = {
  code: string;
  message: string;
  path: string;
  /** A retry may succeed. */
  isTransient: boolean;
};

/** The stored path of polled orders; no vendor calls it. */
export const POLLED_PATH = ':poll';

/** Reads a payload. The order fetched for it takes precedence, once it is stored. */
export function readPayload(channel: Channel, row: QueuedPayload, context: ReadContext): ParsedPayload {
  if (row.path === POLLED_PATH && channel.readOrder !== undefined && !channel.pollsOutlines) {
    return channel.readOrder(readerOf(parseExactJson(row.payload)), context);
  }
  const call = { method: row.method, path: row.path, query: row.query, headers: row.headers, body: row.payload };
  const reading = completed(channel, channel.read(call, context), context);
  if (reading.kind !== 'fetch' || row.fetched === null || channel.readOrder === undefined) return reading;
  const fetched = channel.readOrder(readerOf(parseExactJson(row.fetched)), context);
  return { ...fetched, event: reading.event };
}

/** An order without lines or total is fetched, where the vendor can be called. */
function completed(channel: Channel, reading: ParsedPayload, { settings }: ReadContext): ParsedPayload {
  if (reading.kind !== 'order' || !isIncomplete(reading.order)) return reading;
  const isReachable = channel.credentials !== undefined && channel.credentials(settings).kind !== 'missing';
  if (channel.fetchOrder === undefined || channel.readOrder === undefined || !isReachable) return reading;
  return { kind: 'fetch', event: reading.event, orderId: reading.order.id };
}

function isIncomplete({ mentioned, totalAmount, lines }: ChannelOrder): boolean {
  return !mentioned.has('totalAmount') || (totalAmount.units > 0n && lines.length === 0);
}

/** Maps what a channel throws. An unexpected error is a bug of the service: transient, so that no payload is lost to it. */
export function faultOf(error: unknown): PayloadFault {
  if (error instanceof Unreadable) {
    return { code: error.code, message: error.message, path: error.path, isTransient: false };
  }
  const plain = { path: '', message: error instanceof Error ? error.message.slice(0, 500) : 'unknown' };
  if (error instanceof MissingCredentials) return { ...plain, code: 'credentials_missing', isTransient: false };
  if (error instanceof VendorRefused) return { ...plain, code: 'vendor_refused', isTransient: false };
  if (error instanceof VendorAnswerTooLarge) return { ...plain, code: 'vendor_answer_too_large', isTransient: false };
  if (error instanceof VendorUnavailable) return { ...plain, code: 'vendor_unavailable', isTransient: true };
  return { path: '', message: 'The payload could not be processed', code: 'internal', isTransient: true };
}
