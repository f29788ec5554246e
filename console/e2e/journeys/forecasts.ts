import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { makeGoods } from '../harness/goods.ts';
import type { ConsoleTests, PageToSee } from '../harness/index.ts';

export const forecastsPages: readonly PageToSee[] = [
  { name: 'forecasts', where: '/forecasts', ready: '[role="grid"] [data-index="0"]' },
  { name: 'consumption', where: '/forecasts?tab=consumption', ready: '[role="grid"] [data-index="0"]' },
  { name: 'past-sales', where: '/forecasts?tab=upload', ready: '.forecasts-drop' },
  { name: 'forecast', where: '/forecasts', ready: '[role="grid"] [data-index="0"]', act: openFirst },
];

async function openFirst(page: Page): Promise<void> {
  await page.locator('[role="grid"] [data-index="0"]').click();
  // Attached: the lines of an SKU that will not sell have no height, and are hidden for playwright.
  await page.locator('.chart svg .chart-line').first().waitFor({ state: 'attached' });
}

const DAY_MS = 86_400_000;

/** Ninety days, busier on Thursdays and Fridays, and a line of a SKU that is not there. */
function pastSales(sku: string): string {
  const lines = Array.from({ length: 90 }, (_, index) => {
    const day = new Date(Date.now() - (90 - index) * DAY_MS);
    return `${sku},,${day.toISOString().slice(0, 10)},${[4, 5].includes(day.getUTCDay()) ? 14 : 6},8.75,20,,`;
  });
  const header = 'sku_id,product_name_en,sale_date,qty,unit_price,current_qty,reorder_threshold,buffer';
  return [header, ...lines, 'NO-SUCH_SKU,,2024-01-05,3,,,,'].join('\n');
}

export function forecastsJourneys({ visitAs, service, shop }: ConsoleTests): void {
  describe('forecasts', () => {
    it('take past sales, say which rows are bad, and what to order of it', async () => {
      const goods = await makeGoods(service().baseUrl, shop().owner.token, { stock: 20, price: 8.75 });
      const { page, complaints } = await visitAs(shop().owner, '/forecasts?tab=upload', { language: 'ar' });
      await page.getByLabel('اختر ملف CSV').setInputFiles({
        name: 'without-dates.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('sku_id,qty\nX,1\n'),
      });
      await page.getByRole('alert').getByText('sale_date').waitFor();
      await page.getByLabel('اختر ملف CSV').setInputFiles({
        name: 'past.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(pastSales(goods.sku)),
      });
      const upload = page.locator('.forecasts-upload').filter({ hasText: 'past.csv' });
      await upload.waitFor();
      // Left, and come back to.
      await page.goto('/orders');
      await page.goto('/forecasts?tab=upload');
      await upload.getByText('حُفظ 90 سطرًا').waitFor();
      expect(await upload.getByRole('row').last().innerText()).toMatch(/92\s+sku_id\s+الصنف غير موجود/);
      await page.getByRole('tab', { name: 'ما يجب طلبه' }).click();
      await page.getByRole('searchbox', { name: 'البحث في التوقعات' }).fill(goods.sku);
      await page.waitForURL(/search=/);
      const row = page.locator('[role="grid"] [data-index="0"]').filter({ hasText: goods.sku });
      await row.waitFor();
      await row.focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/forecasts\/E2E-/);
      await page.locator('.forecast-sentence').getByText('الآن').waitFor();
      await page.getByText('يُباع كل يوم تقريبًا').waitFor();
      await page.locator('.chart').focus();
      await page.keyboard.press('End');
      expect(await page.locator('.chart [aria-live]').innerText()).toMatch(/\(.+–.+\)/);
      expect(complaints).toEqual([]);
    });

    it('go by settings, which are checked before they are sent', async () => {
      const { page } = await visitAs(shop().owner, '/forecasts');
      const open = () => page.getByRole('button', { name: 'Settings' }).click();
      const lead = page.getByLabel('Days from order to shelf');
      const change = async (from: string, to: string) => {
        await open();
        await expect.poll(() => lead.inputValue()).toBe(from);
        await lead.fill(to);
        await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      };
      await change('7', '100');
      await page.getByText('A number from 1 to 90').waitFor();
      await lead.fill('١٢');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByText('All forecasts are being recalculated').first().waitFor();
      await change('12', '7');
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    });
  });
}
