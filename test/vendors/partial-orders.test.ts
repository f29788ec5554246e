import { describe, expect, it } from 'vitest';
import type { ReplyBody } from '../harness/index.ts';
import { MADE_ORDERS, type MadeOrder, ORDERING_SLUGS } from './made-orders.ts';
import { PARTIAL_ORDERS } from './partial-orders.ts';
import type { VendorRecord } from './vendor.ts';
import { type Installed, testVendorShop } from './vendor-shop.ts';

const { ask, install, make, send, settled } = await testVendorShop();

/** Without them nothing is fetched, and a payload is all there is. */
const WITHOUT_CREDENTIALS = {
  access_token: undefined,
  client_id: undefined,
  client_secret: undefined,
  api_base_url: undefined,
};

async function storedOrder(id: string): Promise<VendorRecord> {
  const { body } = await ask(`GET /orders/${id}`);
  const { updated_at, ...order } = body.order;
  return order;
}

/** Places an order by its whole payload. `resend` sends it again with a change and returns what is stored then. */
async function placeWhole(installed: Installed) {
  const { wrap, more } = PARTIAL_ORDERS[installed.slug];
  const made: MadeOrder = MADE_ORDERS[installed.slug];
  const { id, order } = make(installed.slug, more);
  const sendOrder = async (whole: VendorRecord): Promise<ReplyBody> => {
    const notice = wrap?.(whole) ?? made.notice?.(whole, id) ?? whole;
    return settled((await send(installed, { id, order: whole }, { notice })).stagingId);
  };
  const first = await sendOrder(order);
  expect(first, JSON.stringify(first)).toMatchObject({ status: 'processed', outcome: 'created', error: null });
  const before = await storedOrder(first.order_id);
  const resend = async (change: VendorRecord) => {
    const row = await sendOrder({ ...order, ...change });
    return { row, after: await storedOrder(first.order_id) };
  };
  return { before, resend };
}

/** For each of the changes an order of its own: taken whole first, then sent again with the change. */
async function sendAgain(installed: Installed, changes: readonly VendorRecord[]) {
  return Promise.all(
    changes.map(async (change) => {
      const { before, resend } = await placeWhole(installed);
      return { before, ...(await resend(change)) };
    }),
  );
}

it('keeps the last whole payload, which pushes are made from', async () => {
  const installed = await install('hungerstation', WITHOUT_CREDENTIALS);
  const [items, comment] = await sendAgain(installed, [{ items: undefined, comment: 'Late' }, { comment: 'Late' }]);
  const rawOf = async (id: string) => (await ask(`GET /orders/${id}?format=canonical&include=raw`)).body.order.raw;
  expect(items?.after.comment).toBe('Late');
  expect(await rawOf(items?.before.id)).toMatchObject({
    items: [{ sku: 'MILK' }, { sku: 'TOM' }],
    comment: 'Knock twice',
  });
  expect(await rawOf(comment?.before.id)).toMatchObject({ comment: 'Late' });
});

describe.each(ORDERING_SLUGS)('an order of %s', (slug) => {
  const { more, required, nulls } = PARTIAL_ORDERS[slug];

  it('keeps what a later payload does not mention', async () => {
    const installed = await install(slug, WITHOUT_CREDENTIALS);
    const whole = { ...(MADE_ORDERS[slug] as MadeOrder).order('1'), ...more };
    const names = Object.keys(whole).filter((name) => !required.includes(name));
    // One order for all fields: each of its payloads leaves out one field and has all others.
    const { before, resend } = await placeWhole(installed);
    for (const name of names) {
      const { row, after } = await resend({ [name]: undefined });
      expect({ name, ...after }).toEqual({ name, ...before });
      expect([name, row.status]).toEqual([name, 'processed']);
    }
  });

  it('loses what a later payload empties', async () => {
    const installed = await install(slug, WITHOUT_CREDENTIALS);
    const cleared = Object.entries(nulls);
    const sent = await sendAgain(
      installed,
      cleared.map(([name]) => ({ [name]: null })),
    );
    for (const [index, { before, after }] of sent.entries()) {
      const [name, expected] = cleared[index] ?? [];
      const fields = Object.keys(expected ?? {});
      expect({ name, ...pick(after, fields) }).toEqual({ name, ...expected });
      expect({ name, ...pick(before, fields) }).not.toEqual({ name, ...expected });
    }
  });
});

const pick = (order: VendorRecord, fields: readonly string[]) =>
  Object.fromEntries(fields.map((name) => [name, order[name]]));
