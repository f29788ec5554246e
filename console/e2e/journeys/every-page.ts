import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeViolations } from '../harness/axe.ts';
import { type ConsoleTests, openPage, type PageToSee, type Visit } from '../harness/index.ts';

const WIDTHS = [1024, 390];
const FIRST_WIDTH = 1440;
const HEIGHT = 900;

/** Each page as everybody who may see it: in both languages and themes by axe and the policy, at three widths by its overflow. */
export function everyPage({ visit, visitAs, shop, logins }: ConsoleTests, pages: readonly PageToSee[]): void {
  const accounts = { owner: () => shop().owner, operator: () => logins().commercial };
  const enter = (as: PageToSee['as'], where: string, language: 'en' | 'ar'): Promise<Visit> =>
    as === 'stranger' ? visit(where, { language }) : visitAs(accounts[as ?? 'owner'](), where, { language });

  const whose = new Set(pages.map((page) => page.as ?? 'owner'));
  describe.each([...whose])('every page of the %s', (as) => {
    const own = pages.filter((page) => (page.as ?? 'owner') === as);
    const first = own[0] as PageToSee;
    it.each(['en', 'ar'] as const)('%s', async (language) => {
      const { page, complaints, picture } = await enter(as, first.where, language);
      for (const one of own) {
        await openPage(page, one);
        const found: string[] = await axeViolations(page);
        await picture(`${one.name}-${language}-light`);
        await chooseTheme(page, 'dark');
        // What a theme changes is colour; everything else axe has seen in the light.
        found.push(...(await axeViolations(page, ['color-contrast'])));
        await picture(`${one.name}-${language}-dark`);
        await chooseTheme(page, 'light');
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: HEIGHT });
          await picture(`${one.name}-${language}-${width}`);
          const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
          if (over > 0) found.push(`${over} pixels too wide for ${width}`);
        }
        await page.setViewportSize({ width: FIRST_WIDTH, height: HEIGHT });
        expect({ page: one.name, found }).toEqual({ page: one.name, found: [] });
      }
      expect(complaints).toEqual([]);
    });
  });
}

/** As somebody does who chooses it in the menu of the account; to load every page anew for it took twice the time. */
async function chooseTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate((chosen) => {
    document.documentElement.dataset.theme = chosen;
  }, theme);
}
