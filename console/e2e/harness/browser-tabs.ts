import type { Browser, BrowserContext, Page } from 'playwright-core';
import { patienceMs } from '../../../test/harness/index.ts';

type TabOptions = {
  baseUrl: string;
  language: 'en' | 'ar';
  theme: 'light' | 'dark';
  width: number;
  height: number;
  /** The fixed time of the page. Such a tab is not reused. */
  at?: Date;
  isNewTab?: boolean;
};

/** A page in a browser context of its own. */
export type Tab = {
  context: BrowserContext;
  page: Page;
  language: 'en' | 'ar';
  /** False when the test changed what cannot be reset: its context is then closed with the test. */
  isReusable: boolean;
};

/** Same origin, so that the renderer stays: after `about:blank` the next load starts a new one (1.8 CPU seconds instead of 1.05). */
const EMPTY_PAGE = '/api/v1/ping';

/** What a test may have added to a page. */
const PAGE_EVENTS = [
  'console',
  'dialog',
  'download',
  'filechooser',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
  'websocket',
] as const;

/**
 * Browser tabs of one test file. A tab is used by one test at a time and returned at its end without cookies, storage, routes and listeners.
 * A load in a returned tab takes half of the CPU time of a load in a new context: no window, no renderer, scripts from the cache.
 */
export function browserTabs(browser: () => Browser) {
  const taken: Tab[] = [];
  const free: Tab[] = [];

  /** An empty page of the service's origin, with nothing stored. */
  async function takeTab(options: TabOptions): Promise<Tab> {
    const { width, height, theme, language } = options;
    const mustBeNew = options.at !== undefined || options.isNewTab;
    const reused = mustBeNew ? -1 : free.findIndex((tab) => tab.language === language);
    const tab = free.splice(reused, reused === -1 ? 0 : 1)[0] ?? (await openTab(browser(), options));
    taken.push(tab);
    // A machine whose cores are all taken needs patience.
    tab.context.setDefaultTimeout(patienceMs());
    tab.context.setDefaultNavigationTimeout(patienceMs());
    await tab.page.setViewportSize({ width, height });
    await tab.page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    return tab;
  }

  /** At the end of a test. Pages that stay open go on reading, each with a stream of its own. */
  async function returnTabs({ areReusable }: { areReusable: boolean }): Promise<void> {
    for (const tab of taken.splice(0)) {
      const isClean = areReusable && tab.isReusable && (await clean(tab).catch(() => false));
      if (isClean) free.push(tab);
      else await tab.context.close();
    }
  }

  return {
    takeTab,
    returnTabs,
    takenPages: () => taken.flatMap(({ context }) => context.pages()),
    closeTabs: async () => {
      await Promise.all([...taken.splice(0), ...free.splice(0)].map(({ context }) => context.close()));
    },
  };
}

async function openTab(browser: Browser, { baseUrl, language, theme, width, height, at }: TabOptions): Promise<Tab> {
  const context = await browser.newContext({
    baseURL: baseUrl,
    viewport: { width, height },
    locale: language === 'ar' ? 'ar-SA' : 'en-GB',
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  if (at !== undefined) await context.clock.setFixedTime(at);
  await context.addInitScript(watchPolicy);
  const page = await context.newPage();
  await page.goto(EMPTY_PAGE);
  return { context, page, language, isReusable: at === undefined };
}

async function clean({ context, page }: Tab): Promise<boolean> {
  for (const other of context.pages()) if (other !== page) await other.close();
  for (const name of PAGE_EVENTS) page.removeAllListeners(name);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto(EMPTY_PAGE);
  await context.clearCookies();
  const session = await context.newCDPSession(page);
  const origin = new URL(page.url()).origin;
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.detach();
  await page.evaluate(() => sessionStorage.clear());
  return true;
}

/** Runs in the page. */
function watchPolicy(): void {
  document.addEventListener('securitypolicyviolation', (event) => {
    console.error(`CSP ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
  });
}
