import { describe, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import type { ConsoleTests } from '../harness/index.ts';
import { openOwnShop } from './own-shop.ts';

const row = '[role="grid"] [data-index="0"]';

export function feesAndLeadsJourneys(tests: ConsoleTests): void {
  const { visitAs, service, logins, shop } = tests;

  describe('fees and leads', () => {
    it('an operator moves a lead to another stage and writes a note, which the filter finds', async () => {
      const lead = { name: 'Majed Pipeline', email: 'majed@journey.example' };
      await call(service().baseUrl, 'POST /leads', { body: lead });
      const { page, complaints } = await visitAs(logins().commercial, '/operator/leads?search=majed');
      await page.locator(row).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Stage' }).click();
      await page.getByRole('option', { name: 'Qualified' }).click();
      await page.getByText('Saved').first().waitFor();
      await dialog.getByLabel('New note').fill('Wants a demo on Sunday');
      await dialog.getByRole('button', { name: 'Add note' }).click();
      await dialog.getByText('Wants a demo on Sunday').last().waitFor();
      await expect.poll(() => dialog.getByLabel('New note').inputValue()).toBe('');
      await page.goto('/operator/leads?stage=qualified&search=majed');
      await page.locator(row).getByText('1 note').waitFor();
      expect(complaints).toEqual([]);
    });

    it('a merchant pays a fee in the sandbox and sees its tax invoice', async () => {
      const { id, owner } = await openOwnShop(tests);
      const { sql } = service();
      await sql`
        insert into branch_fees (organization_id, id, branch_iv_id, period, due_date, amount_sar, vat_sar, paid_sar, status, created)
        values (${id}, ${crypto.randomUUID()}, 'OWN-1', '2026-01-01', '2026-01-15', 100, 15, 0, 'pending', now())`;
      const { page, complaints } = await visitAs(owner, '/settings/billing');
      await page.getByRole('button', { name: 'Pay now' }).click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.getByLabel('Amount in SAR').inputValue()).toBe('115.00');
      await dialog.getByRole('button', { name: 'Continue to payment' }).click();
      await page.waitForURL(/checkout=/);
      await dialog.getByRole('button', { name: 'Confirm payment' }).click();
      await page.getByText('Nothing is owed').waitFor();
      const billing = await call(service().baseUrl, 'GET /billing', { token: owner.token });
      expect(billing.body.fees.outstanding_sar).toBe(0);

      const invoiced = await visitAs(shop().owner, '/settings/billing', { language: 'ar' });
      await invoiced.page.getByRole('tab', { name: 'الفواتير الضريبية' }).click();
      await invoiced.page.locator(row).click();
      const invoice = invoiced.page.getByRole('dialog');
      await invoice.getByRole('heading', { name: 'فاتورة ضريبية' }).waitFor();
      await invoice.getByText('شركة دكان للتشغيل').waitFor();
      expect([...complaints, ...invoiced.complaints]).toEqual([]);
    });
  });
}
