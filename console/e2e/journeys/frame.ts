import { describe, expect, it } from 'vitest';
import { codeOf } from '../../../src/modules/identity/testing/second-factor.ts';
import { call } from '../../../test/harness/index.ts';
import type { ConsoleTests } from '../harness/index.ts';
import { openOwnShop } from './own-shop.ts';

export function frameJourneys(tests: ConsoleTests): void {
  const { visitAs, service, logins, shop } = tests;

  describe('the frame', () => {
    it('of a suspended organization leads to what is owed', async () => {
      const { page, complaints } = await visitAs(logins().suspended.owner, '/orders', { language: 'ar' });
      await page.getByText('هذه المنشأة موقوفة').waitFor();
      await page.getByRole('link', { name: 'عرض المستحقات' }).click();
      await page
        .getByRole('alert')
        .getByText(/ما العمل: سدّد/)
        .waitFor();
      await page.getByRole('table', { name: 'الرسوم' }).getByText('متأخر').first().waitFor();
      await page.getByRole('tab', { name: 'حركات المحفظة' }).click();
      await page.getByRole('table', { name: 'حركات المحفظة' }).waitFor();
      expect(complaints).toEqual([]);
    });

    it('says in the heading and the window title that an order does not exist, and leads to the list', async () => {
      const { page } = await visitAs(shop().owner, `/orders/${crypto.randomUUID()}`, { language: 'ar' });
      await page.getByRole('heading', { level: 1, name: 'الطلب غير موجود' }).waitFor();
      expect(await page.title()).toBe('الطلب غير موجود · Dukkan');
      await page.getByRole('link', { name: 'كل الطلبات' }).click();
      await page.waitForURL(/\/orders$/);
    });

    it('closes for signed-in accounts when the organization is suspended, and opens again', async () => {
      const { id, owner } = await openOwnShop(tests);
      const asOperator = (target: string) =>
        call(service().baseUrl, `POST /commercial/organizations/${id}/${target}`, {
          token: logins().commercial.token,
          body: { reason: 'Agreement ended' },
        });
      const { page } = await visitAs(owner, '/settings/team');
      await page.getByRole('row', { name: /you/ }).waitFor();
      await page.getByRole('searchbox').focus();
      expect((await asOperator('suspend')).status).toBe(200);
      // Reads the list again. The frame may have read something before that: then the field is gone, and the key does nothing.
      await page.keyboard.press('5');
      await page.getByText('This organization is suspended').waitFor();
      await page.getByText('gives this reason: Agreement ended').waitFor();
      await page.getByRole('link', { name: 'See billing' }).click();
      await page.getByText('The operator of the service suspended it: Agreement ended').waitFor();
      expect((await asOperator('resume')).status).toBe(200);
      await page.reload();
      await page.getByRole('link', { name: 'Team' }).click();
      await page.getByRole('row', { name: /you/ }).waitFor();
    });

    it('of an organization that asks for a second factor leads to setting one up, and opens with it', async () => {
      const { id, owner } = await openOwnShop(tests);
      // An owner who requires it through the API has a second factor.
      await service().sql`update organizations set require_totp = true where id = ${id}`;
      const { page, complaints } = await visitAs(owner, '/orders', { language: 'ar' });
      await page.getByText('تتطلب هذه المنشأة التحقق بخطوتين').waitFor();
      await page.getByRole('link', { name: 'تفعيل التحقق بخطوتين' }).click();
      await page.getByRole('button', { name: 'تفعيل', exact: true }).click();
      await page.getByRole('dialog').getByLabel('كلمة المرور').fill(owner.password);
      await page.keyboard.press('Enter');
      const secret = await page.locator('.settings-enrol .ui-copy code').innerText();
      await page.getByLabel('الرمز من التطبيق').fill(codeOf(secret, { now: () => new Date() }));
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'حفظتها' }).click();
      await page.getByRole('navigation').getByRole('link', { name: 'الطلبات' }).click();
      await page.getByRole('heading', { name: 'الطلبات', level: 1 }).waitFor();
      expect(complaints).toEqual([]);
    });

    it('keeps what was started in sight, from every page and after a reload', async () => {
      const { owner } = shop();
      const sku = (await call(service().baseUrl, 'GET /skus?limit=1', { token: owner.token })).body.data[0];
      const queued = await call(service().baseUrl, 'POST /orders', {
        token: owner.token,
        headers: { 'x-async': 'true' },
        body: {
          source_transaction_id: `job-${Date.now()}`,
          order_status: 'RECEIVED',
          fulfillment_status: 'None',
          total_amount: 5,
          skus: [sku.iv_id],
          products: [{ product_id: sku.product_iv_id, sku_id: sku.iv_id, quantity: 1, price: 5 }],
        },
      });
      expect(queued.status).toBe(202);
      const { page } = await visitAs(owner, '/settings/tokens');
      const user = (await call(service().baseUrl, 'GET /auth/account', { token: owner.token })).body.user.id;
      await page.evaluate(
        ([name, kept]) => localStorage.setItem(name as string, kept as string),
        [
          `dukkan.jobs.${user}`,
          JSON.stringify([
            {
              id: queued.body.data.job_id,
              title: 'One order',
              organizationId: shop().id,
              startedAt: Date.now(),
              to: '/orders',
            },
          ]),
        ],
      );
      await page.reload();
      await page.getByText('One order: done').waitFor();
      await page.getByRole('button', { name: /Background work/ }).click();
      const list = page.getByRole('dialog', { name: /Background work/ });
      await list.getByText('Done').waitFor();
      await list.getByRole('button', { name: 'Clear finished' }).click();
      await expect.poll(() => page.getByRole('button', { name: /Background work/ }).count()).toBe(0);
    });
  });
}
