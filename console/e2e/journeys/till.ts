import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import { makeGoods, stockOf } from '../harness/goods.ts';
import type { ConsoleTests, PageToSee } from '../harness/index.ts';

export const tillPages: readonly PageToSee[] = [
  { name: 'till', where: '/till', ready: '[role="combobox"]', act: fillCart },
];

async function fillCart(page: Page): Promise<void> {
  if ((await page.locator('.till-line').count()) > 0) return;
  await page.getByRole('combobox').fill('tablets');
  const options = page.locator('[role="option"]');
  const hasVariants = /variant/i.test(await options.first().innerText());
  await options.first().click();
  // A product with variants opens them.
  if (hasVariants)
    await options
      .filter({ hasNotText: /variant/i })
      .first()
      .click();
  await page.locator('.till-line').waitFor();
}

const PAPER_80_MM = /MediaBox \[0 0 22[67]/;

export function tillJourneys({ visitAs, service, shop }: ConsoleTests): void {
  const api = () => service().baseUrl;
  describe('the till', () => {
    it('sells by keyboard alone, gives change, and prints on 80 mm', async () => {
      const { token } = shop().owner;
      const goods = await makeGoods(api(), token, { stock: 10, price: 8.5 });
      const { page, complaints } = await visitAs(shop().owner, '/till', { width: 1024 });
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox');
      // Two scans in a row, the second before the first is answered.
      await page.keyboard.type(goods.barcode);
      await page.keyboard.press('Enter');
      await page.keyboard.type(`3*${goods.barcode}`);
      await page.keyboard.press('Enter');
      const quantity = page.getByLabel(`Quantity of ${goods.name}`);
      await expect.poll(() => quantity.inputValue()).toBe('4');
      await page.keyboard.press('+');
      await page.keyboard.press('+');
      await page.keyboard.press('-');
      await expect.poll(() => quantity.inputValue()).toBe('5');
      await page.getByLabel('Discount').fill('10%');
      await page.getByRole('combobox').focus();
      await page.keyboard.press('F2');
      await page.keyboard.type('50');
      await page.getByText('Change', { exact: true }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Sold' }).waitFor();
      const receipt = page.getByRole('article', { name: 'Simplified tax invoice' });
      await receipt.getByRole('img', { name: 'QR code of the invoice' }).waitFor();
      // 5 at 8.50 less a tenth is 38.25, so 11.75 of 50 goes back.
      expect(await receipt.innerText()).toMatch(/38\.25[\s\S]*50\.00[\s\S]*11\.75/);
      expect(await stockOf(api(), token, goods.sku)).toBe(5);
      const pdf = await page.pdf({ preferCSSPageSize: true });
      expect(pdf.toString('latin1')).toMatch(PAPER_80_MM);
      await expect.poll(() => receipt.count()).toBe(1);
      await page.keyboard.press('Enter');
      await page.getByText('The cart is empty').waitFor();
      expect(complaints).toEqual([]);
    });

    it('says what is short, and sells what is left', async () => {
      const { token } = shop().owner;
      const goods = await makeGoods(api(), token, { stock: 2, price: 12 });
      const { page } = await visitAs(shop().owner, '/till', { language: 'ar' });
      await page.getByRole('combobox').fill(`3*${goods.barcode}`);
      await page.keyboard.press('Enter');
      await page.getByText('المسجّل في المخزون 2').waitFor();
      await page.getByRole('radio', { name: 'مدى' }).click();
      await page.getByRole('button', { name: /^تحصيل/ }).click();
      const refusal = page.getByRole('alert').filter({ hasText: 'الكمية لا تكفي' });
      await refusal.getByText('المتبقي 2 والمطلوب 3').waitFor();
      expect(await stockOf(api(), token, goods.sku)).toBe(2);
      await refusal.getByRole('button', { name: 'بيع المتبقي فقط' }).click();
      await page.getByRole('button', { name: /^تحصيل/ }).click();
      await page.getByRole('heading', { name: 'تم البيع' }).waitFor();
      expect(await stockOf(api(), token, goods.sku)).toBe(0);
    });

    it('sells once what was lost on the way, even after a reload', async () => {
      const { token } = shop().owner;
      const goods = await makeGoods(api(), token, { stock: 7, price: 3 });
      const { page, context } = await visitAs(shop().owner, '/till');
      await page.getByRole('combobox').fill(goods.barcode);
      await page.keyboard.press('Enter');
      await page.getByLabel(`Quantity of ${goods.name}`).waitFor();
      // The service sells, but the till hears nothing of it.
      let arrived = 0;
      await page.route('**/api/v1/till/orders', async (route) => {
        arrived += 1;
        if (arrived === 1) await route.fetch();
        await route.abort('internetdisconnected');
      });
      await page.keyboard.press('F9');
      await page.getByText('The connection was lost during the sale').waitFor();
      expect(await stockOf(api(), token, goods.sku)).toBe(6);
      expect(await page.getByRole('combobox').isDisabled()).toBe(true);
      const arrivedBefore = arrived;
      await page.reload();
      await page.getByText('The connection was lost during the sale').waitFor();
      // The page asks by itself once it is drawn. Connected before that, it would have sold by the time the connection comes back.
      await expect.poll(() => arrived).toBeGreaterThan(arrivedBefore);
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      await page.unroute('**/api/v1/till/orders');
      // The connection comes back twice while the sale is asked for: it is asked for once.
      let asked = 0;
      const heard = Promise.withResolvers<void>();
      await page.route('**/api/v1/till/orders', async (route) => {
        asked += 1;
        await heard.promise;
        await route.continue();
      });
      await context.setOffline(true);
      await context.setOffline(false);
      await expect.poll(() => asked).toBe(1);
      await page.evaluate(() => window.dispatchEvent(new Event('online')));
      heard.resolve();
      await page.getByRole('heading', { name: 'Sold' }).waitFor();
      expect(await stockOf(api(), token, goods.sku)).toBe(6);
      await page.getByRole('button', { name: 'New sale' }).click();
      await page.getByText('The cart is empty').waitFor();
      expect(asked).toBe(1);
    });
  });

  it('keeps a cart for each tab, brings back what was removed, and offers the cart of a closed tab', async () => {
    const { token } = shop().owner;
    const one = await makeGoods(api(), token, { stock: 9, price: 5, name: 'First tab' });
    const other = await makeGoods(api(), token, { stock: 9, price: 6, name: 'Second tab' });
    const look = { isNewTab: true };
    const { page, context, complaints, picture } = await visitAs(shop().owner, '/till', look);
    const scan = async (tab: Page, goods: typeof one) => {
      await expect.poll(() => tab.getByRole('combobox').isEnabled()).toBe(true);
      await tab.getByRole('combobox').fill(goods.barcode);
      await tab.keyboard.press('Enter');
      await tab.getByLabel(`Quantity of ${goods.name}`).waitFor();
    };
    await scan(page, one);
    // Begins with a copy of the first tab's storage, as a duplicated tab does.
    const opened = context.waitForEvent('page');
    await page.evaluate(() => void window.open('/till'));
    const second = await opened;
    await scan(second, other);
    for (const tab of [page, second]) await tab.reload();
    await page.getByLabel(`Quantity of ${one.name}`).waitFor();
    await second.getByLabel(`Quantity of ${other.name}`).waitFor();
    expect(await page.locator('.till-line').count()).toBe(1);
    expect(await second.locator('.till-line').count()).toBe(1);

    await page.getByRole('button', { name: 'Empty the cart' }).click();
    await page.getByText('The cart is empty').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByLabel(`Quantity of ${one.name}`).waitFor();
    await page.getByRole('combobox').focus();
    await page.keyboard.press('Delete');
    await page.getByText('The cart is empty').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByLabel(`Quantity of ${one.name}`).waitFor();

    await second.close();
    const openTabs = async () => {
      const { held = [] } = await navigator.locks.query();
      return held.filter(({ name }) => name?.startsWith('dukkan tab')).length;
    };
    await expect.poll(() => page.evaluate(openTabs)).toBe(1);
    await page.reload();
    await page.getByText('A cart with 1 item was left in a closed tab').waitFor();
    await picture('till-left-cart');
    await page.getByRole('button', { name: 'Continue with it' }).click();
    await page.getByLabel(`Quantity of ${other.name}`).waitFor();
    await page.getByRole('button', { name: 'Empty the cart' }).click();
    expect(complaints).toEqual([]);
  });

  it('shows no way to charge to an account that may not sell', async () => {
    const { page } = await visitAs(shop().viewer, '/till');
    await page.getByText('but not sell').waitFor();
    expect(await page.getByRole('button', { name: /^Charge/ }).count()).toBe(0);
  });

  it('an account of one branch sells there, and sees that branch alone', async () => {
    const { branch_user, owner } = shop();
    const goods = await makeGoods(api(), owner.token, { branch: branch_user.branch_iv_id, stock: 4, price: 20 });
    const branch = (await call(api(), `GET /branches/${branch_user.branch_iv_id}`, { token: owner.token })).body;
    const { page, complaints } = await visitAs(branch_user, '/till');
    await page.getByText(branch.name_en).first().waitFor();
    expect(await page.getByRole('button', { name: /Choose the branch/ }).count()).toBe(0);
    await page.getByRole('combobox').fill(goods.barcode);
    await page.keyboard.press('Enter');
    await page.getByLabel(`Quantity of ${goods.name}`).waitFor();
    await page.keyboard.press('F9');
    await page.getByRole('heading', { name: 'Sold' }).waitFor();
    await page.getByRole('img', { name: 'QR code of the invoice' }).waitFor();
    await page.getByRole('link', { name: /^Order / }).click();
    await page.locator('.order-lines').getByText(goods.name).waitFor();
    await page.getByRole('link', { name: 'All orders' }).click();
    const cells = page.locator('[role="grid"] [data-index] [role="gridcell"]').filter({ hasText: branch.name_en });
    await cells.first().waitFor();
    // Counted in one go: the rows below the window follow the first ones.
    const others = page.locator('[role="grid"] [data-index]').filter({ hasNotText: branch.name_en });
    expect(await others.count()).toBe(0);
    // What is the whole organization's is not offered.
    await page.goto('/forecasts');
    await page.getByRole('tab', { name: 'Consumption' }).waitFor();
    expect(await page.getByRole('tab', { name: 'Past sales' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Settings' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
}
