import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { call, testAccount } from '../../../test/harness/index.ts';
import type { ConsoleTests, PageToSee } from '../harness/index.ts';

const FIRST_ROW = '[role="grid"] [data-index="0"]';

export const appsPages: readonly PageToSee[] = [
  { name: 'apps', where: '/apps', ready: '.apps-grid' },
  { name: 'app', where: '/apps', ready: FIRST_ROW, act: openFirst('.apps-columns') },
  { name: 'new-app', where: '/apps/new/salla', ready: '.apps-fields' },
  { name: 'staging', where: '/staging', ready: FIRST_ROW },
  { name: 'staged', where: '/staging?status=failed', ready: FIRST_ROW, act: openFirst('.apps-mend') },
];

function openFirst(ready: string) {
  return async (page: Page) => {
    await page.locator(FIRST_ROW).first().click();
    await page.locator(ready).first().waitFor();
  };
}

export function appsJourneys({ visitAs, service, shop }: ConsoleTests): void {
  const ask = (target: string, body?: object) =>
    call(service().baseUrl, target, { token: shop().owner.token, ...(body && { body }) });
  const send = async (url: string, token: string, order: object) => {
    const headers = { 'content-type': 'application/json', 'x-ingest-token': token };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(order) });
    return { status: answer.status, id: (await answer.json()).data?.staging_id as string };
  };

  describe('apps', () => {
    it('are installed from their schema, and an unmapped store is mapped from the inbox', async () => {
      const { page, complaints } = await visitAs(shop().owner, '/apps', { language: 'ar' });
      await page.getByRole('searchbox', { name: 'البحث في الدليل' }).fill('أي نظام');
      await page.getByRole('link', { name: 'تثبيت أي نظام آخر' }).click();
      await page.getByLabel('سر الويب هوك', { exact: true }).fill('a secret of this journey');
      await page.getByRole('button', { name: 'تثبيت' }).click();
      const url = await page.getByLabel('عنوان استقبال الطلبات', { exact: true }).inputValue();
      const token = await page.getByLabel('رمز الاستقبال', { exact: true }).inputValue();
      const number = `J-${Date.now()}`;
      const sent = await send(url, token, {
        id: number,
        order_status: 'NEW',
        destination_reference: 'W-7',
        products: [{ product_id: 'HON-1', name: 'عسل', quantity: 2, price: 40.25 }],
        total_amount: 80.5,
        currency: 'SAR',
      });
      expect(sent.status).toBe(202);
      await page.getByRole('button', { name: 'نسختُه' }).click();
      await page.waitForURL(/\/apps\/[0-9a-f-]{36}/);
      expect(await page.getByText(token).count()).toBe(0);

      await page.goto(`/staging?search=${number}`);
      await page.locator(FIRST_ROW).click();
      await page.locator('.ui-badge', { hasText: 'أُنشئ طلب' }).waitFor();
      await page.getByText('الطلب بلا فرع').waitFor();
      await page.getByRole('link', { name: 'ربط المتجر بفرع' }).click();
      await expect.poll(() => page.getByLabel('معرّف متجرهم', { exact: true }).inputValue()).toBe('W-7');
      await page.getByRole('button', { name: /فرعنا/ }).click();
      await page.getByRole('option').nth(1).click();
      await page.getByRole('button', { name: 'حفظ' }).click();
      await page.getByText('حُفظت الإعدادات').waitFor();

      await page.goto(`/staging/${sent.id}`);
      await page.getByRole('button', { name: 'إعادة القراءة' }).click();
      await page.locator('.ui-badge', { hasText: 'حُدّث الطلب' }).waitFor();
      const { order_id } = (await ask(`GET /staging/${sent.id}`)).body;
      const { order } = (await ask(`GET /orders/${order_id}?format=canonical`)).body;
      expect(order.branch.name).not.toBeNull();
      expect(complaints).toEqual([]);
    });

    it('keep an unchanged secret, are switched off and on, and removed', async () => {
      const body = {
        app_slug: 'woocommerce',
        settings: { webhook_secret: 'kept as it was', client_secret: 'ck_1234' },
      };
      const { data } = (await ask('POST /apps', body)).body;
      const { page } = await visitAs(shop().owner, `/apps/${data.id}`);
      const field = page.getByLabel('Webhook secret *');
      await expect.poll(() => field.getAttribute('placeholder')).toBe(data.settings.webhook_secret);
      await page.getByLabel('Time zone').fill('Mars/Olympus');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('must be the name of a time zone').waitFor();
      await page.getByLabel('Time zone').fill('Asia/Riyadh');
      await page.getByRole('button', { name: 'Delete: Client secret' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Settings saved').waitFor();
      const now = (await ask('GET /apps')).body.data.find(({ id }: { id: string }) => id === data.id);
      expect(now.settings).toEqual({ webhook_secret: data.settings.webhook_secret, time_zone: 'Asia/Riyadh' });

      // Another user changes the same setting while it is edited, and the page reads the app again: the edit still finds the conflict.
      await page.getByLabel('Time zone').fill('Asia/Dubai');
      await ask(`PATCH /apps/${data.id}`, { settings: { time_zone: 'Asia/Kuwait' } });
      await page.getByRole('button', { name: 'Disable' }).click();
      await page.getByText('calls of the vendor are refused until you enable it').waitFor();
      const off = (await ask('GET /apps')).body.data.find(({ id }: { id: string }) => id === data.id);
      expect(off).toMatchObject({ enabled: false, status: 'disabled' });
      await page.getByRole('button', { name: 'Enable' }).click();
      await page.getByRole('button', { name: 'Disable' }).waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      const conflict = page.getByRole('dialog', { name: 'Someone else changed this too' });
      await conflict.getByText('Asia/Kuwait').waitFor();
      await conflict.getByRole('button', { name: 'Keep the saved value' }).click();
      await expect.poll(() => page.getByLabel('Time zone').inputValue()).toBe('Asia/Kuwait');
      await page.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await page.waitForURL(/\/apps$/);
    });

    it('ask for secrets again when the address leads elsewhere, and leave both to owners', async () => {
      const settings = { webhook_secret: 'kept as it was', access_token: 'for the public host' };
      const { data } = (await ask('POST /apps', { app_slug: 'salla', settings })).body;
      const now = async () => (await ask('GET /apps')).body.data.find(({ id }: { id: string }) => id === data.id);
      const { page, complaints } = await visitAs(shop().owner, `/apps/${data.id}`);
      await page.getByLabel('Address of the vendor’s interface').fill('https://salla.example.com');
      await page.getByText('Enter it again: it belongs to another address').waitFor();
      const save = page.getByRole('button', { name: 'Save' });
      expect(await save.isDisabled()).toBe(true);
      await page.getByLabel('Access token', { exact: true }).fill('for the new host');
      await save.click();
      await page.getByText('Settings saved').waitFor();
      expect((await now()).settings).toMatchObject({
        api_base_url: 'https://salla.example.com',
        access_token: '••••host',
      });

      const member = await testAccount(service().sql, shop().id, 'member');
      const visit = await visitAs(member, `/apps/${data.id}`, { language: 'ar' });
      const address = visit.page.getByLabel('عنوان واجهة المنصة');
      await address.waitFor();
      expect(await address.getAttribute('readonly')).not.toBeNull();
      expect(await visit.page.getByLabel('رمز الوصول', { exact: true }).getAttribute('readonly')).not.toBeNull();
      expect(await visit.page.getByText('لا يغيّره إلا مالكو المنشأة').count()).toBe(3);
      await visit.page.getByLabel('المنطقة الزمنية').fill('Asia/Dubai');
      await visit.page.getByRole('button', { name: 'حفظ' }).click();
      await visit.page.getByText('حُفظت الإعدادات').waitFor();
      expect((await now()).settings.time_zone).toBe('Asia/Dubai');
      await visit.page.goto('/apps/new/salla');
      await visit.page.getByText('اطلب من أحد المالكين تثبيته').waitFor();
      expect(await visit.page.getByRole('button', { name: 'تثبيت' }).isDisabled()).toBe(true);
      expect([...complaints, ...visit.complaints]).toEqual([]);
    });

    it('send what cannot be read: the inbox says why, where, and lets it go', async () => {
      const { data } = (await ask('POST /apps', { app_slug: 'generic', settings: {} })).body;
      const number = `BAD-${Date.now()}`;
      const { id } = await send(data.ingest_url, data.ingest_token, { id: number, products: [] });
      await expect.poll(async () => (await ask(`GET /staging/${id}`)).body.status).toBe('failed');
      const { page, complaints } = await visitAs(shop().owner, `/apps/${data.id}`);
      await page.getByRole('region', { name: 'Latest calls' }).getByRole('link', { name: 'All' }).click();
      await page.getByRole('radio', { name: 'Waiting for you' }).click();
      await page.waitForURL(/status=failed/);
      await page.locator(FIRST_ROW).click();
      await page.getByText('A required value is missing').first().waitFor();
      await page.locator('.apps-mend code', { hasText: 'total_amount' }).waitFor();
      await page.getByText(`"id": "${number}"`).waitFor();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.waitForURL(/\/staging$/);
      expect((await ask(`GET /staging/${id}`)).status).toBe(404);
      expect(complaints).toEqual([]);
    });
  });
}
