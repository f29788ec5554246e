import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeViolations } from '../harness/axe.ts';
import { arrive, type ConsoleTests, openPage, type PageToSee, type Visit } from '../harness/index.ts';

const WIDTHS = [1024, 390];
const FIRST_WIDTH = 1440;
const HEIGHT = 900;
const THEMES = ['light', 'dark'] as const;
/** `npm run pages`: all of them in four forms, which takes six minutes. Otherwise every other page, in one of them, in turns. */
const SEES_ALL = process.env.CONSOLE_PAGES === 'all';
const SAMPLE = 4;
const oneOf = <T>(list: readonly T[], at: number): T => list[Math.floor(at / SAMPLE) % list.length] as T;

/** Each page as everybody who may see it, by axe, the policy and its overflow at three widths. */
export function everyPage({ visit, visitAs, shop, logins }: ConsoleTests, pages: readonly PageToSee[]): void {
  const accounts = { owner: () => shop().owner, operator: () => logins().commercial };
  const enter = (as: PageToSee['as'], where: string, language: 'en' | 'ar'): Promise<Visit> =>
    as === 'visitor' ? visit(where, { language }) : visitAs(accounts[as ?? 'owner'](), where, { language });

  const whose = new Set(pages.map((page) => page.as ?? 'owner'));
  describe.each([...whose])('every page of the %s', (as) => {
    const own = pages.filter((page) => (page.as ?? 'owner') === as);
    // A test for each few pages, in one visit: a page after the first finds the program in the cache of the browser.
    const looks = (['en', 'ar'] as const).map((language) => ({
      language,
      seen: own.flatMap((one, at) => {
        const forms = SEES_ALL ? THEMES : at % SAMPLE === (language === 'en' ? 0 : 2) ? [oneOf(THEMES, at)] : [];
        return forms.length === 0 ? [] : [{ one, forms }];
      }),
    }));
    // Visitors have too few pages for one of them to be in the Arabic sample.
    describe.each(looks.filter(({ seen }) => seen.length > 0))('$language', ({ language, seen }) => {
      it.each(chunksOf(seen, PAGES_PER_TEST))('$names', async ({ items }) => {
        const [first] = items;
        const { page, complaints, picture } = await enter(as, first?.one.where ?? '/', language);
        const wrong: string[] = [];
        for (const item of items) {
          const { one, forms } = item;
          await (item === first ? arrive(page, one) : openPage(page, one));
          for (const theme of forms) {
            await chooseTheme(page, theme);
            // A theme changes colours; axe has checked everything else in the light theme.
            const found = await axeViolations(page, SEES_ALL && theme === 'dark' ? ['color-contrast'] : undefined);
            wrong.push(...found.map((what) => `${one.name} ${theme}: ${what}`));
            await picture(`${one.name}-${language}-${theme}`);
          }
          wrong.push(...(await tooWide(page, `${one.name}-${language}`, picture)));
        }
        expect([...wrong, ...complaints]).toEqual([]);
      });
    });
  });
}

const PAGES_PER_TEST = 5;

function chunksOf(items: readonly { one: PageToSee; forms: readonly ('light' | 'dark')[] }[], size: number) {
  const starts = Array.from({ length: Math.ceil(items.length / size) }, (_, index) => index * size);
  return starts.map((start) => {
    const chunk = items.slice(start, start + size);
    return { items: chunk, names: chunk.map(({ one }) => one.name).join(', ') };
  });
}

async function tooWide(page: Page, name: string, picture: Visit['picture']): Promise<string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await picture(`${name}-${width}`);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (over > 0) found.push(`${name}: ${over} pixels too wide for ${width}`);
  }
  await page.setViewportSize({ width: FIRST_WIDTH, height: HEIGHT });
  return found;
}

/** Switches the theme as the menu of the account does; loading every page again for it took twice the time. */
async function chooseTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate(async (chosen) => {
    document.documentElement.dataset.theme = chosen;
    // Colours change in a tenth of a second, and on the way there they have no contrast.
    const passing = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(passing.map((one) => one.finished));
  }, theme);
}
