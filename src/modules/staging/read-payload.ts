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
  /** Trying again may help by itself. */
  isTransient: boolean;
};

/** Where a polled order stands as having come to; no vendor calls a path of this name. */
export const POLLED_PATH = ':poll';

/** What a payload says; what was fetched for it is what counts, once it is there. */
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

/** An order that came without its lines or its total is fetched, where the vendor can be asked for it. */
function completed(channel: Channel, reading: ParsedPayload, { settings }: ReadContext): ParsedPayload {
  if (reading.kind !== 'order' || !isIncomplete(reading.order)) return reading;
  const isReachable = channel.credentials !== undefined && channel.credentials(settings).kind !== 'missing';
  if (channel.fetchOrder === undefined || channel.readOrder === undefined || !isReachable) return reading;
  return { kind: 'fetch', event: reading.event, orderId: reading.order.id };
}

function isIncomplete({ mentioned, totalAmount, lines }: ChannelOrder): boolean {
  return !mentioned.has('totalAmount') || (totalAmount.units > 0n && lines.length === 0);
}

/** Anything a channel throws is said; what it should not have thrown is our own mistake, and no payload is lost to it. */
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
