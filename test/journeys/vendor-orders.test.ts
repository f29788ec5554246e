import { describe, expect, test } from 'vitest';
import { MADE_ORDERS, type MadeOrder, ORDERING_SLUGS, type OrderingSlug } from '../vendors/made-orders.ts';
import type { Kept } from '../vendors/vendor.ts';
import { testVendorShop } from '../vendors/vendor-shop.ts';

const shop = await testVendorShop();
const { ask, branches } = shop;

const ordersOf = async (installId: string): Promise<Kept[]> =>
  (await ask(`GET /orders?source=${installId}&format=canonical`)).body.orders;

/** To the halala that each line may be rounded by. */
function expectToAddUp({ amounts }: Kept, { isVatOnTop = false }: MadeOrder): void {
  const { subtotal, discounts, delivery_fee, service_fee, vat, total } = amounts;
  expect(subtotal - discounts + delivery_fee + service_fee + (isVatOnTop ? vat : 0)).toBeCloseTo(total, 2);
}

function expectShown(order: Kept | undefined, slug: OrderingSlug, id: string): void {
  const made: MadeOrder = MADE_ORDERS[slug];
  expect(order).toMatchObject({
    status: 'received',
    ...made.shown,
    external: { order_id: id, ...made.shown.external },
    branch: { id: branches.RUH, ...made.shown.branch },
  });
  expectToAddUp(order ?? {}, made);
}

describe.each(ORDERING_SLUGS)('%s', (slug) => {
  test("'s order comes in by its own proof, whole, and by no other", async () => {
    const installed = await shop.install(slug);
    const made = shop.make(slug);

    const forged = await shop.send(installed, made, { secret: 'another', token: 'another' });
    expect(forged.status).toBe(401);
    const { status, stagingId } = await shop.send(installed, made);
    expect(status).toBe((MADE_ORDERS[slug] as MadeOrder).answers ?? 202);
    const row = await shop.settled(stagingId);
    expect(row).toMatchObject({
      app_slug: slug,
      external_order_id: made.id,
      status: 'processed',
      outcome: 'created',
      error: null,
    });

    const orders = await ordersOf(installed.id);
    expect(orders).toHaveLength(1);
    expectShown(orders[0], slug, made.id);
    expect(orders[0]?.channel).toMatchObject({ app_slug: slug, organization_app_id: installed.id });
    expect((await ask(`GET /staging?organization_app_id=${installed.id}`)).body.total_count).toBe(1);
  });
});
