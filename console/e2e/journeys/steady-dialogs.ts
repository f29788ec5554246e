import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ConsoleTests } from '../harness/index.ts';

/** Where the foot of the dialog has been since this was called, one for each place: rounded, in pixels from the top. */
async function watchFoot(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const places: number[] = [];
    Object.assign(window, { footPlaces: places });
    const look = () => {
      const foot = document.querySelector('.ui-dialog-foot');
      const place = foot === null ? undefined : Math.round(foot.getBoundingClientRect().top);
      if (place !== undefined && place !== places.at(-1)) places.push(place);
      requestAnimationFrame(look);
    };
    look();
  });
  return () => page.evaluate(() => (window as unknown as { footPlaces: number[] }).footPlaces);
}

/** Runs in the page: the focused control, when something stands over its middle or the window does not show it. */
function findHiddenFocus(): string[] {
  const control = document.activeElement;
  if (control === null || control.matches('.ui-dialog, section')) return [];
  // The input of a checkbox is hidden behind its label.
  const seen = control.closest('label') ?? control;
  const { left, top, width, height } = seen.getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  const isSeen = above !== null && (seen.contains(above) || above.contains(seen));
  return isSeen
    ? []
    : [`${control.localName} ${control.getAttribute('name') ?? seen.textContent} at ${Math.round(top)}`];
}

export function steadyDialogsJourneys({ visitAs, shop }: ConsoleTests): void {
  describe('dialogs', () => {
    it('open with all of their form, however late a part of it is loaded', async () => {
      const { page } = await visitAs(shop().owner, '/branches');
      const create = page.getByRole('button', { name: 'New branch' }).first();
      await create.waitFor();
      const released = Promise.withResolvers<void>();
      await page.route(/\/assets\/[^/]+\.js$/, async (route) => {
        await released.promise;
        await route.continue();
      });
      const isAsked = page.waitForRequest(/\/assets\/[^/]+\.js$/);
      await create.click();
      await isAsked;
      const placesOfFoot = await watchFoot(page);
      released.resolve();
      const dialog = page.getByRole('dialog');
      await dialog.locator('.pick-map path').first().waitFor();
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.getByText('This is required').waitFor();
      expect(await placesOfFoot()).toHaveLength(1);
    });

    it('show the focused field and lead to their buttons in low windows', async () => {
      const { page } = await visitAs(shop().owner, '/products', { width: 390, height: 500 });
      await page.getByRole('button', { name: 'New product' }).click();
      const dialog = page.getByRole('dialog');
      const save = dialog.locator('.ui-dialog-foot button').last();
      await save.waitFor();
      for (const height of [500, 320]) {
        await page.setViewportSize({ width: 390, height });
        await dialog.locator('input').first().focus();
        const hidden: string[] = [];
        do {
          hidden.push(...(await page.evaluate(findHiddenFocus)));
          await page.keyboard.press('Tab');
        } while (!(await save.evaluate((button) => button === document.activeElement)));
        expect(hidden).toEqual([]);
        await expect.poll(() => save.evaluate((button) => button.getBoundingClientRect().bottom)).toBeLessThan(height);
      }
    });

    it('take a press during which they grow', async () => {
      const { page } = await visitAs(shop().owner, '/settings/billing');
      await page.getByRole('tab', { name: 'Tax invoices' }).click();
      const released = Promise.withResolvers<void>();
      await page.route(/\/api\/v1\/billing\/invoices\/[^/]+$/, async (route) => {
        await released.promise;
        await route.continue();
      });
      await page.locator('[role="grid"] [data-index="0"]').click();
      const dialog = page.getByRole('dialog');
      const close = dialog.getByRole('button', { name: 'Close' }).last();
      await close.hover();
      await page.mouse.down();
      released.resolve();
      await dialog.getByRole('heading', { name: 'Tax invoice' }).waitFor();
      await page.mouse.up();
      await dialog.waitFor({ state: 'detached' });
    });
  });
}
