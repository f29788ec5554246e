import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import type { ConsoleTests, PageToSee } from '../harness/index.ts';

export const ordersPages: readonly PageToSee[] = [
  { name: 'orders', where: '/orders', ready: '[role="grid"] [data-index="0"]' },
  { name: 'order', where: '/orders', ready: '[role="grid"] [data-index="0"]', act: openFirst },
];

async function openFirst(page: Page): Promise<void> {
  await page.locator('[role="grid"] [data-index="0"]').click();
  await page.locator('.order-events, .ui-state').first().waitFor();
}

const ENDLESS_NAME = 'W'.repeat(200);

/** On a telephone, with a name without spaces in its heading. */
async function isTooWide(page: Page): Promise<boolean> {
  await page.getByText(ENDLESS_NAME).waitFor();
  await page.setViewportSize({ width: 390, height: 900 });
  const wide = await page.evaluate((name) => {
    document.querySelector('h1')?.append(name);
    return document.documentElement.scrollWidth > innerWidth;
  }, ENDLESS_NAME);
  await page.setViewportSize({ width: 1440, height: 900 });
  return wide;
}

export function ordersJourneys({ visitAs, service, shop }: ConsoleTests): void {
  describe('orders', () => {
    it('announce themselves without moving a row, and change in their place', async () => {
      const { page, complaints } = await visitAs(shop().owner, '/orders');
      const first = page.locator('[role="grid"] [data-index="0"]');
      await first.waitFor();
      await page.locator('.frame-live[data-state="live"]').waitFor();
      // But for how long ago it was, which goes on.
      const orderIn = async () => (await first.innerText()).split('\n').slice(0, 2);
      const before = await orderIn();
      const { token } = shop().owner;
      const sku = (await call(service().baseUrl, 'GET /skus?limit=1', { token })).body.data[0];
      const placed = await call(service().baseUrl, 'POST /orders', {
        token,
        body: {
          source_transaction_id: `e2e-${Date.now()}`,
          order_status: 'RECEIVED',
          fulfillment_status: 'None',
          customer_name: 'Salma of the test',
          total_amount: 12.5,
          skus: [sku.iv_id],
          products: [
            { product_id: sku.product_iv_id, sku_id: sku.iv_id, quantity: 1, price: 12.5, name: ENDLESS_NAME },
          ],
        },
      });
      expect(placed.status).toBe(201);
      const bar = page.getByRole('button', { name: '1 new order: show it' });
      await bar.waitFor();
      expect(await orderIn()).toEqual(before);
      await bar.click();
      await page.getByRole('gridcell', { name: 'Salma of the test' }).first().click();
      await page.getByRole('button', { name: 'Mark ready' }).click();
      await page.getByText('Now: Ready for pickup').waitFor();
      await page.getByText('Received → Ready for pickup').waitFor();
      expect(await isTooWide(page)).toBe(false);
      await page.getByRole('button', { name: 'Other actions' }).click();
      await page.getByRole('menuitem', { name: 'Cancel order' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Keep the order' }).click();
      await page.getByRole('button', { name: 'Other actions' }).click();
      await page.getByRole('menuitem', { name: 'Cancel order' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
      await page.getByText('Now: Cancelled').waitFor();
      await expect.poll(() => page.getByRole('button', { name: 'Other actions' }).count()).toBe(0);
      expect(complaints).toEqual([]);
    });

    it('of the figures on home are listed exactly: the open ones and the late ones', async () => {
      const { token } = shop().owner;
      const { body: figures } = await call(service().baseUrl, 'GET /orders/dashboard', { token });
      const { page, complaints } = await visitAs(shop().owner, '/');
      for (const [name, state] of [
        ['Open orders', 'open'],
        ['Late', 'late'],
      ] as const) {
        await page.goto('/');
        await page.locator('.home-figure').filter({ hasText: name }).getByRole('link').click();
        await page.waitForURL(new RegExp(`state=${state}$`));
        await page.getByText(new RegExp(`^${figures[state]} orders?$`)).waitFor();
      }
      expect(complaints).toEqual([]);
    });

    it('are filtered by payment and amount, and the address holds the filters', async () => {
      const { token } = shop().owner;
      const { body } = await call(service().baseUrl, 'GET /orders?payment=paid&min_amount=20&limit=1', { token });
      const { page, complaints } = await visitAs(shop().owner, '/orders');
      await page.getByRole('button', { name: 'More filters' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Payment' }).click();
      await page.getByRole('option', { name: 'Paid', exact: true }).click();
      await page.waitForURL(/payment=paid/);
      await page.getByLabel('Amount from').fill('x');
      await page.getByRole('button', { name: 'Apply amounts' }).click();
      await page.getByRole('alert').waitFor();
      await page.getByLabel('Amount from').fill('٢٠');
      await page.getByRole('button', { name: 'Apply amounts' }).click();
      await page.waitForURL(/payment=paid&min=20/);
      await page.getByText(new RegExp(`^${body.pagination.total_items} orders?$`)).waitFor();
      await page.getByRole('button', { name: '2 filters set' }).waitFor();
      expect(complaints).toEqual([]);
    });

    it('are found, filtered and gone through by keyboard, and the address says it all', async () => {
      const { page } = await visitAs(shop().viewer, '/orders');
      await page.locator('[role="grid"] [data-index="0"]').waitFor();
      const isAnswered = Promise.withResolvers<void>();
      await page.route(/orders\?.*DELIVERED/, async (route) => {
        await isAnswered.promise;
        await route.continue();
      });
      const keysAt = () => page.evaluate(() => document.activeElement?.getAttribute('data-index'));
      await page.getByRole('radio', { name: 'Delivered' }).click();
      await page.waitForURL(/status=DELIVERED/);
      // The row under the hand goes: the keys stay at its place.
      const rows = page.locator('[role="grid"] [data-index]');
      // A sale at the counter is completed when it is delivered.
      const others = rows.filter({ hasNotText: /Delivered|Completed/ });
      const place = Number(await others.first().getAttribute('data-index'));
      await others.first().focus();
      isAnswered.resolve();
      await expect.poll(() => others.count()).toBe(0);
      expect(Number(await keysAt())).toBe(Math.min(place, (await rows.count()) - 1));
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('j');
      await expect.poll(keysAt).toBe('2');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
      await page.locator('.order-lines').waitFor();
      // A viewer is not shown what he may not do.
      expect(await page.getByRole('button', { name: 'Cancel order' }).count()).toBe(0);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('searchbox').fill('orders');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/orders$/);
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    });
  });
}
