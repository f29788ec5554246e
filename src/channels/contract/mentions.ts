import type { Reader } from '../../platform/inbound/index.ts';
import { type Decimal, ZERO } from '../../platform/money.ts';
import { amountsDiffer, type ChannelOrder, type OrderPart } from './order.ts';
import type { AppSettings } from './settings.ts';

/**
 * Where the parts of an order stand in a vendor's payload, as paths from the order. Places are listed by preference; the places of
 * an inner list are all needed (the addends of a sum, a word and what it is read with); `a|b` are two names of one place.
 * A part without an entry is one that the vendor never mentions, except the three statuses and the store: these are then always
 * meant, the store so that an order of a vendor without stores goes to the branch of the settings as they are.
 */
export type PartSources = Readonly<Partial<Record<OrderPart, readonly (string | readonly string[])[]>>>;

/** Read from several places that have to add up. */
const SUMMED: ReadonlySet<OrderPart> = new Set([
  'lines',
  'subtotal',
  'discountsAmount',
  'vatAmount',
  'deliveryFee',
  'serviceFee',
]);

/** Where the total decides which of the listed charges were paid, these mean nothing without it. */
const SETTLED_BY_TOTAL: readonly OrderPart[] = ['discountsAmount', 'vatAmount', 'deliveryFee', 'serviceFee'];

const MEANT_WITHOUT_ENTRY: readonly OrderPart[] = ['status', 'paymentStatus', 'fulfillmentStatus', 'storeId'];

export type Unmarked = Omit<ChannelOrder, 'mentioned' | 'totalPath'>;

type Context = {
  settings: AppSettings;
  /** The organization's, where the vendor names none. */
  currency: string;
};

/**
 * Marks which parts of the order its payload mentions: webhooks with a field filter, and interfaces that answer in pieces, leave
 * parts out, and what is left out is not empty. A value, null, empty text, an empty list and an empty object are mentions; a name
 * that is absent is none. `isPlain`: each amount has a field of its own, and none follows from the total.
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
  // The total shows whether an addend that is absent is nothing, or left out.
  const addsUp = isSaid('totalAmount', true) && !amountsDiffer(order, order.currency ?? currency);
  const parts = [...new Set([...MEANT_WITHOUT_ENTRY, ...Object.keys(sources)])] as OrderPart[];
  const isWhole = (part: OrderPart) => {
    if (part === 'storeId') return isMapped;
    // A subtotal of its own adds up without a single line.
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

/** `unnamed`: what it would stand in is there, and does not have it. From what says most to what says nothing. */
const FOUND = ['value', 'empty', 'unnamed', 'absent'] as const;
type Found = (typeof FOUND)[number];

function isMentioned(payload: Reader, part: OrderPart, sources: PartSources, isWhole: boolean): boolean {
  const places = sources[part];
  if (places === undefined) return MEANT_WITHOUT_ENTRY.includes(part);
  let isEmpty = false;
  for (const place of places) {
    const found = [place].flat().map((names) => findAny(payload, names));
    const isAbsent = isWhole ? found.every((one) => one === 'absent') : found.includes('absent');
    // The stored value may come from this place: one from the next must not stand in for it.
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

/** An empty list is also what PHP makes of an empty object. */
function isEmptyValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === '';
}

/** A payload without its total says nothing of it; one whose total is null or empty cannot be read. */
export function totalAt(payload: Reader, path: string): Decimal {
  return isAbsent(payload, path) ? ZERO : payload.at(...path.split('.')).getDecimal();
}

/** Whether a place is left out, so that what is stored stays. */
export function isAbsent(payload: Reader, path: string): boolean {
  return ['absent', 'unnamed'].includes(findAt(payload, path));
}
