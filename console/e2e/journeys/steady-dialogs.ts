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
