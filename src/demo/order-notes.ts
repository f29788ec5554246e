import type { Actor } from '../modules/audit/index.ts';
import { insertNotes, type PastOrder, readTags, replaceTags } from '../modules/orders/index.ts';
import type { Tx } from '../platform/database/index.ts';
import { newId } from '../platform/ids.ts';

const MINUTE_MS = 60_000;
/** Of the orders of the last days that did not come from the till, every so many has tags. */
const TAGGED_EACH = 12;
/** Of those with tags, every so many has a note. */
const NOTED_EACH = 3;
export const NOTED_DAYS = 3;

/** All orders with this tag have a note. */
export const NOTED_TAG = 'مراجعة العنوان';

/** As many as a multiple of NOTED_EACH, so that NOTED_TAG meets a note each time. */
const TAGS: readonly string[][] = [
  ['عميل مميز'],
  ['تغليف هدية'],
  ['توصيل مسائي', 'عميل مميز'],
  [NOTED_TAG],
  ['B2B'],
  ['توصيل مسائي'],
];

const NOTES: readonly string[] = [
  'العميل يفضّل التوصيل بعد صلاة المغرب.',
  'Customer asked to leave the bag at reception. No call needed.',
  'تم الاتصال بالعميل لتأكيد العنوان: المبنى 12، الدور الثالث.',
  'بدّلنا العبوة بحجم أكبر بموافقة العميل، بدون فرق سعر.',
  'Courier was late yesterday: give this one priority.',
];

export type NotedOrder = { id: string; at: Date };

/** Yields the same orders and collects some of the last days. */
export function* collectNoted(past: Iterable<PastOrder>, since: Date, noted: NotedOrder[]): Generator<PastOrder> {
  let seen = 0;
  for (const one of past) {
    const [{ at }] = one.stages;
    const isRecent = at >= since && one.channel?.app_slug !== 'till';
    if (isRecent) seen += 1;
    if (!isRecent || seen % TAGGED_EACH !== 0) yield one;
    else {
      const id = one.id ?? newId();
      noted.push({ id, at });
      yield { ...one, id };
    }
  }
}

export async function seedNotes(tx: Tx, organizationId: string, author: Actor, noted: readonly NotedOrder[]) {
  const tagged = noted.map(({ id }, index) => ({ orderId: id, tags: readTags(TAGS[index % TAGS.length] ?? []) }));
  if (tagged.length > 0) await replaceTags(tx, organizationId, tagged);
  const notes = noted
    .filter((_order, index) => index % NOTED_EACH === 0)
    .map(({ id, at }, index) => ({
      id: newId(),
      order_id: id,
      body: NOTES[index % NOTES.length] ?? '',
      author_kind: author.kind,
      author_id: author.id,
      author_name: author.name,
      created: new Date(at.getTime() + 4 * MINUTE_MS),
    }));
  if (notes.length > 0) await insertNotes(tx, organizationId, notes);
}
