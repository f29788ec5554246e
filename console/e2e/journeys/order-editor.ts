import { describe, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import type { ConsoleTests, PageToSee } from '../harness/index.ts';

export const orderEditorPages: readonly PageToSee[] = [
  { name: 'new order', where: '/orders/new', ready: '#order-editor' },
];

export function orderEditorJourneys({ visitAs, service, shop }: ConsoleTests): void {
  describe('an order that the shop enters', () => {
    it('survives a reload, is placed once with computed totals, and is edited beside another user', async () => {
      const { token } = shop().owner;
      const skus = (await call(service().baseUrl, 'GET /skus?limit=1&is_enabled=true', { token })).body.data;
      const branch = (await call(service().baseUrl, `GET /branches/${skus[0].branch_iv_id}`, { token })).body;
      const { page, complaints } = await visitAs(shop().owner, '/orders/new');
      await page.getByRole('button', { name: /Branch/ }).click();
      await page.getByRole('option', { name: branch.name_en }).click();
      await page.getByRole('searchbox', { name: 'Add an item' }).fill(skus[0].product_iv_id);
      await page.getByRole('button', { name: `Add ${skus[0].name_en}` }).click();
      await page.getByRole('textbox', { name: /^Quantity of/ }).fill('2');
      await page.getByLabel('Delivery fee').fill('١٥');
      await page.getByLabel('Name', { exact: true }).fill('Huda of the test');
      await page.reload();
      await page.getByRole('button', { name: 'Place order' }).waitFor();
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Huda of the test');
      await page.getByRole('button', { name: 'Place order' }).click();
      await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
      const id = page.url().split('/').at(-1);
      const read = async () => (await call(service().baseUrl, `GET /orders/${id}`, { token })).body.order;
      const placed = await read();
      const goods = Math.round(skus[0].effective_price * 2 * 100) / 100;
      expect(placed).toMatchObject({ subtotal: goods, delivery_fee: 15, destination_id: branch.id });
      expect(placed.total_amount).toBeCloseTo(goods + 15, 5);
      const sold = await call(service().baseUrl, `POST /orders/${id}/invoice`, { token });
      expect(sold.status, sold.text).toBe(201);

      await page.getByRole('link', { name: 'Edit', exact: true }).click();
      await page.getByRole('textbox', { name: /^Quantity of/ }).fill('3');
      await page.getByLabel('Name', { exact: true }).fill('Huda by me');
      // Another user changes the same field and another one meanwhile.
      const { id: _id, destination_id, ...fields } = placed;
      const body = { ...fields, destination: destination_id, customer_name: 'Huda by another', comment: 'Call first' };
      expect((await call(service().baseUrl, `PUT /orders/${id}`, { token, body })).status).toBe(200);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Huda by another').waitFor();
      await dialog.getByRole('button', { name: 'Save mine' }).click();
      await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
      const edited = await read();
      expect(edited).toMatchObject({ customer_name: 'Huda by me', comment: 'Call first', delivery_fee: 15 });
      expect(edited.total_amount).toBeCloseTo(Math.round(skus[0].effective_price * 3 * 100) / 100 + 15, 5);
      expect(complaints).toEqual([]);

      // An account that only reads reaches the forms by their addresses.
      const reader = (await visitAs(shop().viewer, '/orders/new')).page;
      for (const where of ['/orders/new', `/orders/${id}/edit`]) {
        await reader.goto(where);
        await reader.getByText('Your account has no access').waitFor();
        expect(await reader.getByRole('button', { name: /^(Place order|Save)$/ }).count()).toBe(0);
      }
    });
  });
}
