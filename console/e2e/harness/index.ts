import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { buildConsoleWhenStale } from '../../../scripts/build-console-when-stale.mjs';
import type { DemoLogins } from '../../../src/demo/logins.ts';
import { demoDatabase, type TestService, testService } from '../../../test/harness/index.ts';
import { browserTabs, type Tab } from './browser-tabs.ts';
import { workerChromium } from './launch-chromium.ts';
import { type Outside, startOutside } from './outside.ts';

export const DIST = path.resolve(import.meta.dirname, '../../dist');
/** The folder for screenshots; without it none are taken. */
const PICTURES = process.env.CONSOLE_PICTURES;

export type Look = {
  language?: 'en' | 'ar';
  theme?: 'light' | 'dark';
  width?: number;
  height?: number;
  /** What the clock of the page says, for as long as it is open. */
  at?: Date;
  /** A tab that no test has used. */
  isNewTab?: boolean;
  /** Called with the empty page, before its address is opened: to answer requests or listen to them from the first one on. */
  prepare?(page: Page): Promise<void> | void;
};
export type Visit = {
  page: Page;
  context: BrowserContext;
  /** What the browser complained about: errors in the console, broken policy, exceptions. Refusals that a test expects apart. */
  complaints: string[];
  picture(name: string): Promise<void>;
};

/** A page that everybody who may see it is to see well. */
export type PageToSee = {
  /** Of its pictures. */
  name: string;
  where: string;
  /** What is there once the page is. */
  ready: string;
  /** What to do there first: open a row, a tab, a dialog. */
  act?(page: Page): Promise<void>;
  /** The owner of the first shop unless said otherwise. */
  as?: 'visitor' | 'owner' | 'operator';
};

export type ConsoleTests = ReturnType<typeof consoleTests>;

/** Everything has come or failed. The network is never idle: the stream of orders stays open. */
export const settled = (page: Page) => expect.poll(() => page.locator('.ui-skeleton').count()).toBe(0);

/** For a page whose address is open already. */
export async function arrive(page: Page, { ready, act }: PageToSee): Promise<void> {
  await page.locator(ready).first().waitFor();
  await act?.(page);
  await settled(page);
}

/** The real service on the small demo with the built console for all tests of a file, and the browser of the worker. */
export function consoleTests() {
  let service: TestService;
  let logins: DemoLogins;
  let browser: Browser;
  let outside: Outside;
  const tabs = browserTabs(() => browser);

  beforeAll(async () => {
    if (!(await buildConsoleWhenStale())) throw new Error('the console is not built');
    outside = await startOutside();
    const demo = await demoDatabase();
    logins = demo.logins;
    service = await testService(
      { DUKKAN_CONSOLE: DIST, LOGIN_RATE_LIMIT_PER_MINUTE: '0', BILLING_PAYMENTS: 'sandbox', ...outside.settings },
      { database: demo.database },
    );
    browser = await workerChromium();
  });
  afterEach(async ({ task }) => {
    const hasFailed = task.result?.state === 'fail';
    for (const [at, page] of hasFailed ? tabs.takenPages().entries() : []) {
      await takePicture(page, `failed ${task.name.slice(0, 60)} ${at}`);
    }
    await tabs.returnTabs({ areReusable: !hasFailed });
  });
  afterAll(() => tabs.closeTabs());

  /** A tab with nothing stored but the choice of language and theme. */
  async function openTab(look: Look) {
    const { language = 'en', theme = 'light', width = 1440, height = 900, at, isNewTab, prepare } = look;
    const tab = await tabs.takeTab({ baseUrl: service.baseUrl, language, theme, width, height, at, isNewTab });
    if (prepare !== undefined) tab.isReusable = false;
    await tab.page.evaluate(store, { 'dukkan.language': language, 'dukkan.theme': theme });
    return tab;
  }

  async function open(tab: Tab, where: string, { prepare }: Look): Promise<Visit> {
    const { page } = tab;
    const complaints = listen(page);
    await prepare?.(page);
    await page.goto(where);
    return {
      page,
      // Read by tests that change the context: a later test gets another one.
      get context() {
        tab.isReusable = false;
        return tab.context;
      },
      complaints,
      picture: (name) => takePicture(page, name),
    };
  }

  async function visit(where: string, look: Look = {}): Promise<Visit> {
    return open(await openTab(look), where, look);
  }

  /** Signs in by the request of the form, without the form, which the sign-in journeys test. */
  async function visitAs(account: { email: string; password: string }, where: string, look: Look = {}): Promise<Visit> {
    const tab = await openTab(look);
    const answer = await tab.context.request.post('/api/v1/auth/login', {
      headers: { 'x-session': 'cookie', origin: service.baseUrl },
      data: { email: account.email, password: account.password },
    });
    if (!answer.ok()) throw new Error(`${account.email} is not let in: ${answer.status()} ${await answer.text()}`);
    await tab.page.evaluate(store, { 'dukkan.signed-in': 'yes', 'dukkan.known': 'yes' });
    const visited = await open(tab, where, look);
    await visited.page.locator('#main h1').waitFor();
    return visited;
  }

  return {
    visit,
    visitAs,
    service: () => service,
    logins: () => logins,
    outside: () => outside,
    /** The first shop of the demo. */
    shop: () => {
      const [first] = logins.organizations;
      if (first === undefined) throw new Error('the demo has no shop');
      return first;
    },
  };
}

function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' && !message.text().startsWith('CSP')) return;
    // The browser reports every refusal of the service as an error; tests that provoke none check the answers themselves.
    if (message.text().startsWith('Failed to load resource')) return;
    complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('response', (answer) => {
    if (answer.status() >= 500) complaints.push(`${answer.status()} ${answer.url()}`);
  });
  return complaints;
}

/** Runs in the page. */
function store(values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) localStorage.setItem(name, value);
}

async function takePicture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  keepPicture(await page.screenshot({ fullPage: true }), name);
}

function keepPicture(drawn: Buffer, name: string, folder = PICTURES): void {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name}.png`), drawn);
}

/** Kept whether or not anybody wanted pictures: what differed once may not do so again for a week. Returns where. */
export function keepBoth(drawn: readonly Buffer[], name: string): string {
  const folder = PICTURES ?? path.join(tmpdir(), 'dukkan-drawn-twice');
  for (const [at, picture] of drawn.entries()) keepPicture(picture, `${name} drawn ${at}`, folder);
  return folder;
}
