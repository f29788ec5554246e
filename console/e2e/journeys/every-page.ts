import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { patienceMs } from '../../../test/harness/index.ts';
import { axeViolations } from '../harness/axe.ts';
import { arrive, type ConsoleTests, type PageToSee, type Visit } from '../harness/index.ts';
import { sweepWidths } from '../harness/overflow.ts';
import { findUntranslated } from '../harness/untranslated.ts';

const LANGUAGES = ['en', 'ar'] as const;
type Language = (typeof LANGUAGES)[number];
const THEMES = ['light', 'dark'] as const;
const PICTURE_WIDTHS = [1024, 390];
/** `npm run pages`: axe checks every page in four forms, and pictures are kept. Otherwise axe checks every other page in one of them. */
const SEES_ALL = process.env.CONSOLE_PAGES === 'all';
const SAMPLE = 4;
const PAGES_PER_TEST = 8;
/** The test files that share the pages, so that several workers check them at the same time. */
const PARTS = 4;

/**
 * Each page as every account that may open it: widths from 320 to 1920 px in both languages, Arabic for every text, axe, content
 * security policy. A page is loaded once; language and theme are switched in place. `part` (1 to 4) takes every fourth group of pages.
 */
export function everyPage(
  { visit, visitAs, shop, logins }: ConsoleTests,
  pages: readonly PageToSee[],
  part: 1 | 2 | 3 | 4,
): void {
  const accounts = { owner: () => shop().owner, operator: () => logins().commercial };
  const enter = (as: PageToSee['as'], where: string): Promise<Visit> =>
    as === 'visitor' ? visit(where) : visitAs(accounts[as ?? 'owner'](), where);

  const groups = groupPages(pages).filter((_group, index) => index % PARTS === part - 1);
  describe('every page', () => {
    it.each(groups)(
      'fits every width in both languages, is accessible and translated for $as: $names',
      // A group is many pages; a step of it has the usual patience.
      { timeout: 4 * patienceMs() },
      async ({ as, items }) => {
        const [first] = items;
        const { page, complaints, picture } = await enter(as, first?.one.where ?? '/');
        const wrong: string[] = [];
        let current: Language = 'en';
        const speak = async (language: Language) => {
          if (language !== current) await switchLanguage(page, language);
          current = language;
        };
        for (const { one, at } of items) {
          // Acts name what they use in English. Other pages are opened in the language of the page before, and checked in that one first.
          if (one.act !== undefined) await speak('en');
          await (one === first?.one ? arrive(page, one) : goTo(page, one));
          for (const language of current === 'en' ? LANGUAGES : LANGUAGES.toReversed()) {
            await speak(language);
            const name = `${one.name}-${language}`;
            const found = [
              ...(await checkThemes(page, themesOf(at, language), name, picture)),
              ...(await sweepWidths(page)),
              ...(language === 'ar' ? await findUntranslated(page) : []),
            ];
            wrong.push(...found.map((what) => `${name}: ${what}`));
            if (SEES_ALL) await takePictures(page, name, picture);
          }
        }
        expect([...wrong, ...complaints]).toEqual([]);
      },
    );
  });
}

/** The themes in which axe checks a page: one theme in one language for every other page. */
function themesOf(at: number, language: Language): readonly ('light' | 'dark')[] {
  if (SEES_ALL) return THEMES;
  if (at % SAMPLE !== (language === 'en' ? 0 : 2)) return [];
  return [Math.floor(at / SAMPLE) % 2 === 0 ? 'light' : 'dark'];
}

/**
 * Groups of pages that the same account sees, so that a group signs in and loads the console once. Neighbours in the list often have the
 * same path, for which `goTo` loads the console again: each goes to another group.
 */
function groupPages(pages: readonly PageToSee[]) {
  const accounts = [...new Set(pages.map(({ as = 'owner' }) => as))];
  return accounts.flatMap((as) => {
    const own = pages.filter((page) => (page.as ?? 'owner') === as).map((one, at) => ({ one, at }));
    const groups = Math.ceil(own.length / PAGES_PER_TEST);
    return Array.from({ length: groups }, (_, group) => {
      const items = own.filter(({ at }) => at % groups === group);
      return { as, items, names: items.map(({ one }) => one.name).join(', ') };
    });
  });
}

async function checkThemes(
  page: Page,
  themes: readonly ('light' | 'dark')[],
  name: string,
  picture: Visit['picture'],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const theme of themes) {
    await chooseTheme(page, theme);
    // A theme changes colours; axe has checked everything else in the light theme.
    const found = await axeViolations(page, SEES_ALL && theme === 'dark' ? ['color-contrast'] : undefined);
    wrong.push(...found.map((what) => `${theme}: ${what}`));
    await picture(`${name}-${theme}`);
  }
  return wrong;
}

async function takePictures(page: Page, name: string, picture: Visit['picture']): Promise<void> {
  const size = page.viewportSize() ?? { width: 1440, height: 900 };
  for (const width of PICTURE_WIDTHS) {
    await page.setViewportSize({ ...size, width });
    await picture(`${name}-${width}`);
  }
  await page.setViewportSize(size);
}

/** By the router, as a link does: loading the program anew for every page took half of the CPU time. */
async function goTo(page: Page, one: PageToSee): Promise<void> {
  const [path] = one.where.split('?');
  if (new URL(page.url()).pathname === path) {
    await page.goto(one.where);
  } else {
    await page.evaluate((where) => {
      for (const title of document.querySelectorAll('h1')) title.dataset.left = 'yes';
      window.history.pushState(null, '', where);
    }, one.where);
    // The page that is left stays until the next one is loaded, and may have what the next one is known by.
    await page.waitForFunction(() => document.querySelector('h1[data-left]') === null);
  }
  await arrive(page, one);
}

/** As another tab that has chosen a language does. A click on the button would be refused by an open dialog. */
async function switchLanguage(page: Page, language: Language): Promise<void> {
  await page.evaluate(async (chosen) => {
    localStorage.setItem('dukkan.language', chosen);
    window.dispatchEvent(new StorageEvent('storage', { key: 'dukkan.language', newValue: chosen }));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }, language);
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
