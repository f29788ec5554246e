import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { codeOf } from '../../../src/modules/identity/testing/second-factor.ts';
import { call } from '../../../test/harness/index.ts';
import type { ConsoleTests, PageToSee } from '../harness/index.ts';
import { openOwnShop } from './own-shop.ts';

export const settingsPages: readonly PageToSee[] = [
  { name: 'settings', where: '/settings', ready: '.settings-form' },
  { name: 'settings-team', where: '/settings/team', ready: '[role="grid"] [data-index="0"]' },
  { name: 'settings-invite', where: '/settings/team', ready: '[role="grid"] [data-index="0"]', act: openInvitation },
  { name: 'settings-keys', where: '/settings/keys', ready: '[role="table"] [data-index="0"]' },
  { name: 'settings-new-key', where: '/settings/keys', ready: '[role="table"] [data-index="0"]', act: openNewKey },
  { name: 'settings-tokens', where: '/settings/tokens', ready: '[role="table"] [data-index="0"]' },
  { name: 'settings-security', where: '/settings/security', ready: 'input[type="password"]' },
  { name: 'settings-support', where: '/settings/support', ready: '.settings-request' },
  { name: 'settings-allow-support', where: '/settings/support', ready: '.settings-request', act: openAllowSupport },
  { name: 'settings-audit', where: '/settings/audit', ready: '[role="grid"] [data-index="0"]' },
  { name: 'settings-billing', where: '/settings/billing', ready: '[role="table"] [data-index="0"]' },
];

async function openInvitation(page: Page): Promise<void> {
  await page.locator('.ui-page-tools button').click();
  await page.locator('.settings-details summary').click();
  await page.locator('.grants').waitFor();
}

async function openAllowSupport(page: Page): Promise<void> {
  await page.locator('.settings-request .settings-answers button').nth(1).click();
  await page.locator('.settings-choice').first().waitFor();
}

async function openNewKey(page: Page): Promise<void> {
  await page.locator('.ui-page-tools button').click();
  await page.locator('.grants').waitFor();
}

/** The box that people click; the input itself is out of sight. */
const tick = (page: Page, name: string) =>
  page.locator('label', { has: page.getByRole('checkbox', { name, exact: true }) }).click();
const shownOnce = (page: Page) => page.getByRole('dialog').locator('.ui-copy code').first().innerText();

export function settingsJourneys(tests: ConsoleTests): void {
  const { visit, visitAs, service, shop } = tests;
  const ask = (target: string, options: Parameters<typeof call>[2]) => call(service().baseUrl, target, options);

  describe('settings', () => {
    it('an organization says what it is called, and the frame says it too', async () => {
      const { owner, name } = await openOwnShop(tests);
      const { page, complaints } = await visitAs(owner, '/settings');
      await page.getByLabel('VAT number').fill('12345');
      await page.getByText('Enter 15 digits').waitFor();
      expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
      await page.getByLabel('VAT number').fill('310122393500003');
      await page.getByLabel('Name in English').fill(`${name} of Najd`);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('.frame-organization').getByText(`${name} of Najd`).first().waitFor();
      const { body } = await ask('GET /organization', { token: owner.token });
      expect(body).toMatchObject({ name_en: `${name} of Najd`, vat_number: '310122393500003' });
      expect(complaints).toEqual([]);
    });

    it('a member is invited by a link, sees what the role allows, is promoted and removed', async () => {
      const { owner } = await openOwnShop(tests);
      const token = owner.token;
      await ask('POST /branches', { token, body: { iv_id: 'OWN-1', name_en: 'First', name_ar: 'الأول' } });
      const { page } = await visitAs(owner, '/settings/team');
      await page.getByRole('button', { name: 'Invite' }).click();
      const email = `huda-${Date.now()}@own.example`;
      await page.getByRole('dialog').getByLabel('Email').fill(email);
      await page.getByRole('radio', { name: /Viewer/ }).check();
      await page.getByText('Change single grants').click();
      await tick(page, 'Webhooks: Read');
      await page.getByRole('checkbox', { name: 'Webhooks: Read (Differs from the role)' }).waitFor();
      await page.getByRole('button', { name: 'Create the link' }).click();
      await page.getByRole('dialog', { name: 'The invitation is ready' }).waitFor();
      const link = new URL(await shownOnce(page));
      await page.getByRole('button', { name: 'Done' }).click();
      await page
        .getByRole('row', { name: new RegExp(email) })
        .getByText('Invited')
        .waitFor();

      const guest = await visit(`${link.pathname}${link.hash}`, { language: 'ar' });
      await guest.page.getByLabel('اسمك').fill('هدى');
      await guest.page.getByLabel('كلمة المرور').fill('correct horse battery');
      await guest.page.getByRole('button', { name: 'قبول' }).click();
      await guest.page.getByRole('heading', { name: 'الرئيسية' }).waitFor();
      await guest.page.goto('/settings/team');
      await guest.page.getByRole('row', { name: new RegExp(email) }).waitFor();
      expect(await guest.page.getByRole('button', { name: 'دعوة' }).count()).toBe(0);
      expect(guest.complaints).toEqual([]);

      await page.reload();
      await page.getByRole('row', { name: new RegExp(email) }).click();
      await page.getByRole('radio', { name: /Member/ }).check();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Changed, effective now').waitFor();
      const { body } = await ask(`GET /members?search=${email}`, { token });
      expect(body.data[0]).toMatchObject({ role: 'member', grants_withheld: ['read:Webhooks'], status: 'active' });
      await page.getByRole('row', { name: new RegExp(email) }).click();
      await page.getByRole('button', { name: 'Remove from the team' }).click();
      await page
        .getByRole('dialog', { name: `Remove ${email}?` })
        .getByRole('button', { name: 'Remove from the team' })
        .click();
      await page.getByText(`Removed: ${email}`).waitFor();
      await expect.poll(() => page.getByRole('row', { name: new RegExp(email) }).count()).toBe(0);
    });

    it('the last owner cannot be changed, and sees why', async () => {
      const { owner } = await openOwnShop(tests);
      const { page } = await visitAs(owner, '/settings/team', { language: 'ar' });
      await page.getByRole('row', { name: /أنت/ }).click();
      await page.getByRole('radio', { name: /مطّلع/ }).check();
      await page.getByRole('button', { name: 'حفظ' }).click();
      await page.getByRole('alert').getByText('هذا آخر مالك').waitFor();
    });

    it('an API key opens what its scopes name, is shown once and can be revoked', async () => {
      const { owner } = await openOwnShop(tests);
      const { page, complaints } = await visitAs(owner, '/settings/keys', { language: 'ar' });
      await page.getByText('لا مفاتيح بعد').waitFor();
      await page.getByRole('button', { name: 'مفتاح جديد' }).click();
      await page.getByLabel('الاسم').fill('شاشة المخزون');
      await tick(page, 'المنتجات: اطلاع');
      await page.getByRole('button', { name: 'إنشاء المفتاح' }).click();
      await page.getByRole('dialog', { name: 'المفتاح جاهز' }).waitFor();
      const apiKey = await shownOnce(page);
      expect((await ask('GET /skus?limit=1', { apiKey })).status).toBe(200);
      expect((await ask('GET /orders', { apiKey })).status).toBe(403);
      await page.getByRole('button', { name: 'تم', exact: true }).click();
      await page
        .getByRole('row', { name: /شاشة المخزون/ })
        .getByText('المنتجات: اطلاع')
        .waitFor();
      expect(await page.content()).not.toContain(apiKey);
      await page.getByRole('button', { name: 'إبطال: شاشة المخزون' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'إبطال' }).click();
      await page
        .getByRole('row', { name: /شاشة المخزون/ })
        .getByText('مُبطل')
        .waitFor();
      expect((await ask('GET /skus?limit=1', { apiKey })).status).toBe(401);
      expect(complaints).toEqual([]);
    });

    it('a session token acts in one’s name until it is revoked', async () => {
      const { owner } = await openOwnShop(tests);
      const { page } = await visitAs(owner, '/settings/tokens');
      await page.getByRole('button', { name: 'New token' }).click();
      await page.getByLabel('Name').fill('nightly script');
      await page.getByRole('button', { name: 'Create the token' }).click();
      await page.getByRole('dialog', { name: 'The token is ready' }).waitFor();
      const token = await shownOnce(page);
      expect((await ask('GET /organization', { token })).status).toBe(200);
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('button', { name: 'Revoke: nightly script' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page
        .getByRole('row', { name: /nightly script/ })
        .getByText('Revoked')
        .waitFor();
      expect((await ask('GET /organization', { token })).status).toBe(401);
    });

    it('a second factor is set up by its secret, and taken away by a recovery code', async () => {
      const { owner } = await openOwnShop(tests);
      const { page, complaints } = await visitAs(owner, '/settings/security', { language: 'ar' });
      await page.getByRole('button', { name: 'تفعيل' }).click();
      const password = page.getByRole('dialog').getByLabel('كلمة المرور');
      await password.fill('not this one');
      await page.keyboard.press('Enter');
      await page.getByText('هذه ليست كلمة مرورك').waitFor();
      await password.fill(owner.password);
      await page.keyboard.press('Enter');
      await page.getByRole('img', { name: 'رمز QR لتطبيق المصادقة' }).waitFor();
      const secret = await page.locator('.settings-enrol .ui-copy code').innerText();
      await page.getByLabel('الرمز من التطبيق').fill('000000');
      await page.keyboard.press('Enter');
      await page.getByText('الرمز غير صحيح').waitFor();
      await page.getByLabel('الرمز من التطبيق').fill(codeOf(secret, { now: () => new Date() }));
      await page.keyboard.press('Enter');
      const codes = page.getByRole('list', { name: 'رموز الاسترداد' }).getByRole('listitem');
      await expect.poll(() => codes.count()).toBe(10);
      const recovery = await codes.first().innerText();
      await page.getByRole('button', { name: 'حفظتها' }).click();
      await page.getByText('مفعّل', { exact: true }).waitFor();
      const refused = await ask('POST /auth/login', { body: { email: owner.email, password: owner.password } });
      expect([refused.status, refused.body.details.totp]).toEqual([401, true]);
      await page.getByRole('button', { name: 'إيقاف' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('كلمة المرور').fill(owner.password);
      await dialog.getByLabel('الرمز أو أحد رموز الاسترداد').fill(recovery);
      await dialog.getByRole('button', { name: 'إيقاف' }).click();
      await page.getByText('غير مفعّل').waitFor();
      expect(complaints).toEqual([]);
    });

    it('a password is changed without being thrown out', async () => {
      const { owner } = await openOwnShop(tests);
      const { page } = await visitAs(owner, '/settings/security');
      await page.getByLabel('Current password').fill('not mine at all');
      await page.getByLabel('New password', { exact: true }).fill('another horse battery');
      await page.getByLabel('New password again').fill('another horse battery');
      await page.getByRole('button', { name: 'Change the password' }).click();
      await page.getByText('This is not your password').waitFor();
      await page.getByLabel('Current password').fill(owner.password);
      await page.getByRole('button', { name: 'Change the password' }).click();
      await page.getByText('The password was changed').waitFor();
      const { email } = owner;
      expect((await ask('POST /auth/login', { body: { email, password: owner.password } })).status).toBe(401);
      await page.goto('/settings/tokens');
      await page.getByRole('heading', { name: 'Session tokens' }).waitFor();
      expect((await ask('POST /auth/login', { body: { email, password: 'another horse battery' } })).status).toBe(200);
    });

    it('the audit shows who changed what, by filters in the address', async () => {
      const { owner } = await openOwnShop(tests);
      const { token } = owner;
      const made = await ask('POST /auth/api-keys', { token, body: { name: 'audited', grants: ['read:Orders'] } });
      await ask(`DELETE /auth/api-keys/${made.body.id}`, { token });
      const { page } = await visitAs(owner, '/settings/audit?action=revoke');
      const row = page.getByRole('row', { name: /Revoked/ });
      await row.click();
      await page.getByRole('button', { name: 'Everything done to this record' }).click();
      await page.waitForURL(new RegExp(`id=${made.body.id}`));
      await page.getByRole('row', { name: /Created.*Name.*Permissions/ }).waitFor();
      await expect.poll(() => page.locator('[role="grid"] [data-index]').count()).toBe(2);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.waitForURL(/\/settings\/audit$/);
    });

    it('fit a telephone: the page is in sight in their list, a branch has its name, and an address breaks after its @', async () => {
      const { branch_user, owner } = shop();
      const { token } = owner;
      const branch = (await ask(`GET /branches/${branch_user.branch_iv_id}`, { token })).body;
      const { page } = await visitAs(owner, '/settings/tokens', { width: 320 });
      const current = page.getByRole('link', { name: 'Session tokens' });
      await expect.poll(async () => ((await current.boundingBox())?.x ?? 999) + 40).toBeLessThan(320);
      await page.goto('/settings/team');
      const row = page.getByRole('row').filter({ hasText: branch_user.email });
      await row.getByText(branch.name_en).waitFor();
      expect(await row.getByText(branch_user.branch_iv_id).count()).toBe(0);
      await page.goto('/settings/security');
      const address = page.locator('dd bdi', { hasText: owner.email }).first();
      await address.waitFor();
      const firstLine = await address.evaluate((element) => {
        const range = document.createRange();
        const lines = new Map<number, string>();
        for (const node of element.childNodes)
          for (let at = 0; at < (node.textContent ?? '').length; at++) {
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            const top = Math.round(range.getBoundingClientRect().top);
            lines.set(top, (lines.get(top) ?? '') + (node.textContent ?? '')[at]);
          }
        return [...lines.values()][0];
      });
      expect([owner.email, `${owner.email.split('@')[0]}@`]).toContain(firstLine);
      // All five ranges of home are seen without scrolling their row.
      await page.goto('/');
      const ranges = page.getByRole('radiogroup').first();
      await ranges.waitFor();
      expect(await ranges.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    });
  });
}
