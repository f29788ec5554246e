import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import type { ConsoleTests, PageToSee } from '../harness/index.ts';

export const welcomePages: readonly PageToSee[] = [
  { name: 'welcome', where: '/welcome', ready: '.preview', as: 'visitor' },
];

export function welcomeJourneys({ visit, visitAs, service, shop, logins }: ConsoleTests): void {
  describe('the welcome page', () => {
    it('is shown to visitors, takes a lead, and shows errors by field', async () => {
      const { page, complaints } = await visit('/', { language: 'ar' });
      await page.waitForURL(/\/welcome$/);
      await page.getByRole('link', { name: 'تواصل معنا' }).click();
      await page.getByRole('button', { name: 'إرسال' }).click();
      expect(await page.getByText('هذا الحقل مطلوب').count()).toBe(2);
      const email = `lead-${Date.now()}@shop.example`;
      await page.getByLabel('الاسم').fill('سارة الحربي');
      await page.getByLabel('البريد الإلكتروني').fill('sara at shop');
      await page.getByLabel('الأنظمة المستخدمة حاليًا').fill('نظام المحاسبة');
      await page.getByRole('button', { name: 'إرسال' }).click();
      await page.getByText('يبدو أن البريد الإلكتروني غير صحيح').waitFor();
      await page.getByLabel('البريد الإلكتروني').fill(email);
      await page.getByRole('button', { name: 'إرسال' }).click();
      await page.getByText('شكرًا سارة الحربي').waitFor();
      const { leads } = (await call(service().baseUrl, 'GET /leads', { token: logins().commercial.token })).body;
      expect(leads[0]).toMatchObject({
        name: 'سارة الحربي',
        email,
        contact_reason: 'demo',
        erp: 'نظام المحاسبة',
        notes: '',
      });
      expect(complaints).toEqual([]);
    });

    it('leads to the sign-in page and to the reference, which leads back', async () => {
      const { page } = await visit('/welcome', { prepare: describeOnePath });
      await page.getByRole('banner').getByRole('link', { name: 'API reference' }).click();
      await page.waitForURL(/\/docs$/);
      await page.locator('html[data-theme]').waitFor();
      await page.getByText('/api/v1/ping').first().waitFor();
      await page.getByRole('button', { name: 'Light or dark' }).click();
      expect(await page.evaluate(() => document.body.className)).toContain('dark-mode');
      await page.getByRole('link', { name: 'Open the console' }).click();
      // In the dark that was chosen there.
      await page.waitForURL(/\/welcome$/);
      expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
      await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
      await page.waitForURL(/\/sign-in$/);
      await page.getByRole('link', { name: 'What Dukkan does' }).click();
      await page.waitForURL(/\/welcome$/);
    });

    it('leads signed-in users to the console and known users to the sign-in page', async () => {
      const { page } = await visitAs(shop().viewer, '/orders');
      await page.goto('/welcome');
      await page.getByRole('banner').getByRole('link', { name: 'Open the console' }).click();
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.waitForURL(/\/sign-in/);
      await page.goto('/');
      await page.waitForURL(/\/sign-in$/);
    });
  });
}

/** The reference of all routes takes more than 20 CPU seconds to draw. */
async function describeOnePath(page: Page): Promise<void> {
  await page.route('**/openapi.json', async (route) => {
    const { openapi, info, servers, paths } = await (await route.fetch()).json();
    await route.fulfill({ json: { openapi, info, servers, paths: { '/api/v1/ping': paths['/api/v1/ping'] } } });
  });
}
