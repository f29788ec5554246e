import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import type { ConsoleTests, PageToSee } from '../harness/index.ts';

const firstRow = '[role="grid"] [data-index="0"]';

export const customersPages: readonly PageToSee[] = [
  { name: 'customers', where: '/customers', ready: firstRow },
  { name: 'customer', where: '/customers?sort=-orders', ready: firstRow, act: openFirst },
];

async function openFirst(page: Page): Promise<void> {
  await page.locator(firstRow).click();
  await page.locator('.customer-figure').first().waitFor();
}

export function customersJourneys({ visitAs, service, shop }: ConsoleTests): void {
  describe('customers', () => {
    it('are found by a phone however it is written, with what they spent and ordered', async () => {
      const { token } = shop().owner;
      const sku = (await call(service().baseUrl, 'GET /skus?limit=1', { token })).body.data[0];
      const order = (id: string, phone: string, total: number) =>
        call(service().baseUrl, 'POST /orders', {
          token,
          body: {
            source_transaction_id: `e2e-customer-${id}-${Date.now()}`,
            order_status: 'DELIVERED',
            fulfillment_status: 'None',
            customer_name: 'ريم من الاختبار',
            customer_phone: phone,
            total_amount: total,
            skus: [sku.iv_id],
            products: [{ product_id: sku.product_iv_id, sku_id: sku.iv_id, quantity: 2, price: total / 2 }],
          },
        });
      const number = `55${String(Date.now()).slice(-7)}`;
      expect((await order('a', `0${number}`, 40)).status).toBe(201);
      expect((await order('b', `+966${number}`, 60)).status).toBe(201);
      // Customers are counted a moment behind their orders.
      await expect
        .poll(
          async () =>
            (await call(service().baseUrl, `GET /customers?search=${number}`, { token })).body.data[0]?.orders,
        )
        .toBe(2);
      const { page, complaints } = await visitAs(shop().owner, '/customers', { language: 'ar' });
      await page.getByRole('searchbox').fill(`+966 ${number.slice(0, 2)} ${number.slice(2)}`);
      await page.waitForURL(/search=/);
      await expect.poll(() => page.locator('[role="grid"] [data-index]').count()).toBe(1);
      await page.locator(firstRow).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/customers\/[0-9a-f-]{36}$/);
      await page.getByRole('heading', { level: 1, name: 'ريم من الاختبار' }).waitFor();
      await expect.poll(() => page.locator('[role="grid"] [data-index]').count()).toBe(2);
      const figures = await page.locator('.customer-figures').innerText();
      expect(figures).toContain('100.00');
      expect(figures).toContain('50.00');
      await page.getByText('4 قطع').waitFor();
      await page.locator(firstRow).click();
      await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('searchbox').fill(number);
      // The orders of the same name come from another answer, and have no telephone beside them.
      await page
        .getByRole('menuitem', { name: /ريم من الاختبار/ })
        .filter({ hasText: number })
        .click();
      await page.waitForURL(/\/customers\/[0-9a-f-]{36}$/);
      expect(complaints).toEqual([]);
    });

    it('are sorted as requested, with an empty state when none match', async () => {
      const { page } = await visitAs(shop().viewer, '/customers');
      await page.locator(firstRow).waitFor();
      await page.getByRole('button', { name: 'Spent' }).click();
      await page.waitForURL(/sort=-spent/);
      await expect
        .poll(() => page.getByRole('columnheader', { name: /Spent/ }).getAttribute('aria-sort'))
        .toBe('descending');
      await page.keyboard.press('/');
      await page.keyboard.type('no one of this name');
      await page.getByText('No customers match').waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.locator(firstRow).waitFor();
    });
  });
}
