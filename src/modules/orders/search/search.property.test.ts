import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { patienceMs, type TestOrganization, testDatabase, testOrganization } from '../../../../test/harness/index.ts';
import type { Sql } from '../../../platform/database/index.ts';
import { foldForSearch } from '../../../platform/text/folding.ts';
import { createFindSearchedPage } from '../list/find-searched-page.ts';
import { findOrderPage, pieceOf } from '../list/list-orders.ts';
import { DIRECT_CHANNEL, NO_BRANCH, type Order } from '../order.ts';
import { buildOrder } from '../place/build-order.ts';
import type { OrderInput } from '../schema.ts';
import { insertOrders } from '../sql/insert-orders.ts';
import { newOrder } from '../testing/new-order.ts';
import { readSearch } from './read-search.ts';

const NEWEST = { column: 'created', descending: true } as const;
let sql: Sql;
let shop: TestOrganization;
let orders: Order[];

const word = fc.constantFrom(
  'Ahmed',
  'أحمد',
  'احمدي',
  "O'Neil",
  'Al-Saud',
  'فاطمة',
  'Zoë',
  '50%',
  'a_b',
  'Sa',
  'Sara',
  'c:*',
  'd\\e',
);
const name = fc.option(
  fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
  { nil: null },
);
const national = fc.constantFrom('501234567', '501239999', '114650000', '559994567');
const phone = fc.option(
  fc.tuple(national, fc.constantFrom('0', '+966', '00966', '966', '+966 ')).map(([number, start]) => start + number),
  { nil: null },
);
const fields = fc.record({
  customer_name: name,
  receiver_name: name,
  customer_phone: phone,
  customer_email: fc.option(fc.constantFrom('Ahmed@x.sa', 'sara@x.sa', '501@x.sa', '%@x.sa'), { nil: null }),
  source_transaction_id: fc.uuid().map((id) => `T-${id.slice(0, 6)}`),
  source_reference: fc.option(fc.constantFrom('#1', 'Ref-2', '501234567'), { nil: null }),
});

beforeAll(async () => {
  ({ sql } = await testDatabase());
  shop = await testOrganization(sql);
  const other = await testOrganization(sql);
  const inputs = fc.sample(fields, { numRuns: 300, seed: 26 }).map((one) => newOrder(one) as OrderInput);
  const days = ['2026-01-09', '2026-01-31', '2026-11-18'].map((day) => new Date(`${day}T23:59:59Z`));
  const build = (organizationId: string) =>
    inputs.map((input, at) => buildOrder(organizationId, input, NO_BRANCH, DIRECT_CHANNEL, days[at % 3] as Date));
  orders = build(shop.id);
  for (const batch of [orders, build(other.id)]) {
    const rows = batch.map((order) => ({ order, json: JSON.stringify(order), isOverflow: false }));
    const placed = await insertOrders(sql, rows, [], {});
    if (batch === orders) orders = orders.filter((order) => placed.has(order.id));
  }
});

const aText = (): fc.Arbitrary<string> => {
  const whole = fc.nat(orders.length - 1).chain((at) => {
    const { id, order_code, customer_name, customer_phone, customer_email, source_transaction_id, source_reference } =
      orders[at] as Order;
    const texts = [
      id,
      order_code,
      order_code.slice(-6),
      customer_name,
      customer_phone,
      customer_email,
      source_transaction_id,
    ];
    return fc.constantFrom(
      ...[...texts, source_reference, '+966501234567', '0501234567'].filter((text) => text !== null),
    );
  });
  const part = fc
    .tuple(whole, fc.nat(20), fc.nat(20))
    .map(([text, from, length]) => text.slice(from % text.length).slice(0, length + 1));
  const typed = fc.oneof(
    whole,
    part,
    fc.tuple(part, part).map((parts) => parts.join(' ')),
    fc.string({ maxLength: 5 }),
  );
  return fc.oneof(
    typed,
    typed.map((text) => text.toLowerCase()),
    typed.map((text) => text.toUpperCase()),
  );
};

it('finds what a plain comparison of every order finds, by both statements', {
  timeout: 4 * patienceMs(),
}, async () => {
  const findSearchedPage = createFindSearchedPage(sql);
  let lookUps = 0;
  await fc.assert(
    fc.asyncProperty(aText(), async (text) => {
      const search = readSearch(text, { organizationId: shop.id, timeZone: 'Asia/Riyadh' });
      fc.pre(search !== undefined);
      const filter = { organizationId: shop.id, branchId: null, search };
      const found = await findOrderPage(sql, filter, NEWEST, { page: 1, limit: 1_000 }, pieceOf('order'));
      const expected = orders.filter((order) => matches(order, text.trim()));
      expect(found.orders.map((order) => order.id).sort()).toEqual(expected.map((order) => order.id).sort());
      expect(found.pages.total_items).toBe(expected.length);
      const lookedUp = await findSearchedPage(filter, NEWEST, { page: 1, limit: 100 });
      if (lookedUp === undefined) return;
      lookUps += 1;
      expect(lookedUp.orders.map((order) => order.id)).toEqual(found.orders.map((order) => order.id).slice(0, 100));
      expect(lookedUp.pages.total_items).toBe(expected.length);
    }),
    { numRuns: 500 },
  );
  expect(lookUps).toBeGreaterThan(100);
});

/** The rules of a search, one order at a time. */
function matches(order: Order, text: string): boolean {
  const folded = foldForSearch(text);
  const capitals = folded.toUpperCase();
  const spellings = [text, folded, capitals].filter((one) => one !== '');
  const isCode = /^DK-\d(.*)/.test(capitals) && order.order_code.startsWith(capitals);
  if (order.id === folded || order.order_code === capitals || isCode) return true;
  if (capitals.length === 6 && order.order_code.endsWith(capitals)) return true;
  if (spellings.some((one) => order.source_transaction_id?.startsWith(one) || order.source_reference === one))
    return true;
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(folded) || /^DK-\d{6}-\w{6}$/.test(capitals)) return false;
  return hasAddress(order, text) || hasPhone(order, text) || hasWords(order, folded);
}

function hasAddress({ customer_email }: Order, text: string): boolean {
  return !/\s/.test(text) && customer_email !== null && customer_email.toLowerCase().startsWith(text.toLowerCase());
}

function hasWords({ customer_name, receiver_name }: Order, folded: string): boolean {
  const names = foldForSearch(`${customer_name ?? ''} ${receiver_name ?? ''}`);
  const typed = folded.split(/[ -]/).filter(Boolean);
  const beginsWord = (one: string) =>
    Array.from(names, (_, at) => at).some(
      (at) =>
        names.startsWith(one, at) &&
        (at === 0 || /[^\p{L}\p{N}\p{M}]/u.test(names[at - 1] ?? '')) &&
        isStart(names, at),
    );
  return typed.length > 0 && typed.every(beginsWord);
}

/** Words begin after a space or hyphen; after other signs only with a letter or number. */
function isStart(names: string, at: number): boolean {
  return at === 0 || /[ -]/.test(names[at - 1] ?? '') || /[\p{L}\p{N}]/u.test(names[at] ?? '');
}

function hasPhone({ customer_phone }: Order, text: string): boolean {
  const typed = foldForSearch(text);
  if (customer_phone === null || !/^\+?[\d\s().\-/]+$/.test(typed)) return false;
  const digits = typed.replaceAll(/\D/g, '');
  const stored = customer_phone.replaceAll(/\D/g, '').replace(/^0+/, '');
  if (digits.length >= 4 && !typed.startsWith('+') && stored.endsWith(digits)) return true;
  if (digits.length < 6) return false;
  if (stored.startsWith(digits.replace(/^0+/, '')) && /[1-9]/.test(digits)) return true;
  const whole = international(customer_phone);
  const isForeign = typed.startsWith('+') || digits.startsWith('00');
  return [international(typed), isForeign ? undefined : `966${digits.replace(/^0+/, '')}`].some(
    (one) => one !== undefined && one !== '966' && whole.startsWith(one),
  );
}

/** Of a Saudi number in any form. */
function international(phone: string): string {
  const digits = phone.replaceAll(/\D/g, '');
  const significant = digits.replace(/^0+/, '');
  const isNational = /^0[1-9]/.test(digits) || !significant.startsWith('966');
  return isNational && !phone.startsWith('+') && !digits.startsWith('00') ? `966${significant}` : significant;
}
