import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  type ReplyBody,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { newId } from '../../../platform/ids.ts';
import { newOrder } from '../testing/new-order.ts';

let service: TestService;
let shop: TestOrganization;

/** Named by their comment. */
const ORDERS = {
  ahmed: { customer_name: 'Ahmed Al-Otaibi', customer_email: 'Ahmed.O@Shop.example', customer_phone: '0501234567' },
  arabic: { customer_name: 'أحمد صالح', receiver_name: 'فاطمة الزهراء', customer_phone: '+966 55 765 4321' },
  digits: { customer_name: 'Sara', customer_phone: '٠٥٣٣٣٣١٢٣٤' },
  zeros: { customer_name: "Conan O'Brien", customer_phone: '00966-54-000-9876' },
  bare: { customer_name: 'Zoë Müller', customer_phone: '966599990000' },
  trunk: { customer_phone: '+966 (0)11 465 0000' },
  abroad: { customer_name: 'Dubai Guest', customer_phone: '+971501234567' },
  signs: { customer_name: "50%_off a\\b c'd :x &y |z !w *v", customer_email: '%_odd@shop.example' },
  vendor: { source_transaction_id: 'ORD-77001-x', source_reference: '#1001' },
  other: { source: 'pos-2', source_transaction_id: 'ORD-77001-y', source_reference: 'ref 9' },
  small: { source_transaction_id: 'abc-def-1', customer_name: 'Nora', receiver_name: 'Nora' },
} satisfies Record<string, object>;
type Name = keyof typeof ORDERS;

const placed = new Map<Name, { id: string; order_code: string }>();

beforeAll(async () => {
  service = await testService();
  shop = await testOrganization(service.sql);
  const orders = Object.entries(ORDERS).map(([comment, fields]) => newOrder({ ...fields, comment }));
  const { body } = await as('POST /orders/bulk', { body: { mode: 'create', orders } });
  expect(body.success).toBe(true);
  const { body: list } = await as('GET /orders');
  for (const { order } of list.orders) placed.set(order.comment, order);
  const neighbour = await testOrganization(service.sql);
  await call(service.baseUrl, 'POST /orders/bulk', { token: neighbour.owner.token, body: { mode: 'create', orders } });
});

const as = (target: string, options: Parameters<typeof call>[2] = {}) =>
  call(service.baseUrl, target, { token: shop.owner.token, ...options });

/** The comments of the orders that a search finds, sorted. */
async function found(search: string, token = shop.owner.token, more = ''): Promise<string[]> {
  const { body, status } = await as(`GET /orders?search=${encodeURIComponent(search)}${more}`, { token });
  expect(status).toBe(200);
  expect(body.pagination.total_items).toBe(body.orders.length);
  return body.orders.map((event: ReplyBody) => String(event.order.comment)).sort();
}

const order = (name: Name) => placed.get(name) ?? { id: '', order_code: '' };

describe('a search finds', () => {
  it.each<[string, string, Name[]]>([
    ['a name', 'ahmed', ['ahmed']],
    ['the beginning of a word', 'ahm', ['ahmed']],
    ['words in any order', 'otai ahm', ['ahmed']],
    ['words around a hyphen', 'al-otaibi', ['ahmed']],
    ['words whose hyphen is typed as a space', 'al otaibi', ['ahmed']],
    ['Arabic without hamza', 'احمد', ['arabic']],
    ['Arabic with vowel marks and tatweel', 'أَحْـمد', ['arabic']],
    ['Arabic with ه for ة, in the name of the receiver', 'فاطمه', ['arabic']],
    ['words of both names', 'الزه صال', ['arabic']],
    ['a word after an apostrophe', 'brien', ['zeros']],
    ['a word with an apostrophe', "o'bri", ['zeros']],
    ['a name without its accents', 'zoe muller', ['bare']],
    ['a name in capitals', 'ZOË', ['bare']],
    ['the beginning of an address', 'ahmed.o', ['ahmed']],
    ['an address in other letters', 'AHMED.O@shop.EXAMPLE', ['ahmed']],
    ['a national number', '0501234567', ['ahmed']],
    ['a national number without its zero', '501234567', ['abroad', 'ahmed']],
    ['an international number', '+966501234567', ['ahmed']],
    ['an international number with 00', '00966501234567', ['ahmed']],
    ['an international number without a sign', '966501234567', ['ahmed']],
    ['a number with spaces and hyphens', '050 123-4567', ['ahmed']],
    ['a number with brackets', '(050) 123 4567', ['ahmed']],
    ['a number in Arabic digits', '٠٥٠١٢٣٤٥٦٧', ['ahmed']],
    ['a stored international number by its national form', '0557654321', ['arabic']],
    ['a number stored in Arabic digits', '+966 53 333 1234', ['digits']],
    ['a number stored with 00', '0540009876', ['zeros']],
    ['a number stored without a sign', '0599990000', ['bare']],
    ['a number stored with the trunk zero', '0114650000', ['trunk']],
    ['a number of another country', '+971 50 123 4567', ['abroad']],
    ['the last four digits', '4321', ['arabic']],
    ['the last digits, some of them zeros', '0000', ['bare', 'trunk']],
    ['the last five digits', '09876', ['zeros']],
    ['the beginning of a number', '050123', ['ahmed']],
    ['the beginning of a number with its calling code', '+96655765', ['arabic']],
    ['a source transaction', 'ORD-77001-x', ['vendor']],
    ['the beginning of source transactions of several sources', 'ORD-77001', ['other', 'vendor']],
    ['a source transaction in small letters', 'ord-77001-X', []],
    ['the beginning of a source transaction in small letters', 'ord-77', ['other', 'vendor']],
    ['a source transaction in capitals', 'ABC-DEF-1', ['small']],
    ['a source reference', '#1001', ['vendor']],
    ['a source reference with a space', 'ref 9', ['other']],
  ])('%s: %j', async (_what, text, expected) => expect(await found(text)).toEqual(expected));

  it('an order by its number: whole, beginning and last six', async () => {
    const { order_code } = order('ahmed');
    for (const text of [
      order_code,
      order_code.toLowerCase(),
      order_code.slice(-6),
      order_code.slice(-6).toLowerCase(),
    ]) {
      expect([text, await found(text)]).toEqual([text, ['ahmed']]);
    }
    const all = Object.keys(ORDERS).sort();
    for (const length of [4, 5, 7, 9, 10]) expect(await found(order_code.slice(0, length))).toEqual(all);
    expect(await found(order_code.slice(0, -1))).toContain('ahmed');
    expect(await found('DK-190101')).toEqual([]);
    expect(await found('DK-269999')).toEqual([]);
  });

  it('an order by its id', async () => {
    const { id } = order('bare');
    expect(await found(id)).toEqual(['bare']);
    expect(await found(id.toUpperCase())).toEqual(['bare']);
    expect(await found(id.slice(0, -1))).toEqual([]);
  });

  it('an order by all its texts in every list: sorted, filtered and canonical', async () => {
    const query = encodeURIComponent('ORD-77001');
    const ids = [order('vendor').id, order('other').id];
    const { body } = await as(`GET /orders?format=canonical&search=${query}&sort=created`);
    expect(body.orders.map((one: ReplyBody) => one.id).sort()).toEqual(ids.toSorted());
    expect(await found('ORD-77001', undefined, '&source=pos-2')).toEqual(['other']);
    expect(await found('ORD-77001', undefined, '&status=DELIVERED')).toEqual([]);
  });
});

describe('a search does not find', () => {
  it.each([
    ['the inside of a word', 'hmed'],
    ['the inside of an address', 'shop.example'],
    ['the inside of a number', '12345'],
    ['five digits of the beginning of a number', '05012'],
    ['three digits of the end of a number', '567'],
    ['a national number of another country', '0501234568'],
    ['the inside of a source transaction', '77001'],
    ['the beginning of a source reference', '#10'],
    ['one word of two', 'ahmed unknown'],
  ])('%s: %j', async (_what, text) => expect(await found(text)).toEqual([]));
});

describe('every character is plain text', () => {
  it.each<[string, Name[]]>([
    ['%', ['signs']],
    ['_', []],
    ['50%', ['signs']],
    ['50%_', ['signs']],
    ['50__', []],
    ['5_%', []],
    ['ahm%', []],
    ['ahme_', []],
    ['*', ['signs']],
    ['ahm*', []],
    ['a\\b', ['signs']],
    ['\\', []],
    ["c'd", ['signs']],
    ["'", []],
    [':x', ['signs']],
    ['ahmed:*', []],
    ['&y', ['signs']],
    ['ahmed & sara', []],
    ['ahmed | sara', []],
    ['|z', ['signs']],
    ['!w', ['signs']],
    ['!ahmed', []],
    ['*v', ['signs']],
    ['(ahmed)', []],
    ['<->', []],
    ['""', []],
    ["'; drop table orders; --", []],
    ['😀', []],
  ])('%j', async (text, expected) => {
    // Of `50%`, the sign begins no word; `%_odd` begins an address.
    expect(await found(text)).toEqual(expected);
  });

  it('a text of 255 characters, and none at all', async () => {
    expect(await found('x'.repeat(255))).toEqual([]);
    expect(await found('ا'.repeat(255))).toEqual([]);
    expect(await found('')).toEqual(Object.keys(ORDERS).sort());
    expect(await found('   ')).toEqual(Object.keys(ORDERS).sort());
  });
});

describe('a stored order', () => {
  const place = async (fields: Record<string, unknown>): Promise<string> =>
    (await as('POST /orders', { body: newOrder(fields) })).body.data.id;

  it('is found by the very next request, alone and among many', async () => {
    for (let round = 0; round < 20; round += 1) {
      const name = `Next${newId().slice(-8)} Request`;
      await place({ customer_name: name, comment: name });
      expect(await found(name)).toEqual([name]);
    }
    const orders = Array.from({ length: 100 }, (_, at) =>
      newOrder({ customer_name: `Bulky Number${at}x`, comment: `b${at}` }),
    );
    await as('POST /orders/bulk', { body: { mode: 'create', orders } });
    expect(await found('bulky number42x')).toEqual(['b42']);
  });

  it('is found by each of many concurrent searches that share statements', async () => {
    const orders = Array.from({ length: 60 }, (_, at) =>
      newOrder({
        customer_phone: `05877000${String(at).padStart(2, '0')}`,
        source_transaction_id: `many-${at}-x`,
        comment: `m${at}`,
      }),
    );
    await as('POST /orders/bulk', { body: { mode: 'create', orders } });
    const searches = orders.flatMap((_, at) => [
      found(`05877000${String(at).padStart(2, '0')}`),
      found(`many-${at}-x`),
      found(`MANY-${at}-none`),
    ]);
    const expected = orders.flatMap((_, at) => [[`m${at}`], [`m${at}`], []]);
    expect(await Promise.all(searches)).toEqual(expected);
    // More matches than the statement reads by itself.
    expect(await found('05877000', shop.owner.token, '&limit=100')).toHaveLength(60);
  });

  it('is found by its new values and no longer by its former ones', async () => {
    const fields = {
      customer_name: 'Former Name',
      customer_phone: '0561112222',
      customer_email: 'former@x.sa',
      comment: 'changed',
    };
    const id = await place(fields);
    const replaced = {
      ...fields,
      customer_name: 'Later Name',
      customer_phone: '0563334444',
      customer_email: 'later@x.sa',
    };
    await as(`PUT /orders/${id}`, { body: newOrder(replaced) });
    for (const text of ['former', '0561112222', 'former@x.sa']) expect(await found(text)).toEqual([]);
    for (const text of ['later', '0563334444', 'later@x.sa']) expect(await found(text)).toEqual(['changed']);
    await as(`PATCH /orders/${id}/status`, { body: { order_status: 'DELIVERED' } });
    for (const text of ['later na', '4444', 'later@']) expect(await found(text)).toEqual(['changed']);
    await as('DELETE /orders/bulk', { body: { order_ids: [id] } });
    expect(await found('later')).toEqual([]);
  });
});

it('a search of an account that is confined to a branch finds the orders of that branch only', async () => {
  const branch = (await as('POST /branches', { body: { iv_id: 'RUH-9', name_en: 'Olaya' } })).body;
  const { id } = (
    await service.sql<{ id: string }[]>`
    select id from branches where organization_id = ${shop.id} and iv_id = 'RUH-9'`
  )[0] ?? { id: branch.id };
  await as('POST /orders', { body: newOrder({ customer_name: 'Confined Here', destination: id, comment: 'here' }) });
  await as('POST /orders', { body: newOrder({ customer_name: 'Confined There', comment: 'there' }) });
  const { token } = await testAccount(service.sql, shop.id, 'member', { branchId: id });
  expect(await found('confined')).toEqual(['here', 'there']);
  expect(await found('confined', token)).toEqual(['here']);
  expect(await found('there', token)).toEqual([]);
});
