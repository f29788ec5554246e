import { describe, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import { axeViolations } from '../harness/axe.ts';
import { answerDashboard } from '../harness/dashboard-answers.ts';
import { makeGoods } from '../harness/goods.ts';
import { type ConsoleTests, type PageToSee, settled } from '../harness/index.ts';

export const homePages: readonly PageToSee[] = [{ name: 'home', where: '/', ready: '.home-figure strong' }];

export function homeJourneys({ visitAs, service, shop }: ConsoleTests): void {
  describe('home', () => {
    it.each(['en', 'ar'] as const)(
      '%s: a section that fails is alone with it, and an alert leads to its cause',
      async (language) => {
        const { page, complaints, picture } = await visitAs(shop().owner, '/', {
          language,
          prepare: (opened) => answerDashboard(opened, ['apps']),
        });
        await page.locator('.home-alert a').first().waitFor();
        await settled(page);
        await picture(`home-data-${language}`);
        expect(await page.getByRole('alert').count()).toBe(1);
        expect(await page.locator('.home-figure').count()).toBe(10);
        expect(await axeViolations(page)).toEqual([]);
        // By keyboard, in the direction of reading; what it says is read out.
        await page.locator('.chart').focus();
        await page.keyboard.press(language === 'ar' ? 'ArrowRight' : 'ArrowLeft');
        await page.locator('.chart-tip').waitFor();
        expect(await page.locator('.chart [aria-live]').innerText()).toMatch(language === 'ar' ? /ر\.س/ : /SAR/);
        await page.locator('.home-alert a').first().click();
        await page.waitForURL(/\/orders\?status=CANCELLED$/);
        expect(complaints).toEqual([]);
      },
    );

    it('does not claim to be live without a connection, and counts a new order by itself', async () => {
      const { page, context } = await visitAs(shop().owner, '/');
      await page.locator('.frame-live[data-state="live"]').waitFor();
      await page.getByText(/Updated \d/).waitFor();
      await context.setOffline(true);
      await page.locator('.frame-live[data-state="waiting"]').waitFor();
      await context.setOffline(false);
      await page.locator('.frame-live[data-state="live"]').waitFor();

      const orders = page.getByRole('region', { name: 'Figures' }).locator('.home-figure').nth(1).locator('strong');
      const before = Number((await orders.innerText()).replaceAll(',', ''));
      const { owner } = shop();
      const goods = await makeGoods(service().baseUrl, owner.token, { stock: 5, price: 10 });
      const sale = {
        branch_iv_id: goods.branch,
        lines: [{ sku_iv_id: goods.sku, quantity: 1 }],
        payment_method: 'cash',
      };
      const sold = await call(service().baseUrl, 'POST /till/orders', { token: owner.token, body: sale });
      expect(sold.status).toBe(201);
      await expect.poll(async () => Number((await orders.innerText()).replaceAll(',', ''))).toBeGreaterThan(before);
    });
  });
}
