import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import { makeGoods } from '../harness/goods.ts';
import type { ConsoleTests } from '../harness/index.ts';

export function manyOrdersJourneys({ visitAs, service, shop }: ConsoleTests): void {
  const ask = (target: string, body?: unknown) =>
    call(service().baseUrl, target, { token: shop().owner.token, ...(body ? { body } : {}) });

  async function placeOrders(customer: string, statuses: readonly string[]): Promise<string[]> {
    const sku = (await ask('GET /skus?limit=1')).body.data[0];
    const ids: string[] = [];
    for (const [index, order_status] of statuses.entries()) {
      const placed = await ask('POST /orders', {
        source_transaction_id: `${customer}-${index}`,
        order_status,
        fulfillment_status: 'None',
        customer_name: customer,
        total_amount: 10 + index,
        skus: [sku.iv_id],
        products: [{ product_id: sku.product_iv_id, sku_id: sku.iv_id, quantity: 1, price: 10 + index }],
      });
      expect(placed.status).toBe(201);
      ids.push(placed.body.data.id);
    }
    return ids;
  }

  describe('many orders', () => {
    it('change status together, each for itself, and the answer of a vendor is shown', async () => {
      const customer = `Bulk ${Date.now()}`;
      const ids = await placeOrders(customer, ['RECEIVED', 'RECEIVED', 'RECEIVED', 'DELIVERED']);
      const { page, complaints } = await visitAs(shop().owner, `/orders?search=${encodeURIComponent(customer)}`);
      const rows = page.locator('[role="grid"] [data-index]');
      await expect.poll(() => rows.count()).toBe(4);
      // By keyboard: X chooses the row.
      await rows.first().focus();
      await page.keyboard.press('x');
      await page.getByText('1 selected').first().waitFor();
      await page.locator('[role="columnheader"] label').click();
      await page.getByText('4 selected').first().waitFor();
      await page.getByRole('button', { name: 'Change status to…' }).click();
      await page.getByRole('menuitem', { name: 'Mark ready' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('1 of the selected orders cannot get this status and is left out').waitFor();
      await dialog.getByRole('button', { name: 'Change 3 orders' }).click();
      await dialog.getByText('3 orders changed').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      const stored = async (id = '') => (await ask(`GET /orders/${id}?format=canonical`)).body.order.status;
      expect(await Promise.all(ids.map(stored))).toEqual([
        'ready_for_pickup',
        'ready_for_pickup',
        'ready_for_pickup',
        'delivered',
      ]);
      await expect.poll(() => rows.filter({ hasText: 'Ready for pickup' }).count()).toBe(3);

      // A vendor that refuses one of them.
      const [refused = ''] = ids;
      await page.route('**/api/v1/orders/bulk/status', (route) =>
        route.fulfill({
          json: {
            success: true,
            data: { succeeded: 1, failed: 1, errors: { [refused]: 'Vendor refused: The order is locked' } },
            timestamp: new Date().toISOString(),
          },
        }),
      );
      await page.locator('[role="columnheader"] label').click();
      await page.getByRole('button', { name: 'Change status to…' }).click();
      await page.getByRole('menuitem', { name: 'Dispatch' }).click();
      await dialog.getByRole('button', { name: 'Change 3 orders' }).click();
      await dialog.getByText('1 order stays unchanged').waitFor();
      await dialog.getByRole('cell', { name: 'Vendor refused: The order is locked' }).waitFor();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      // What was refused stays chosen.
      await page.getByText('2 selected').first().waitFor();
      expect(complaints).toEqual([]);
    });

    it('are kept as views, and exported as they are filtered', async () => {
      const customer = `View ${Date.now()}`;
      await placeOrders(customer, ['RECEIVED', 'CANCELLED']);
      const { page } = await visitAs(shop().owner, `/orders?search=${encodeURIComponent(customer)}`, {
        language: 'ar',
      });
      await page.getByRole('radio', { name: 'ملغي' }).click();
      await page.waitForURL(/status=CANCELLED/);
      await page.getByRole('button', { name: 'طرق العرض' }).click();
      await page.getByRole('menuitem', { name: 'حفظ طريقة العرض هذه…' }).click();
      await page.getByLabel('الاسم').fill('ملغاة للمتابعة');
      await page.keyboard.press('Enter');
      await page.getByText('حُفظ باسم').waitFor();
      await page.goto('/orders');
      await page.getByRole('button', { name: 'طرق العرض' }).click();
      await page.getByRole('menuitem', { name: 'ملغاة للمتابعة' }).click();
      await page.waitForURL(/status=CANCELLED/);
      await expect.poll(() => page.locator('[role="grid"] [data-index]').count()).toBe(1);
      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: 'تصدير CSV' }).click();
      const file = await (await saving).path();
      const lines = (await readFile(file, 'utf8')).trim().split('\r\n');
      expect(lines).toHaveLength(2);
      expect(lines[1]).toContain(customer);
    });

    it('have an invoice to print, once', async () => {
      const goods = await makeGoods(service().baseUrl, shop().owner.token, { stock: 3, price: 11.5 });
      const { id } = (
        await ask('POST /till/orders', {
          branch_iv_id: goods.branch,
          lines: [{ sku_iv_id: goods.sku, quantity: 2 }],
          payment_method: 'cash',
        })
      ).body.data;
      const { page, complaints } = await visitAs(shop().owner, `/orders/${id}`);
      await page.getByRole('button', { name: 'Issue invoice' }).click();
      const paper = page.getByRole('article', { name: 'Simplified tax invoice' });
      await paper.getByRole('img', { name: 'QR code of the invoice' }).waitFor();
      const issued = (await ask(`GET /orders/${id}/invoice`)).body;
      expect(await paper.innerText()).toContain(issued.invoice_number);
      await page.getByText('Invoice issued').waitFor();
      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: 'XML (UBL 2.1)' }).click();
      expect((await saving).suggestedFilename()).toBe(`${issued.invoice_number}.xml`);
      // As the browser does around its print dialog: what is on the page right after `beforeprint` is printed.
      await page.evaluate(() => {
        window.print = () => {
          window.dispatchEvent(new Event('beforeprint'));
          document.body.dataset.printed = document.querySelector('.print-sheet .a4-invoice')?.textContent ?? '';
        };
      });
      await page.locator('.ui-page-tools').getByRole('button', { name: 'Print' }).click();
      await page.getByRole('menuitem', { name: 'Tax invoice (A4)' }).click();
      const sheet = page.locator('.print-sheet .a4-invoice');
      await sheet.getByText(issued.invoice_number).waitFor();
      expect(await page.locator('body').getAttribute('data-printed')).toContain(issued.invoice_number);
      const cells = await sheet.locator('tbody tr').first().locator('td').allInnerTexts();
      expect(cells.slice(1).map((cell) => cell.replaceAll('\u00a0', ' '))).toEqual([
        '2',
        'SAR 10.00',
        'SAR 20.00',
        '15%',
        'SAR 3.00',
        'SAR 23.00',
      ]);
      await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
      await expect.poll(() => sheet.count()).toBe(0);
      expect(complaints).toEqual([]);
      await page.reload();
      await paper.waitFor();
      expect(await page.getByRole('button', { name: 'Issue invoice' }).count()).toBe(0);
    });

    it('a lost connection is said, and work goes on when it is back', async () => {
      const customer = `Offline ${Date.now()}`;
      const [id = ''] = await placeOrders(customer, ['RECEIVED']);
      const { page, context } = await visitAs(shop().owner, `/orders/${id}`);
      await page.getByRole('button', { name: 'Mark ready' }).waitFor();
      await page.getByText('No invoice yet').waitFor();
      await context.setOffline(true);
      await page.getByRole('button', { name: 'Mark ready' }).click();
      await page.getByText('The service does not respond').first().waitFor();
      expect((await ask(`GET /orders/${id}?format=canonical`)).body.order.status).toBe('received');
      // What happens meanwhile is seen when the connection is back, without a reload.
      expect((await ask(`PATCH /orders/${id}/status`, { order_status: 'READY_FOR_PICKUP' })).status).toBe(200);
      await context.setOffline(false);
      await page.getByText('Received → Ready for pickup').waitFor();
      await page.getByRole('button', { name: 'Dispatch' }).click();
      await page.getByText('Now: Dispatched').waitFor();
      // A vendor that refuses says why.
      await page.route(`**/api/v1/orders/${id}/status`, (route) =>
        route.fulfill({
          status: 502,
          json: {
            code: 502,
            error: 'Vendor refused',
            details: { app_slug: 'salla', vendor_status: 422, message: 'The order is locked' },
          },
        }),
      );
      await page.getByRole('button', { name: 'Mark delivered' }).click();
      await page.getByText('Salla refused: the order stays unchanged').waitFor();
      await page.getByText('The order is locked').waitFor();
    });
  });
}
