import type { Reader } from '../../platform/inbound/index.ts';
import { type Decimal, ZERO } from '../../platform/money.ts';
import { amountsDiffer, type ChannelOrder, type OrderPart } from './order.ts';
import type { AppSettings } from './settings.ts';

/**
 * Paths of the parts of an order in a vendor's payload, relative to the order. Paths are listed by preference; those of an inner list
 * are all needed (the addends of a sum, a value and its qualifier); `a|b` are two names of one field. A part without an entry is never
 * mentioned by the vendor, except the three statuses and the store, which then always count as mentioned: an order of a vendor
 * without stores goes to the branch of the current settings.
 */
export type PartSources = Readonly<Partial<Record<OrderPart, readonly (string | readonly string[])[]>>>;

/** Parts that are sums of several fields. */
const SUMMED: ReadonlySet<OrderPart> = new Set([
  'lines',
  'subtotal',
  'discountsAmount',
  'vatAmount',
  'deliveryFee',
  'serviceFee',
]);

/** The total decides which of the listed charges apply, so these are undefined without it. */
const SETTLED_BY_TOTAL: readonly OrderPart[] = ['discountsAmount', 'vatAmount', 'deliveryFee', 'serviceFee'];

const MEANT_WITHOUT_ENTRY: readonly OrderPart[] = ['status', 'paymentStatus', 'fulfillmentStatus', 'storeId'];

export type Unmarked = Omit<ChannelOrder, 'mentioned' | 'totalPath'>;

type Context = {
  settings: AppSettings;
  /** The organization's currency, for payloads without one. */
  currency: string;
};

/**
 * Marks the parts of the order that its payload mentions. Webhooks with a field filter and APIs with partial responses omit
 * parts, and an omitted part is not empty. A value, null, empty text, an empty list and an empty object are mentions; an absent
 * field is not. `isPlain`: each amount has its own field and none is derived from the total.
 */
export function withMentions(
  order: Unmarked,
  payload: Reader,
  sources: PartSources,
  { settings, currency }: Context,
  { isPlain = false } = {},
): ChannelOrder {
  const isSaid = (part: OrderPart, isWhole: boolean) => isMentioned(payload, part, sources, isWhole);
  const isMapped = order.storeId !== undefined && Object.hasOwn(settings.branches ?? {}, order.storeId);
  // The total shows whether an absent addend is zero or omitted.
  const addsUp = isSaid('totalAmount', true) && !amountsDiffer(order, order.currency ?? currency);
  const parts = [...new Set([...MEANT_WITHOUT_ENTRY, ...Object.keys(sources)])] as OrderPart[];
  const isWhole = (part: OrderPart) => {
    if (part === 'storeId') return isMapped;
    // A separate subtotal adds up without any line.
    return SUMMED.has(part) && addsUp && (part !== 'lines' || order.lines.length > 0);
  };
  const mentioned = new Set(parts.filter((part) => isSaid(part, isWhole(part))));
  if (!isPlain && !(mentioned.has('totalAmount') && mentioned.has('subtotal'))) {
    for (const part of SETTLED_BY_TOTAL) mentioned.delete(part);
  }
  return { ...order, mentioned, totalPath: totalPathOf(payload, sources) };
}

function totalPathOf(payload: Reader, { totalAmount = [] }: PartSources): string {
  const [path = ''] = totalAmount.flat().flatMap((one) => one.split('|'));
  return payload.at(...path.split('.')).path;
}

/** By information, most first. `unnamed`: the parent object is present without the field. */
const FOUND = ['value', 'empty', 'unnamed', 'absent'] as const;
type Found = (typeof FOUND)[number];

function isMentioned(payload: Reader, part: OrderPart, sources: PartSources, isWhole: boolean): boolean {
  const places = sources[part];
  if (places === undefined) return MEANT_WITHOUT_ENTRY.includes(part);
  let isEmpty = false;
  for (const place of places) {
    const found = [place].flat().map((names) => findAny(payload, names));
    const isAbsent = isWhole ? found.every((one) => one === 'absent') : found.includes('absent');
    // The stored value may come from this path: the value of the next path must not replace it.
    if (isAbsent) return false;
    if (found.includes('value')) return true;
    isEmpty ||= found.includes('empty');
  }
  return isEmpty;
}

function findAny(payload: Reader, names: string): Found {
  const found = names.split('|').map((path) => findAt(payload, path));
  return FOUND.find((one) => found.includes(one)) ?? 'absent';
}

function findAt(payload: Reader, path: string): Found {
  let { value } = payload;
  for (const [depth, step] of path.split('.').entries()) {
    if (depth > 0 && isEmptyValue(value)) return 'empty';
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      return depth === 0 ? 'absent' : 'unnamed';
    }
    value = (value as Record<string, unknown>)[step];
  }
  return isEmptyValue(value) ? 'empty' : 'value';
}

/** PHP encodes an empty object as an empty list. */
function isEmptyValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === '';
}

/** An absent total is zero and not mentioned; a null or empty total is Unreadable. */
export function totalAt(payload: Reader, path: string): Decimal {
  return isAbsent(payload, path) ? ZERO : payload.at(...path.split('.')).getDecimal();
}

/** Whether a field is omitted, so that the stored value stays. */
export function isAbsent(payload: Reader, path: string): boolean {
  return ['absent', 'unnamed'].includes(findAt(payload, path));
}
