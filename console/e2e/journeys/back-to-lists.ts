import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ConsoleTests } from '../harness/index.ts';

const LISTS = ['/orders?sort=total_amount', '/products?sort=name_en', '/customers?sort=-orders', '/forecasts'] as const;
const ROW = '[role="grid"] [data-index]';
/** Low enough for every list of the small demo to scroll. */
const HEIGHT = 420;
/** Answers that no page shows are dropped after five minutes. */
const LATER_MS = 6 * 60_000;
const MATRIX_TOP = 440;

export function backToListsJourneys({ visitAs, shop }: ConsoleTests): void {
  describe('going back to a list', () => {
    it.each(LISTS)(
      'keeps its filters and its scroll position, by the browser and by the link of the page: %s',
      async (list) => {
        const { page, complaints } = await visitAs(shop().owner, list, { height: HEIGHT });
        const top = await scrollDown(page);
        await openRowInView(page);
        await page.goBack();
        await expectAt(page, list, top);
        await openRowInView(page);
        await page.locator('.ui-back').click();
        await expectAt(page, list, top);
        expect(complaints).toEqual([]);
      },
    );

    it('restores the scroll position when the rows have to be read again, and after a reload', async () => {
      const [, list] = LISTS;
      const prepare = (page: Page) => page.clock.install();
      const { page, complaints } = await visitAs(shop().owner, list, { height: HEIGHT, prepare });
      const top = await scrollDown(page);
      await openRowInView(page);
      await page.clock.fastForward(LATER_MS);
      await page.goBack();
      await expectAt(page, list, top);
      await openRowInView(page);
      await page.reload();
      await page.locator('.ui-back').waitFor();
      await page.goBack();
      await expectAt(page, list, top);
      expect(complaints).toEqual([]);
    });

    it('keeps the rows of the matrix, which scrolls by itself', async () => {
      const { page, complaints } = await visitAs(shop().owner, '/matrix', { height: HEIGHT });
      const matrix = page.locator('.matrix');
      await matrix.locator('a.matrix-name').first().waitFor();
      await matrix.evaluate((grid, top) => grid.scrollTo(0, top), MATRIX_TOP);
      await openLinkInView(page, 'a.matrix-name');
      await page.goBack();
      await expect.poll(() => matrix.evaluate((grid) => grid.scrollTop)).toBe(MATRIX_TOP);
      expect(complaints).toEqual([]);
    });
  });
}

async function scrollDown(page: Page): Promise<number> {
  await page.locator(ROW).nth(8).waitFor();
  // Rows of the first table come in steps.
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollHeight - innerHeight))
    .toBeGreaterThan(200);
  const scrolled = () =>
    page.evaluate(() => {
      scrollTo(0, 200);
      return scrollY;
    });
  await expect.poll(scrolled).toBe(200);
  return 200;
}

async function openRowInView(page: Page): Promise<void> {
  const index = await page.evaluate(
    ({ row, bottom }) =>
      [...document.querySelectorAll<HTMLElement>(row)].find((one) => {
        const { top, bottom: end } = one.getBoundingClientRect();
        return top > 120 && end < bottom;
      })?.dataset.index,
    { row: ROW, bottom: HEIGHT },
  );
  const before = page.url();
  await page.locator(`[role="grid"] [data-index="${index}"]`).click();
  await expect.poll(() => page.url()).not.toBe(before);
  // Lists have no way back; a page may have rows of its own.
  await page.locator('.ui-back').waitFor();
}

/** Without the pointer, which would scroll to rows that the virtual list keeps beyond its edge. */
async function openLinkInView(page: Page, link: string): Promise<void> {
  await page.waitForFunction(
    ({ link, bottom }) => {
      const inView = [...document.querySelectorAll<HTMLElement>(link)].find((one) => {
        const { top, bottom: end } = one.getBoundingClientRect();
        return top > 0 && end < bottom;
      });
      inView?.click();
      return inView !== undefined;
    },
    { link, bottom: HEIGHT },
  );
  await page.locator('.ui-back').waitFor();
}

async function expectAt(page: Page, list: string, top: number): Promise<void> {
  await expect.poll(() => page.url()).toContain(list);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(top);
}
