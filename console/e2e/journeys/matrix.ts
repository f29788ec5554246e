import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import type { ConsoleTests } from '../harness/index.ts';

const PRODUCTS = 100_000;
const BRANCHES = 40;
const SCRIPT_MS = 50;
/** Where to write what was measured. */
const FIGURES = process.env.CONSOLE_FIGURES ?? '';
const MEASURES = FIGURES !== '';
const HEAP_MB = 100;
const DOM_NODES = 3_000;

export function matrixJourneys({ visitAs, service, shop }: ConsoleTests): void {
  const asOwner = (route: string, body?: object) =>
    call(service().baseUrl, route, { token: shop().owner.token, ...(body && { body }) });
  const skuOf = async (ivId: string, branch: string) => (await asOwner(`GET /skus/${ivId}_${branch}`)).body;

  describe('matrix', () => {
    it('is filled by keyboard as a spreadsheet is, and taken back', async () => {
      for (const number of [1, 2]) {
        await asOwner('POST /products', {
          iv_id: `E2E-M${number}`,
          name_en: `Matrix tea ${number}`,
          average_price: 10,
        });
      }
      const branches: string[] = (await asOwner('GET /branches?limit=100&sort=iv_id')).body.data.map(
        ({ iv_id }: { iv_id: string }) => iv_id,
      );
      const [first = '', second = ''] = branches;
      const { page, complaints } = await visitAs(shop().owner, '/matrix?search=Matrix+tea');
      const cell = (row: number, column: number) => page.locator(`#cell-${row}-${column}`);
      await cell(1, 3).getByText('0', { exact: true }).waitFor();
      await page.getByRole('grid').focus();
      // Typed, on with Tab, typed, down with Enter; the second column of the second row.
      await page.keyboard.type('12');
      await page.keyboard.press('Tab');
      await page.keyboard.type('7');
      await page.keyboard.press('Enter');
      await page.keyboard.type('x5');
      await page.keyboard.press('Enter');
      await cell(0, 2).getByText('12', { exact: true }).waitFor();
      await expect.poll(async () => (await skuOf('E2E-M1', first)).current_qty).toBe(12);
      await expect.poll(async () => (await skuOf('E2E-M1', second)).current_qty).toBe(7);
      await expect.poll(async () => (await skuOf('E2E-M2', second)).current_qty).toBe(5);
      await page.getByRole('button', { name: 'Undo' }).first().waitFor();
      await page.keyboard.press('Control+z');
      await page.getByText('1 change undone').waitFor();
      await expect.poll(async () => (await skuOf('E2E-M2', second)).current_qty).toBe(0);

      // Escape leaves the cell as it was; what is no number is not taken.
      await page.keyboard.press('Control+Home');
      await page.keyboard.press('Enter');
      await page.keyboard.type('99');
      await page.keyboard.press('Escape');
      expect(await page.getByRole('textbox', { name: /^Value of/ }).count()).toBe(0);

      // A block of a spreadsheet, in one go and back in one go.
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await paste(page, '1\t2\r\n3\t4\r\n');
      await expect.poll(async () => (await skuOf('E2E-M2', second)).current_qty).toBe(4);
      await page.keyboard.press('Control+z');
      await expect.poll(async () => (await skuOf('E2E-M2', second)).current_qty).toBe(0);
      expect((await skuOf('E2E-M1', first)).current_qty).toBe(12);
      expect(complaints).toEqual([]);
    });

    it('sets prices and barcodes in Arabic, where the arrows turn, and says what is refused', async () => {
      await asOwner('POST /products', { iv_id: 'E2E-P1', name_ar: 'قهوة المصفوفة', average_price: 20 });
      await asOwner('POST /products', { iv_id: 'E2E-P2', name_ar: 'هيل', barcode: '5901234123457' });
      const branch = (await asOwner('GET /branches?limit=1&sort=iv_id')).body.data[0].iv_id;
      const { page } = await visitAs(shop().owner, '/matrix?search=E2E-P1&show=price', { language: 'ar' });
      const cell = (row: number, column: number) => page.locator(`#cell-${row}-${column}`);
      await cell(0, 2).getByText('20.00').waitFor();
      await cell(0, 2).dblclick();
      await page.keyboard.type('١٨٫٥');
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await skuOf('E2E-P1', branch)).price).toBe(18.5);
      // Deleted, the price of the product holds again.
      await cell(0, 2).click();
      await page.keyboard.press('Delete');
      await expect.poll(async () => (await skuOf('E2E-P1', branch)).price).toBeNull();
      await page.keyboard.press(' ');
      await expect.poll(async () => (await skuOf('E2E-P1', branch)).is_enabled).toBe(false);
      // To the barcode is to the right here.
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.type('5901234123457');
      await page.keyboard.press('Enter');
      await page.getByText('هذا الباركود لمنتج آخر').waitFor();
      await cell(0, 0).getByText('—').waitFor();
    });

    it('holds 100,000 products in 40 branches in a few nodes and less than 100 MB', async () => {
      const { page, context, complaints } = await visitAs(shop().owner, '/matrix', {
        prepare: async (opened) => {
          await opened.addInitScript(answerLarge, { products: PRODUCTS, branches: BRANCHES });
        },
      });
      await page.locator('.matrix-stock').first().waitFor();
      const browser = context.browser();
      if (MEASURES) await browser?.startTracing(page, { categories: ['devtools.timeline'] });
      for (let step = 1; step <= (MEASURES ? 30 : 5); step += 1) await scrollTo(page, step * 300, step * 60);
      for (let step = 1; step <= (MEASURES ? 12 : 3); step += 1)
        await scrollTo(page, (PRODUCTS * 44 * step) / 13, (step % 4) * 900);
      await page.getByRole('grid').focus();
      await page.keyboard.press('Control+End');
      await page.getByText(`Product ${PRODUCTS}`, { exact: true }).waitFor();
      await page.locator(`#cell-${PRODUCTS - 1}-${BRANCHES + 1} .matrix-stock`).waitFor();
      const script = MEASURES ? longestScript((await browser?.stopTracing())?.toString('utf8') ?? '') : undefined;
      const meter = await context.newCDPSession(page);
      await meter.send('HeapProfiler.collectGarbage');
      const { usedSize } = await meter.send('Runtime.getHeapUsage');
      const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
      const figures = { script, heap: Math.round(usedSize / 1e6), nodes };
      // A time depends on the machine too: checked only where the run measures and nothing else runs.
      if (MEASURES) {
        writeFileSync(FIGURES, JSON.stringify(figures));
        expect(script).toBeGreaterThan(0);
        expect(script, JSON.stringify(figures)).toBeLessThan(SCRIPT_MS);
      }
      expect(figures.heap, JSON.stringify(figures)).toBeLessThan(HEAP_MB);
      expect(nodes, JSON.stringify(figures)).toBeLessThan(DOM_NODES);
      expect(complaints).toEqual([]);
    });
  });
}

function paste(page: Page, text: string): Promise<void> {
  return page.getByRole('grid').evaluate((grid, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    grid.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** Two frames: one draws it, the next one what came of it. */
function scrollTo(page: Page, down: number, over: number): Promise<void> {
  return page.locator('.matrix').evaluate(
    async (grid, to) => {
      grid.scrollTo({ top: to.down, left: to.over });
      for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    },
    { down, over },
  );
}

/** CPU time, not elapsed time: other tests run at the same moment. */
function longestScript(trace: string): number {
  const { traceEvents }: { traceEvents: { name: string; tdur?: number }[] } = JSON.parse(trace);
  const runs = traceEvents.filter(({ name }) =>
    /^(?:FunctionCall|FireAnimationFrame|EventDispatch|TimerFire|RunMicrotasks)$/.test(name),
  );
  // One by one: there are more of them than a call takes arguments.
  return Math.round(runs.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1000);
}

/** Runs in the page: answers as the service does for a shop of that size. */
function answerLarge(size: { products: number; branches: number }): void {
  const MOMENT = '2026-11-15T08:00:00.000Z';
  const product = (index: number) => ({
    id: `id-${index}`,
    iv_id: `P-${String(index + 1).padStart(6, '0')}`,
    organization_id: 'large',
    name_en: `Product ${index + 1}`,
    name_ar: `منتج ${index + 1}`,
    average_price: 10 + (index % 90),
    vat_value: 15,
    barcode: String(6_280_000_000_000 + index),
    brand_id: null,
    category_id: null,
    generic_id: '',
    is_enabled: true,
    is_deleted: false,
    images: [],
    created: MOMENT,
    updated: MOMENT,
  });
  const branch = (index: number) => ({
    iv_id: `B-${index}`,
    name_en: `Branch ${index + 1}`,
    name_ar: '',
    active: true,
  });
  const sku = (ivId: string, index: number) => ({
    iv_id: `${ivId}_B-${index}`,
    branch_iv_id: `B-${index}`,
    price: null,
    current_qty: (index * 7) % 60,
    reorder_threshold: 8,
    is_enabled: true,
  });
  const real = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input, location.href);
    const of = /\/api\/v1\/(products|skus|branches)$/.exec(address.pathname)?.[1];
    if (of === undefined) return real(input, init);
    const page = Number(address.searchParams.get('page') ?? 1);
    const limit = Number(address.searchParams.get('limit') ?? 20);
    const total = of === 'products' ? size.products : size.branches;
    const from = (page - 1) * limit;
    const data = Array.from({ length: Math.max(0, Math.min(limit, total - from)) }, (_, at) => {
      if (of === 'products') return product(from + at);
      return of === 'branches' ? branch(from + at) : sku(address.searchParams.get('product_iv_id') ?? '', from + at);
    });
    const body = {
      data,
      count: data.length,
      total_count: total,
      page,
      limit,
      has_next: page * limit < total,
      meta: {},
    };
    // As long as an answer of the service takes.
    await new Promise((resolve) => setTimeout(resolve, 5));
    return Response.json(body);
  };
}
