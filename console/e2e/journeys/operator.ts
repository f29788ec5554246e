import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answerOf } from '../../../src/cli/testing/run-line.ts';
import { withSecondFactor } from '../../../src/modules/identity/testing/second-factor.ts';
import { call, testOrganization } from '../../../test/harness/index.ts';
import type { ConsoleTests, PageToSee } from '../harness/index.ts';

const row = '[role="grid"] [data-index="0"]';
const openFirst = async (page: Page) => {
  await page.locator(row).click();
  await page.locator('.ui-figures').waitFor();
};
const press = async (page: Page, name: string) => {
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('dialog').waitFor();
};

export const operatorPages: readonly PageToSee[] = (
  [
    { name: 'overview', where: '/operator', ready: '.overview-ages' },
    { name: 'organizations', where: '/operator/organizations', ready: row },
    { name: 'organization', where: '/operator/organizations', ready: row, act: openFirst },
    { name: 'money', where: '/operator/money', ready: row },
    { name: 'adjustments', where: '/operator/money?tab=adjustments', ready: '.ui-table, .ui-state' },
    { name: 'plans', where: '/operator/money?tab=plans', ready: row },
    { name: 'services', where: '/operator/money?tab=services', ready: '.ui-table, .ui-state' },
    { name: 'assignments', where: '/operator/money?tab=assignments', ready: '.ui-table, .ui-state' },
    { name: 'partners', where: '/operator/partners', ready: '.ui-table, .ui-state' },
    { name: 'leads', where: '/operator/leads', ready: row },
    {
      name: 'lead',
      where: '/operator/leads',
      ready: row,
      act: async (page) => {
        await page.locator(row).click();
        await page.getByRole('dialog').waitFor();
      },
    },
    { name: 'announcements', where: '/operator/announcements', ready: '.announcements-post, .ui-state' },
    {
      name: 'announcement',
      where: '/operator/announcements',
      ready: '.ui-page-tools button',
      act: async (page) => {
        await page.locator('.ui-page-head button').click();
        await page.getByRole('dialog').waitFor();
      },
    },
    { name: 'system', where: '/operator/system', ready: '.system-status' },
    { name: 'audit', where: '/operator/system?tab=audit', ready: '.ui-table' },
  ] satisfies PageToSee[]
).map((page) => ({ ...page, name: `operator-${page.name}`, as: 'operator' as const }));

const PDF = Buffer.from('%PDF-1.4\nthe receipt\n%%EOF\n');
const receipt = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: PDF };
let made = 0;

export function operatorJourneys({ visitAs, service, shop, logins }: ConsoleTests): void {
  const operator = () => logins().commercial;
  const ask = (target: string, body?: unknown) =>
    call(service().baseUrl, target, { token: operator().token, ...(body === undefined ? {} : { body }) });

  /** A tenant of its own: no other journey reads its money. */
  async function tenant(fees: readonly { branch: string; total: number; due: string }[] = []) {
    const { sql } = service();
    const { id, owner } = await testOrganization(sql);
    made += 1;
    const name = `Journey shop ${made}`;
    await sql`update organizations set name_en = ${name}, name_ar = ${`متجر الرحلة ${made}`} where id = ${id}`;
    for (const { branch, total, due } of fees) {
      const branchId = crypto.randomUUID();
      await sql`insert into branches (organization_id, id, iv_id, name_en, created, updated)
        values (${id}, ${branchId}, ${branch}, ${branch}, now(), now())`;
      await sql`
        insert into branch_fees (organization_id, id, branch_iv_id, period, due_date, amount_sar, vat_sar, paid_sar, status, created)
        values (${id}, ${crypto.randomUUID()}, ${branch}, date_trunc('month', ${due}::date), ${due}, ${total}, 0, 0, 'pending', now())`;
    }
    return { id, owner, name };
  }

  describe('operator', () => {
    it('lands on the portal and goes on by keyboard; a merchant sees that it is the operator’s', async () => {
      const { page, complaints } = await visitAs(operator(), '/');
      await page.waitForURL(/\/operator$/);
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      await page.getByText('Every payment received is in the ledger').waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('n');
      await page.waitForURL(/\/operator\/organizations$/);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('searchbox').fill('Tihama');
      await page.getByRole('menuitem', { name: 'Tihama Grocers' }).click();
      await page.getByRole('heading', { name: 'Tihama Grocers' }).waitFor();
      await page.getByRole('button', { name: 'العربية' }).click();
      await page.locator('.frame-organization').getByText('دكان').first().waitFor();
      expect(complaints).toEqual([]);

      const merchant = await visitAs(shop().owner, '/operator/money', { language: 'ar' });
      await merchant.page.getByText('هذا القسم لمشغّل الخدمة').waitFor();
      expect(await merchant.page.getByRole('link', { name: 'المنشآت' }).count()).toBe(0);
      expect(merchant.complaints).toEqual([]);
    });

    it('opens an organization and has the link for its owner', async () => {
      const { page, complaints } = await visitAs(operator(), '/operator/organizations');
      await press(page, 'Open an organization');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Open it' }).click();
      await dialog.getByText('This is required').first().waitFor();
      await dialog.getByLabel('Name in English').fill('Hail Roasters');
      await dialog.getByLabel('Name in Arabic').fill('محامص حائل');
      await dialog.getByLabel('Email of its owner').fill('owner@hail.example');
      await dialog.getByRole('button', { name: 'Open it' }).click();
      const link = await dialog.getByLabel('Invitation link').inputValue();
      expect(link).toMatch(/^https?:\/\/.+invite/);
      await dialog.getByRole('button', { name: 'Go to the organization' }).click();
      await page.getByRole('heading', { name: 'Hail Roasters' }).waitFor();
      await page.getByText('Nothing is owed').waitFor();
      await page.goto('/operator/organizations');
      await page.getByRole('searchbox').fill('حائل');
      await page.waitForURL(/search=/);
      await expect.poll(() => page.locator('[data-index]').count()).toBe(1);
      expect(complaints).toEqual([]);
    });

    it("removes a member's second factor by the address", async () => {
      const { owner } = await testOrganization(service().sql);
      await withSecondFactor(service().baseUrl, owner, { now: () => new Date() });
      const { page, complaints } = await visitAs(operator(), '/operator/organizations', { language: 'ar' });
      await press(page, 'إزالة التحقق بخطوتين');
      const dialog = page.getByRole('dialog');
      const send = dialog.getByRole('button', { name: 'إزالة', exact: true });
      await dialog.getByLabel('بريد الحساب').fill('unknown@tests.example');
      await dialog.getByLabel('السبب').fill('فقد الجوال');
      await send.click();
      await dialog.getByText('لا حساب بهذا البريد').waitFor();
      await dialog.getByLabel('بريد الحساب').fill(owner.email);
      await send.click();
      await page.getByText(`أُزيل التحقق بخطوتين للحساب ${owner.email}`).waitFor();
      const { email, password } = owner;
      expect((await call(service().baseUrl, 'POST /auth/login', { body: { email, password } })).status).toBe(200);
      expect(complaints).toEqual([]);
    });

    it('records a payment: the oldest fees are paid, the rest stays in the wallet', async () => {
      const { id } = await tenant([
        { branch: 'OLD-1', total: 287.5, due: '2026-08-15' },
        { branch: 'NEW-2', total: 172.5, due: '2026-09-15' },
      ]);
      const { page, complaints } = await visitAs(operator(), `/operator/organizations/${id}`, { language: 'ar' });
      await page.getByRole('cell', { name: 'OLD-1' }).waitFor();
      await press(page, 'تسجيل دفعة');
      const dialog = page.getByRole('dialog');
      // Digits as an Arabic keyboard writes them.
      await dialog.getByLabel('المبلغ بالريال').fill('٥٠٠٫٢٥');
      await dialog.getByLabel('المرجع').fill('TRF-77');
      await dialog.getByRole('button', { name: 'تسجيل', exact: true }).click();
      await dialog.getByRole('cell', { name: 'OLD-1' }).waitFor();
      await expect.poll(() => dialog.locator('tfoot').innerText()).toMatch(/40\.25[\s\S]*40\.25/);
      await dialog.getByRole('button', { name: 'تم' }).click();
      await page.getByText('لا مستحقات عليها').waitFor();
      await page.getByText('TRF-77').waitFor();
      const { body } = await ask(`GET /commercial/organizations/${id}/ledger`);
      expect(body.data.map((entry: { entry_type: string }) => entry.entry_type).sort()).toEqual([
        'branch_fee',
        'branch_fee',
        'topup',
      ]);
      expect(complaints).toEqual([]);
    });

    it('gives credit, which does exactly what was shown before, once', async () => {
      const { id } = await tenant([
        { branch: 'OLD-1', total: 100, due: '2026-08-15' },
        { branch: 'NEW-2', total: 80.4, due: '2026-09-15' },
      ]);
      const { page, complaints } = await visitAs(operator(), `/operator/organizations/${id}`);
      await press(page, 'Give credit');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Amount in SAR').fill('150.10');
      await dialog.getByLabel('Why').fill('A day without orders');
      const shown = dialog.getByRole('table', { name: 'What this credit does' });
      await shown.getByText('SAR 50.10').waitFor();
      const before = await shown.innerText();
      await dialog.getByRole('button', { name: 'Apply SAR 150.10' }).click();
      await dialog.getByText('Applied as shown.').waitFor();
      expect(await dialog.getByRole('table').innerText()).toBe(before);
      await dialog.getByRole('button', { name: 'Done' }).click();
      await page.getByText('A day without orders').waitFor();
      const { body } = await ask(
        `GET /commercial/organizations?search=${encodeURIComponent('Journey shop')}&limit=100`,
      );
      expect(body.data.find((one: { id: string }) => one.id === id)).toMatchObject({
        outstanding_sar: 30.3,
        balance_sar: 0,
      });
      await page.goto('/operator/money?tab=adjustments');
      await page.getByText('A day without orders').first().waitFor();
      expect(complaints).toEqual([]);
    });

    it('suspends with a reason that its people read, and resumes', async () => {
      const { id, owner, name } = await tenant();
      const { page, complaints } = await visitAs(operator(), `/operator/organizations/${id}`);
      // Counts have no fractions, also where nothing was counted.
      await expect.poll(() => page.locator('.chart-grid + .chart-label').allTextContents()).toEqual(['0', '1']);
      await press(page, 'Suspend');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').fill('Papers are missing');
      await dialog.getByRole('button', { name: 'Suspend' }).click();
      await page.getByText('Its members see: “Papers are missing”').waitFor();
      const own = await call(service().baseUrl, 'GET /billing', { token: owner.token });
      expect(own.text).toContain('Papers are missing');
      expect(await page.getByRole('button', { name: 'Suspend' }).count()).toBe(0);
      await press(page, 'Resume');
      await dialog.getByLabel('Reason').fill('They came');
      await dialog.getByRole('button', { name: 'Resume' }).click();
      await page.getByText(`${name} is open again`).waitFor();
      await page.getByRole('link', { name: 'Full audit log' }).click();
      await page.waitForURL(/tab=audit/);
      await page.getByRole('cell', { name: 'Resumed' }).waitFor();
      await page.getByText('Changed: Status and Reason for the suspension').first().waitFor();
      await page.getByRole('cell', { name: 'Suspended' }).waitFor();
      expect(complaints).toEqual([]);
    });

    it('keeps a catalog with files, and assigns from it', async () => {
      const apps = await call(service().baseUrl, 'GET /apps?limit=100', { token: shop().owner.token });
      const taken = await ask('GET /commercial/billable-services/assignments');
      const used = new Set(taken.body.items.map((one: { organization_app_id: string }) => one.organization_app_id));
      const install = apps.body.data.find((one: { id: string }) => !used.has(one.id)).id as string;
      const { page, complaints } = await visitAs(operator(), '/operator/money?tab=services');
      await press(page, 'New service');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Code').fill('JOURNEY-CARE');
      await dialog.getByLabel('Name in English').fill('Journey care');
      await dialog.getByLabel('Price in SAR, without VAT').fill('99.50');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await page.getByText('Journey care is in the catalog').waitFor();
      await page.getByRole('gridcell', { name: 'Journey care' }).click();
      await dialog.locator('input[type="file"]').setInputFiles(receipt);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Download receipt.pdf' }).click(),
      ]);
      expect(readFileSync(await file.path()).equals(PDF)).toBe(true);
      await dialog.getByRole('button', { name: 'Cancel' }).click();

      await page.getByRole('tab', { name: 'Assignments' }).click();
      await press(page, 'Assign a service');
      await dialog.getByLabel('Installed app').fill(install);
      await dialog.getByRole('button', { name: /^Service|Service$/ }).click();
      await page.getByRole('option', { name: 'Journey care' }).click();
      await dialog.getByLabel('Quantity').fill('3');
      await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
      await page.getByText('SAR 298.50').waitFor();
      await page.getByRole('gridcell', { name: 'Journey care' }).click();
      await dialog.getByRole('radio', { name: 'Paused' }).click();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('gridcell', { name: 'Paused' }).waitFor();
      await page.getByRole('gridcell', { name: 'Journey care' }).click();
      await dialog.getByRole('button', { name: 'End it' }).click();
      await page.getByRole('dialog', { name: 'End this assignment?' }).getByRole('button', { name: 'End it' }).click();
      await page.getByText('The assignment has ended').waitFor();
      expect(complaints).toEqual([]);
    });

    it('pays a partner, no more than is due, and has the receipt to itself', async () => {
      const { platform } = service();
      const { id } = await tenant();
      const partner = await answerOf(platform, 'partner', 'create', '--name', 'Rahal', '--erp', 'Odoo', '--rate', '10');
      const partnerId = partner.partner_id ?? '';
      await answerOf(platform, 'partner', 'tenant', partnerId, '--organization', id);
      const payee = ['--name', 'Mona', '--email', 'mona@rahal.example', '--iban', 'SA0380000000608010167519'];
      await answerOf(platform, 'partner', 'payee', partnerId, ...payee);
      const payment = { organization_id: id, amount_sar: 1000, method: 'cash', reference: 'R-1' };
      expect((await ask('POST /commercial/payments', payment)).status).toBe(201);
      const { page, complaints } = await visitAs(operator(), '/operator/partners', { language: 'ar' });
      const card = page.getByRole('region', { name: 'Rahal' });
      await card.getByRole('button', { name: 'تسجيل تحويل' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('المبلغ بالريال').fill('100.01');
      await dialog.getByText('لا يُستحق أكثر من').waitFor();
      await dialog.getByLabel('المبلغ بالريال').fill('60');
      await dialog.getByLabel('مرجع البنك').fill('SNB-RAHAL-1');
      await dialog.locator('input[type="file"]').setInputFiles(receipt);
      await dialog.getByRole('button', { name: 'تسجيل', exact: true }).click();
      await page.getByText('سُجّل تحويل بمبلغ').waitFor();
      await expect.poll(() => card.innerText()).toContain('40.00');
      await page.getByRole('tab', { name: 'التحويلات' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'تنزيل إيصال SNB-RAHAL-1' }).click(),
      ]);
      expect(file.suggestedFilename()).toBe('SNB-RAHAL-1.pdf');
      expect(readFileSync(await file.path()).equals(PDF)).toBe(true);
      expect(complaints).toEqual([]);
    });

    it('finds a lead, and announces in both languages to whom it is for', async () => {
      const lead = {
        name: 'سلمى الأحمدي',
        email: 'salma@journey.example',
        phone: '+966500009999',
        notes: 'Call after asr',
      };
      await call(service().baseUrl, 'POST /leads', { body: lead });
      const { page, complaints } = await visitAs(operator(), '/operator/leads', { language: 'ar' });
      await page.getByRole('searchbox').fill('الاحمدي');
      await page.waitForURL(/search=/);
      await page.locator(row).click();
      await page.getByText('Call after asr').waitFor();
      await page.getByRole('dialog').getByRole('link', { name: 'فتح منشأة له' }).click();
      await expect.poll(() => page.getByLabel('بريد المالك').inputValue()).toBe('salma@journey.example');
      await page.keyboard.press('Escape');

      const { owner, name } = await tenant();
      await page.goto('/operator/announcements');
      await press(page, 'إعلان جديد');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('العنوان بالإنجليزية').fill('Night of work');
      await dialog.getByLabel('العنوان بالعربية').fill('ليلة صيانة');
      await dialog.getByRole('radio', { name: 'بعضهم' }).click();
      await dialog.getByText(name.replace('Journey shop', 'متجر الرحلة'), { exact: true }).click();
      await dialog.getByRole('button', { name: 'نشر' }).click();
      await page.getByRole('heading', { name: 'ليلة صيانة' }).waitFor();
      const seen = async (token: string) =>
        (await call(service().baseUrl, 'GET /analytics/dashboard?sections=posts', { token })).text;
      expect(await seen(owner.token)).toContain('Night of work');
      expect(await seen(shop().owner.token)).not.toContain('Night of work');
      await page.getByRole('button', { name: 'تعديل «ليلة صيانة»' }).click();
      await dialog.getByLabel('العنوان بالعربية').fill('ليلة عمل');
      await dialog.getByRole('button', { name: 'حفظ' }).click();
      await page.getByRole('button', { name: 'حذف «ليلة عمل»' }).click();
      await dialog.getByRole('button', { name: 'حذف', exact: true }).click();
      await page.getByText('حُذف الإعلان').waitFor();
      await expect.poll(() => page.getByRole('heading', { name: 'ليلة عمل' }).count()).toBe(0);
      expect(complaints).toEqual([]);
    });

    it('sees how the service does, in its own figures, as they change', async () => {
      const { page, complaints } = await visitAs(operator(), '/operator/system');
      await page.getByText('Everything is running').waitFor();
      const { body } = await ask('GET /health/system');
      const connectors = page.getByRole('region', { name: 'Connectors' });
      expect(await connectors.innerText()).toContain(String(body.system_health.registry_metrics.total_factories));
      await page.route('**/api/v1/health/system', (route) =>
        route.fulfill({ json: { ...body, status: 'degraded', uptime_seconds: 93_784 } }),
      );
      await page.goto('/operator/system');
      await page.getByText('Running, with warnings').waitFor();
      await page.getByText('1 day and 2 hours').waitFor();
      expect(complaints).toEqual([]);
    });
  });
}
