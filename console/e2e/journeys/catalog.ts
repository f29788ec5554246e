import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import type { ConsoleTests, PageToSee, Visit } from '../harness/index.ts';

const FIRST_ROW = '[role="grid"] [data-index="0"]';

export const catalogPages: readonly PageToSee[] = [
  { name: 'products', where: '/products', ready: FIRST_ROW },
  {
    name: 'products-grouped',
    where: '/products?variants=grouped&sort=name_en',
    ready: '.variant-toggle',
    act: openGroup,
  },
  { name: 'product', where: '/products', ready: FIRST_ROW, act: openFirst },
  { name: 'product-new', where: '/products', ready: FIRST_ROW, act: openForm },
  { name: 'products-import', where: '/products/import', ready: '.import-drop', act: chooseFile },
  { name: 'matrix', where: '/matrix', ready: '.matrix-stock' },
  { name: 'brands', where: '/brands', ready: '[role="table"] [data-index="0"]' },
];

async function openFirst(page: Page): Promise<void> {
  await page.locator(FIRST_ROW).click();
  await page.locator('[role="table"] [data-index="0"]').last().waitFor();
}

async function openGroup(page: Page): Promise<void> {
  await page.locator('.variant-toggle').first().click();
  await page.locator('.variant-member').first().waitFor();
}

async function openForm(page: Page): Promise<void> {
  await page.keyboard.press('c');
  await page.getByRole('dialog').waitFor();
}

async function chooseFile(page: Page): Promise<void> {
  await giveFile(page, 'mixed.csv', 'iv_id,name_en,average_price\nA-1,Water,2.5\nA-2,Juice,cheap\n');
  await page.locator('.import-bar').waitFor();
}

function giveFile(page: Page, name: string, text: string): Promise<void> {
  return page
    .locator('input[type="file"]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text, 'utf8') });
}

export function catalogJourneys({ visitAs, service, shop }: ConsoleTests): void {
  const asOwner = (route: string, body?: object) =>
    call(service().baseUrl, route, { token: shop().owner.token, ...(body && { body }) });
  const product = async (ivId: string) => (await asOwner(`GET /products/code/${ivId}`)).body;
  const create = async (given: { iv_id: string } & Record<string, unknown>) =>
    expect((await asOwner('POST /products', given)).status).toBe(201);

  describe('catalog', () => {
    it('a product is made, changed where it stands, and deleted', async () => {
      await create({ iv_id: 'E2E-TAKEN', name_en: 'Holder of a barcode', barcode: '4006381333931' });
      const { page, complaints } = await visitAs(shop().owner, '/products');
      await page.getByRole('button', { name: 'New product' }).click();
      const form = page.getByRole('dialog');
      await form.getByRole('button', { name: 'Create' }).click();
      await form.getByText('This is required').waitFor();
      await form.getByLabel('Code', { exact: true }).fill('E2E-1');
      await form.getByLabel('Name in English').fill('Cedar honey 500 g');
      await form.getByLabel('Price', { exact: true }).fill('42.5');
      await form.getByLabel('Barcode', { exact: true }).fill('4006381333931');
      await form.getByRole('button', { name: 'Create' }).click();
      await form.getByText('Another product has this barcode').waitFor();
      await form.getByLabel('Barcode', { exact: true }).fill('');
      await form.getByRole('button', { name: 'Create' }).click();
      await page.waitForURL(/\/products\/E2E-1$/);

      await page.getByRole('button', { name: /^Price: .*42\.50/ }).click();
      await page.getByRole('textbox', { name: 'Price', exact: true }).fill('minus one');
      await page.keyboard.press('Enter');
      await page.getByText('A number, such as 18.95').waitFor();
      await page.getByRole('textbox', { name: 'Price', exact: true }).fill('39.95');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /^Price: .*39\.95/ }).waitFor();
      await page.getByRole('button', { name: /^Barcode/ }).click();
      await page.keyboard.type('4006381333931');
      await page.keyboard.press('Enter');
      await page.getByText('Another product has this barcode').waitFor();
      await page.getByRole('textbox', { name: 'Barcode' }).fill('6281086010006');
      await page.keyboard.press('Enter');
      await page.getByRole('img', { name: 'Barcode 6281086010006' }).waitFor();
      // Chosen by typing a part of its name.
      const { name_en } = (await asOwner('GET /brands?limit=1')).body.data[0];
      await page.getByRole('combobox', { name: 'Brand' }).fill(name_en);
      await page.getByRole('option', { name: name_en }).first().click();
      await expect.poll(async () => (await product('E2E-1')).brand_id).not.toBeNull();
      expect(await product('E2E-1')).toMatchObject({
        average_price: 39.95,
        barcode: '6281086010006',
        name_en: 'Cedar honey 500 g',
      });

      await page.getByRole('button', { name: 'Other actions' }).click();
      await page.getByRole('menuitem', { name: 'Delete product' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete product' }).click();
      await page.getByText('Product deleted').waitFor();
      await page.waitForURL(/\/products$/);
      expect((await asOwner('GET /products/code/E2E-1')).status).toBe(404);
      expect(complaints).toEqual([]);
    });

    it('variants are one row that opens, and a product leads to its siblings', async () => {
      for (const size of ['330 ml', '1.5 L'])
        await create({ iv_id: `E2E-V-${size[0]}`, name_en: `Zamzam spring water ${size}`, average_price: 2 });
      const { page, complaints } = await visitAs(shop().owner, '/products?search=zamzam%20spring');
      const rows = page.locator('[role="grid"] [data-index]');
      await expect.poll(() => rows.count()).toBe(2);
      await page.getByText('Group variants').click();
      await page.waitForURL(/variants=grouped/);
      await expect.poll(() => rows.count()).toBe(1);
      await page.getByRole('button', { name: 'Show the variants of Zamzam spring water: 2 variants' }).waitFor();
      await rows.first().focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => rows.count()).toBe(3);
      await rows.nth(1).click();
      const siblings = page.getByRole('table', { name: 'Variants' });
      await siblings.getByText('This product').waitFor();
      await siblings.locator('a[href*="/products/"]').click();
      await page.waitForURL(/\/products\/E2E-V-/);
      expect(complaints).toEqual([]);
    });

    it('two users change one product: different fields both stay, and the same field is asked about', async () => {
      await create({ iv_id: 'E2E-TWO', name_en: 'Shared dates', average_price: 10 });
      const change = async ({ page }: Visit, field: string, text: string) => {
        await page.getByRole('button', { name: new RegExp(`^${field}:`) }).click();
        await page.getByRole('textbox', { name: field, exact: true }).fill(text);
        await page.keyboard.press('Enter');
      };
      const first = await visitAs(shop().owner, '/products/E2E-TWO');
      const second = await visitAs(shop().owner, '/products/E2E-TWO');
      await second.page.getByRole('button', { name: /^Price: .*10\.00/ }).waitFor();
      await change(first, 'Name in English', 'Ajwa dates');
      await expect.poll(async () => (await product('E2E-TWO')).name_en).toBe('Ajwa dates');
      await change(second, 'Price', '12');
      await expect.poll(async () => (await product('E2E-TWO')).average_price).toBe(12);
      expect((await product('E2E-TWO')).name_en).toBe('Ajwa dates');

      // The first page still shows 10.
      await change(first, 'Price', '15');
      const dialog = first.page.getByRole('dialog', { name: 'Someone else changed this too' });
      await dialog.getByRole('cell', { name: /12\.00/ }).waitFor();
      await dialog.getByRole('cell', { name: /15\.00/ }).waitFor();
      await first.picture('product-conflict');
      expect((await product('E2E-TWO')).average_price).toBe(12);
      await dialog.getByRole('button', { name: 'Save mine' }).click();
      await expect.poll(async () => (await product('E2E-TWO')).average_price).toBe(15);
      expect([...first.complaints, ...second.complaints]).toEqual([]);
    });

    it('a form that was filled in survives a click beside it and the end of the session', async () => {
      const { page, context, picture } = await visitAs(shop().owner, '/products');
      await page.getByRole('button', { name: 'New product' }).click();
      const form = page.getByRole('dialog', { name: 'New product' });
      await form.getByLabel('Code', { exact: true }).fill('E2E-DRAFT');
      await form.getByLabel('Name in English').fill('Half a product');
      await page.mouse.click(5, 5);
      expect(await form.getByLabel('Code', { exact: true }).inputValue()).toBe('E2E-DRAFT');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: 'Discard your changes?' }).waitFor();
      await picture('discard-form');
      await page.getByRole('button', { name: 'Keep editing' }).click();
      // The service ends the session: the next request is refused, and so is the refresh.
      await context.clearCookies();
      await page.route('**/api/v1/products**', (route) =>
        route.fulfill({ status: 401, json: { code: 401, error: 'Valid API key required', details: {} } }),
      );
      await form.getByRole('button', { name: 'Create' }).click();
      await page.getByText('Your session has ended').waitFor();
      await page.unroute('**/api/v1/products**');
      await page.getByLabel('Email').fill(shop().owner.email);
      await page.getByLabel('Password').fill(shop().owner.password);
      await page.keyboard.press('Enter');
      await form.getByText('Your unsaved changes were restored').waitFor();
      expect(await form.getByLabel('Name in English').inputValue()).toBe('Half a product');
      await picture('form-restored');
      await form.getByRole('button', { name: 'Create' }).click();
      await page.waitForURL(/\/products\/E2E-DRAFT$/);
      await page.goto('/products');
      await page.locator(FIRST_ROW).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
    });

    it('products are found by address, changed together, and put back', async () => {
      for (const number of [1, 2, 3]) {
        await create({ iv_id: `E2E-B${number}`, name_ar: `شاي الباقة ${number}`, average_price: number * 10 });
      }
      const { page, complaints } = await visitAs(shop().owner, '/products', { language: 'ar' });
      await page.getByRole('searchbox', { name: 'البحث في المنتجات' }).fill('شاي الباقة');
      await page.waitForURL(/search=/);
      await expect.poll(() => page.locator('[role="grid"] [data-index]').count()).toBe(3);
      await page.locator('[role="grid"] [data-index] .ui-checkbox').first().click();
      await page.getByRole('button', { name: 'تحديد هذه الصفحة' }).click();
      await page.getByText('3 عناصر محددة').waitFor();
      await page.getByRole('button', { name: 'تعديل…' }).click();
      await page.getByRole('radio', { name: 'تغيير بنسبة %' }).click();
      await page.getByRole('textbox', { name: 'تغيير بنسبة %' }).fill('١٠');
      await page.getByRole('button', { name: 'تطبيق' }).click();
      await page.getByText('تغيّرت 3 منتجات').waitFor();
      expect((await product('E2E-B2')).average_price).toBe(22);
      await page.getByRole('button', { name: 'تراجع' }).click();
      await page.getByText('عادت 3 منتجات كما كانت').waitFor();
      expect((await product('E2E-B2')).average_price).toBe(20);
      await page.getByRole('radio', { name: 'موقوف' }).click();
      await page.waitForURL(/sale=off/);
      await page.getByText('لا توجد منتجات مطابقة').waitFor();
      expect(complaints).toEqual([]);
    });

    it('brands and categories are made and renamed in both languages, and kept while products need them', async () => {
      const { page, complaints } = await visitAs(shop().owner, '/brands');
      await page.getByRole('button', { name: 'New brand' }).click();
      await page.getByRole('dialog').getByLabel('Name in English').fill('Wadi Foods');
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      await page.getByText('Brand created').waitFor();
      const row = page.getByRole('row').filter({ hasText: 'Wadi Foods' });
      await row.getByRole('button', { name: /^Name in Arabic/ }).click();
      await page.keyboard.type('أغذية الوادي');
      await page.keyboard.press('Enter');
      await row.getByText('أغذية الوادي').waitFor();
      const { id } = (await asOwner('GET /brands?search=Wadi')).body.data[0];
      await create({ iv_id: 'E2E-WADI', name_en: 'Wadi olives', brand_id: id });
      await page.getByRole('button', { name: 'Delete Wadi Foods' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText(/1 product belongs to it/).waitFor();
      await page.getByRole('dialog').getByRole('link', { name: 'Show products' }).click();
      await page.waitForURL(/brand=/);
      await page.getByText('Wadi olives').waitFor();
      await asOwner('DELETE /products/code/E2E-WADI?force=true');
      await page.goto('/brands?search=Wadi');
      await page.getByRole('button', { name: 'Delete Wadi Foods' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('Brand deleted').waitFor();
      await page.getByRole('link', { name: 'Categories', exact: true }).click();
      await page.waitForURL(/\/categories$/);
      await page.getByRole('button', { name: 'New category' }).waitFor();
      expect(complaints).toEqual([]);
    });

    it('a file is judged before it is sent, and what is rejected comes back as a file', async () => {
      await create({ iv_id: 'E2E-OWNER', name_en: 'Has the barcode', barcode: '9771234567898' });
      const { name_ar } = (await asOwner('GET /brands?limit=1')).body.data[0];
      const { page, complaints } = await visitAs(shop().owner, '/products/import');
      await giveFile(
        page,
        'new.csv',
        [
          'iv_id;name_en;average_price;vat_value;barcode;brand',
          `E2E-I1;"Dates; Ajwa ""500 g""";45;15;;${name_ar}`,
          'E2E-I2;Juice;cheap;15;;',
          'E2E-I3;Rice;30;150;;',
          'E2E-I1;Again;1;15;;',
          'E2E-I4;Taken;9;15;9771234567898;',
        ].join('\r\n'),
      );
      await page.getByText('average_price is not a number: cheap').waitFor();
      await page.getByText('vat_value has to be from 0 to 100').waitFor();
      await page.getByText('iv_id is already on line 2').waitFor();
      await page.getByRole('button', { name: 'Import 2 products' }).click();
      await page.getByText('1 product imported').waitFor();
      await page.getByText('4 rows were rejected').waitFor();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download rejected rows' }).click(),
      ]);
      const lines = readFileSync(await file.path(), 'utf8')
        .trim()
        .split('\r\n');
      expect(lines).toHaveLength(5);
      expect(lines.at(-1)).toBe('E2E-I4,Taken,9,15,9771234567898,,Duplicate barcode');
      expect(await product('E2E-I1')).toMatchObject({ name_en: 'Dates; Ajwa "500 g"', average_price: 45 });
      expect((await product('E2E-I1')).brand_id).not.toBeNull();
      expect(complaints).toEqual([]);
    });

    it('an account without write grants sees no controls, and a branch account sees its own branch', async () => {
      const { page } = await visitAs(shop().viewer, '/products');
      await page.locator(FIRST_ROW).waitFor();
      expect(await page.getByRole('button', { name: 'New product' }).count()).toBe(0);
      expect(await page.getByRole('grid').getByRole('checkbox').count()).toBe(0);
      await page.keyboard.press('Control+k');
      const ivId = (await asOwner('GET /products?limit=1&sort=iv_id')).body.data[0].iv_id;
      await page.getByRole('dialog').getByRole('searchbox').fill(ivId);
      await page.getByRole('menuitem', { name: ivId }).click();
      await page.waitForURL(new RegExp(`/products/${ivId}$`));
      await page.locator('[role="table"] [data-index="0"]').first().waitFor();
      expect(await page.locator('.ui-in-place').count()).toBe(0);

      const branch = await visitAs(shop().branch_user, '/matrix');
      await branch.page.locator('.matrix-stock').first().waitFor();
      await expect.poll(() => branch.page.locator('.matrix-head [data-kind="branch"]').count()).toBe(1);
      await branch.page.goto('/products');
      await branch.page.locator(FIRST_ROW).waitFor();
      expect(await branch.page.getByRole('link', { name: 'Import' }).count()).toBe(0);
    });
  });
}
