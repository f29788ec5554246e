import { describe, expect, it } from 'vitest';
import { type ConsoleTests, keepPicture, type Look, openPage, type PageToSee } from '../harness/index.ts';

const NAMES = [
  'home',
  'matrix',
  'operator-overview',
  'sign-in',
  'welcome',
  'orders',
  'products',
  'branches',
  'apps',
  'forecasts',
  'settings',
] as const;

/** The others: `npm run pages`. */
const FEW = 3;
const SEES_ALL = process.env.CONSOLE_PAGES === 'all';

/**
 * Ten pages and one, drawn twice by two browsers that have the same clock: not one pixel may differ. What is drawn by chance, by the order
 * of answers or by an animation shows here. Pictures are not compared with kept ones: those would be of one browser, on one machine.
 */
export function snapshotJourneys({ visit, visitAs, shop, logins }: ConsoleTests, pages: readonly PageToSee[]): void {
  describe('drawn twice, the same to the pixel', () => {
    it.each(NAMES.slice(0, SEES_ALL ? NAMES.length : FEW))('%s', async (name) => {
      const one = pages.find((page) => page.name === name);
      if (one === undefined) throw new Error(`no page is called ${name}`);
      const at = new Date();
      const draw = async (look: Look) => {
        const { page } =
          one.as === 'stranger'
            ? await visit(one.where, look)
            : await visitAs(one.as === 'operator' ? logins().commercial : shop().owner, one.where, look);
        await openPage(page, one);
        if (one.as === undefined) await page.locator('.frame-live[data-state="live"]').waitFor();
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
        return page.screenshot({ animations: 'disabled', caret: 'hide' });
      };
      const look = { at, language: 'ar' } as const;
      const [first, second] = [await draw(look), await draw(look)];
      const differs = Buffer.compare(first, second) !== 0;
      if (differs) for (const [index, drawn] of [first, second].entries()) keepPicture(drawn, `${name} drawn ${index}`);
      expect(differs, `${name}: the second drawing differs`).toBe(false);
    });
  });
}
