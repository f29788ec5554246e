import type { ChannelOrder, ParsedPayload, ReadContext, StagedCall } from '../contract.ts';

// Missing in TypeScript's types.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** JSON in which a bigint is a number with all its digits. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? rawJSON(String(inner)) : inner));
}

/** A body that is neither bytes nor text is sent as JSON. */
export function callOf(body: unknown, more: Partial<StagedCall> = {}): StagedCall {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : exactJson(body));
  return { method: 'POST', path: '', query: {}, headers: {}, ...more, body: bytes };
}

/** The order of a payload that has to be one. */
export function orderIn(parsed: ParsedPayload | undefined): ChannelOrder {
  if (parsed?.kind !== 'order') throw new Error(`${parsed?.kind} is no order`);
  return parsed.order;
}

/** The path of the total in a payload that does not mention it; undefined if it does. */
export function absentTotalOf(parsed: ParsedPayload | undefined): string | undefined {
  const { mentioned, totalPath } = orderIn(parsed);
  return mentioned.has('totalAmount') ? undefined : totalPath;
}

export const RIYADH: ReadContext = {
  settings: {},
  timeZone: 'Asia/Riyadh',
  currency: 'SAR',
  receivedAt: new Date('2026-11-15T09:00:00Z'),
};
