import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeViolations } from '../harness/axe.ts';
import { type ConsoleTests, FOUR_FORMS, type Look, type PageToSee, settled, type Visit } from '../harness/index.ts';

const WIDTHS = [1024, 390];
const FIRST_WIDTH = 1440;
const HEIGHT = 900;

/** Each page as everybody who may see it: in both languages and themes by axe and the policy, at three widths by its overflow. */
export function everyPage({ visit, visitAs, shop, logins }: ConsoleTests, pages: readonly PageToSee[]): void {
  const accounts = { owner: () => shop().owner, operator: () => logins().commercial };
  const enter = (as: PageToSee['as'], where: string, form: Look): Promise<Visit> =>
    as === 'stranger' ? visit(where, form) : visitAs(accounts[as ?? 'owner'](), where, form);

  const whose = new Set(pages.map((page) => page.as ?? 'owner'));
  describe.each([...whose])('every page of the %s', (as) => {
    const own = pages.filter((page) => (page.as ?? 'owner') === as);
    const first = own[0] as PageToSee;
    it.each(FOUR_FORMS.map((form) => [`${form.language}-${form.theme}`, form] as const))('%s', async (name, form) => {
      const { page, complaints, picture } = await enter(as, first.where, form);
      for (const one of own) {
        await page.setViewportSize({ width: FIRST_WIDTH, height: HEIGHT });
        await open(page, one);
        await picture(`${one.name}-${name}`);
        // What a theme changes is colour; everything else axe has seen in the light.
        const violations = await axeViolations(page, form.theme === 'dark' ? ['color-contrast'] : undefined);
        expect({ page: one.name, violations }).toEqual({ page: one.name, violations: [] });
        if (form.theme === 'dark') continue;
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: HEIGHT });
          await picture(`${one.name}-${form.language}-${width}`);
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
          expect({ page: one.name, width, overflow: Math.max(0, overflow) }).toEqual({
            page: one.name,
            width,
            overflow: 0,
          });
        }
      }
      expect(complaints).toEqual([]);
    });
  });
}

async function open(page: Page, { where, ready, act }: PageToSee): Promise<void> {
  await page.goto(where);
  await page.locator(ready).first().waitFor();
  await act?.(page);
  await settled(page);
}
