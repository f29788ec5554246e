import { describe, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import type { ConsoleTests, PageToSee } from '../harness/index.ts';

export const paymentsPages: readonly PageToSee[] = [
  { name: 'payments', where: '/payments', ready: '.ui-figures' },
  { name: 'payments-transactions', where: '/payments?view=transactions', ready: '.ui-card .ui-state' },
  { name: 'payments-providers', where: '/payments?view=providers', ready: '.payments-providers' },
];

const TABBY = 'tabby-pos-paylinks';

export function paymentsJourneys({ visitAs, service, logins, outside }: ConsoleTests): void {
  /** The second shop: its provider is played by the simulator. */
  function other() {
    const shop = logins().organizations[1];
    if (shop === undefined) throw new Error('the demo has one shop only');
    return shop;
  }
  const ask = (target: string, body?: object) =>
    call(service().baseUrl, target, { token: other().owner.token, ...(body && { body }) });
  const place = async (total: number) => {
    const product = { product_id: 'P', sku_id: 'P_B', name: 'Honey', quantity: 1, price: total };
    const given = { order_status: 'RECEIVED', fulfillment_status: 'None', total_amount: total, skus: ['P_B'] };
    const { data } = (await ask('POST /orders', { ...given, products: [product] })).body;
    return data as { id: string; order_number: string };
  };
  const playTabby = async () => {
    const { vendors } = outside();
    const install = (await ask('GET /apps')).body.data.find(({ app_slug }: { app_slug: string }) => app_slug === TABBY);
    const settings = { sandbox: null, webhook_secret: 'w', access_token: 'sk', merchant_code: 'shop' };
    const body = { settings: { ...settings, api_base_url: vendors.baseUrlOf(TABBY) } };
    expect((await ask(`PATCH /apps/${install.id}`, body)).status).toBe(200);
  };

  describe('payments', () => {
    it('are requested by a link, captured in parts, and cancelled', async () => {
      await playTabby();
      const { page, complaints } = await visitAs(other().owner, '/payments');
      await page.getByRole('button', { name: 'New payment link' }).click();
      const form = page.getByRole('dialog');
      await form.getByRole('radio', { name: 'An amount' }).click();
      await form.getByRole('button', { name: 'Create the link' }).click();
      await form.getByText('Enter an amount above zero').waitFor();
      await form.getByLabel('Amount', { exact: true }).fill('120.50');
      await form.getByLabel('Customer’s name').fill('Huda');
      await form.getByRole('button', { name: 'Create the link' }).click();
      const panel = page.getByRole('dialog', { name: 'Payment link' });
      const url = await panel.getByLabel('Link', { exact: true }).inputValue();
      await panel.getByRole('img', { name: 'The payment link as a QR code' }).waitFor();
      const [made] = (await ask('GET /providers/tabby/paylinks?limit=1')).body.data;
      expect(made).toMatchObject({ url, amount: 120.5, status: 'created' });

      outside().vendors.agree(TABBY, made.provider_reference);
      // Asking for a capture reads the payment back, and finds that the customer has agreed.
      await ask(`POST /providers/tabby/paylinks/${made.id}/capture`, { amount: 20 });
      await panel.locator('.ui-badge', { hasText: 'Agreed' }).waitFor();
      await panel.getByText('SAR 100.50 left').waitFor();
      await panel.getByLabel('Amount to capture').fill('500');
      await panel.getByRole('button', { name: 'Capture' }).click();
      await panel.getByText(/more than/).waitFor();
      await panel.getByLabel('Amount to capture').fill('60.5');
      await panel.getByRole('button', { name: 'Capture' }).click();
      await panel.getByText('SAR 40.00 left').waitFor();
      await panel.getByRole('button', { name: 'Cancel the link' }).click();
      await page
        .getByRole('dialog', { name: 'Cancel this payment link?' })
        .getByRole('button', { name: 'Cancel the link' })
        .click();
      await page.getByText('Payment link cancelled').waitFor();
      const after = (await ask(`GET /providers/tabby/paylinks/${made.id}`)).body;
      expect(after.captured_amount).toBe(80.5);
      expect(complaints).toEqual([]);
    });

    it('of an order are asked for in Arabic', async () => {
      await playTabby();
      const order = await place(47.25);
      const { page } = await visitAs(other().owner, '/payments', { language: 'ar' });
      await page.getByRole('button', { name: 'رابط دفع جديد' }).click();
      const form = page.getByRole('dialog');
      await form.getByRole('searchbox', { name: 'البحث عن طلب' }).fill(order.order_number);
      await form.getByRole('button', { name: `اختيار ${order.order_number}` }).click();
      await form.getByRole('button', { name: 'إنشاء الرابط' }).click();
      await page.getByRole('dialog', { name: 'رابط دفع' }).getByText('بانتظار أن يفتح العميل الرابط').waitFor();
      const [made] = (await ask('GET /providers/tabby/paylinks?limit=1')).body.data;
      expect(made).toMatchObject({ order_id: order.id, amount: 47.25, status: 'created' });
    });

    it('that fit no order by themselves are matched by hand', async () => {
      const installed = await ask('POST /apps', { app_slug: 'moyasar-sync', settings: { webhook_secret: 'moy' } });
      const { ingest_url } = installed.body.data;
      // Two of one amount: the service cannot know which.
      const [first] = [await place(913.75), await place(913.75)];
      const reference = `moy-${Date.now()}`;
      const payload = {
        id: `evt-${reference}`,
        type: 'payment_paid',
        secret_token: 'moy',
        data: {
          id: reference,
          status: 'paid',
          amount: 91375,
          fee: 100,
          currency: 'SAR',
          refunded: 0,
          created_at: new Date().toISOString(),
        },
      };
      const headers = { 'content-type': 'application/json' };
      const taken = await fetch(ingest_url, { method: 'POST', headers, body: JSON.stringify(payload) });
      expect(taken.ok).toBe(true);
      await expect
        .poll(async () => (await ask('GET /payments/transactions?unmatched=true')).body.count)
        .toBeGreaterThan(0);
      const { page, complaints } = await visitAs(other().owner, '/payments?view=transactions');
      await page.getByRole('radio', { name: 'Without an order' }).click();
      await page.waitForURL(/unmatched=yes/);
      const row = page.getByRole('gridcell', { name: reference });
      await row.waitFor();
      await page.setViewportSize({ width: 1440, height: 320 });
      await page.evaluate(() => scrollTo(0, 60));
      await row.evaluate((cell: HTMLElement) => cell.click());
      const panel = page.getByRole('dialog', { name: 'Transaction' });
      await panel.waitFor();
      expect(await page.evaluate(() => scrollY)).toBe(60);
      await page.setViewportSize({ width: 1440, height: 900 });
      await panel.getByRole('button', { name: `Match with ${first.order_number}` }).click();
      await page.getByText(`Matched with ${first.order_number}`).waitFor();
      const { order } = (await ask(`GET /orders/${first.id}?format=canonical`)).body;
      expect(order.payment.status).toBe('paid');
      expect(complaints).toEqual([]);
    });
  });
}
