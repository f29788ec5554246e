import { newId } from '../../../platform/ids.ts';
import type { OrderChannel } from '../../apps/index.ts';
import { compileObject } from '../compile-object.ts';
import type { Order, OrderBranch, OrderLine } from '../order.ts';
import { fieldOf, INPUT_FIELD_NAMES, type InputFieldName } from '../order-fields.ts';
import { isOpenStatus } from '../order-status.ts';
import type { OrderInput } from '../schema.ts';
import { type SearchColumns, searchColumnsOf } from '../search/search-columns.ts';

/** A new order from the request body. Absent fields get their defaults. */
export function buildOrder(
  organizationId: string,
  input: OrderInput,
  branch: OrderBranch,
  channel: OrderChannel,
  now: Date,
  id = newId(),
): Order & SearchColumns {
  const fields = replaceableFields(input, branch);
  const { customer_name, receiver_name, customer_phone } = fields;
  const searched = { organization_id: organizationId, customer_name, receiver_name, customer_phone };
  const { search_words, phone_digits } = searchColumnsOf(searched);
  const { organization_app_id, app_slug, channel_family, channel_kind } = channel;
  // One spread, and first: the engine clones the object then. Members that are copied one by one made up half of the time.
  return {
    ...fields,
    organization_id: organizationId,
    id,
    order_code: orderCode(id, now),
    organization_app_id,
    app_slug,
    channel_family,
    channel_kind,
    source: input.source ?? 'api',
    search_words,
    phone_digits,
    last_known_status: null,
    payment_facts: null,
    source_revision: null,
    created_at: now,
    updated_at: now,
  };
}

/** Absent inputs at their defaults: see `input` in order-fields.ts. */
const ABSENT: Partial<Record<ReturnType<typeof fieldOf>['type'], string>> = { amount: '0', flag: 'false' };

function storedExpression(name: InputFieldName): string {
  const { type } = fieldOf(name);
  // Loosely equal to null: absent and null are the same.
  if (type === 'instant') return `source.${name} == null ? null : new Date(source.${name})`;
  return `source.${name} ?? ${ABSENT[type] ?? 'null'}`;
}

const plainFields = compileObject<OrderInput, Pick<Order, InputFieldName>>(
  Object.fromEntries(INPUT_FIELD_NAMES.map((name) => [name, storedExpression(name)])),
);

/** The part of an order that PUT replaces. Absent fields return to their defaults. */
export function replaceableFields(input: OrderInput, branch: OrderBranch) {
  return {
    ...plainFields(input),
    source_transaction_id: input.source_transaction_id || null,
    destination_id: branch.destinationId,
    store_name: branch.storeName,
    order_status: input.order_status,
    payment_status: input.payment_status ?? 'pending',
    fulfillment_status: input.fulfillment_status,
    fulfillment_method: input.fulfillment_method ?? null,
    payment_method: input.payment_method ?? null,
    currency: (input.currency ?? 'SAR').toUpperCase(),
    skus: input.skus,
    products: input.products as OrderLine[],
    raw: null,
    is_open: isOpenStatus(input.order_status),
  } satisfies Partial<Order>;
}

// No vowels and no look-alikes: staff read codes aloud.
const CODE_LETTERS = '23456789BCDFGHJKMNPQRSTVWXYZ';

/**
 * The order number for people: its day and six letters from the random end of its id, 480 million combinations a day. Only the
 * id must be unique. Three letters from each half, because the remainder of a number above 2^31 takes ten times as long.
 */
function orderCode(id: string, now: Date): string {
  return `DK-${dayOfCode(now)}-${threeLetters(id.slice(-12, -6))}${threeLetters(id.slice(-6))}`;
}

function threeLetters(hex: string): string {
  const count = CODE_LETTERS.length;
  const random = Number.parseInt(hex, 16);
  const rest = (random / count) | 0;
  return (
    CODE_LETTERS.charAt(random % count) +
    CODE_LETTERS.charAt(rest % count) +
    CODE_LETTERS.charAt(((rest / count) | 0) % count)
  );
}

const DAY_MS = 86_400_000;
let writtenDay = { number: Number.NaN, text: '' };

/** As YYMMDD, in UTC. Written once a day. */
function dayOfCode(now: Date): string {
  const number = Math.floor(now.getTime() / DAY_MS);
  if (number !== writtenDay.number) {
    writtenDay = { number, text: now.toISOString().slice(2, 10).replaceAll('-', '') };
  }
  return writtenDay.text;
}
