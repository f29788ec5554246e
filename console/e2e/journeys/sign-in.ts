import { describe, expect, it } from 'vitest';
import { withSecondFactor } from '../../../src/modules/identity/testing/second-factor.ts';
import type { ConsoleTests, PageToSee } from '../harness/index.ts';

export const signInPages: readonly PageToSee[] = [
  { name: 'sign-in', where: '/sign-in', ready: 'button[type="submit"]', as: 'visitor' },
];

export function signInJourneys({ visit, visitAs, service, shop, logins }: ConsoleTests): void {
  describe('sign-in', () => {
    it('shows what is wrong, and leads to the page that was requested', async () => {
      const { page } = await visit('/orders?status=DELIVERED');
      await page.waitForURL(/\/sign-in\?next=/);
      await page.locator('input[type="email"]').fill(shop().owner.email);
      await page.locator('input[type="password"]').fill('not the password');
      await page.locator('button[type="submit"]').click();
      await page.getByRole('alert').getByText('Email or password is wrong').waitFor();
      await page.locator('input[type="password"]').fill(shop().owner.password);
      await page.locator('button[type="submit"]').click();
      await page.waitForURL(/\/orders\?status=DELIVERED$/);
      await page.locator('[role="grid"]').waitFor();
      // A reload stays inside: the cookie is what is left of the session.
      await page.reload();
      await page.locator('[role="grid"]').waitFor();
      expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toMatch(/eyJ|dk[rs]_/);
    });

    it('asks for the second factor when the account has one', async () => {
      const { member } = shop();
      const { recoveryCodes } = await withSecondFactor(service().baseUrl, member, { now: () => new Date() });
      const { page } = await visit('/sign-in', { language: 'ar' });
      await page.locator('input[type="email"]').fill(member.email);
      await page.locator('input[type="password"]').fill(member.password);
      await page.locator('button[type="submit"]').click();
      const code = page.getByLabel('الرمز من تطبيقك');
      await code.fill('000000');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('الرمز غير صحيح').waitFor();
      await code.fill(recoveryCodes[0] ?? '');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'الرئيسية' }).waitFor();
    });
  });

  it('one shop after the other, one tab beside another', async () => {
    const { page, context } = await visitAs(shop().owner, '/');
    const { name_en } = logins().organizations[1] ?? { name_en: '' };
    await page.getByRole('button', { name: /Switch organization/ }).click();
    await page.getByRole('menuitemradio', { name: new RegExp(name_en) }).click();
    await page.getByRole('button', { name: `Switch organization: ${name_en}` }).waitFor();
    const second = await context.newPage();
    await second.goto('/orders');
    await second.locator('[role="grid"]').waitFor();
    // Signed out in one is signed out in all.
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await second.waitForURL(/\/sign-in/);
  });
}
