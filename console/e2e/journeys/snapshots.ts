import type { Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { arrive, type ConsoleTests, keepBoth, type Look, type PageToSee } from '../harness/index.ts';

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

/** The service goes on working, so that a count or a connector's last visit may change between two drawings: then both are drawn anew. */
const MOST_DRAWINGS = 6;
/** When it was answered, and where the feed stood; nothing that is drawn. */
const STAMPS = new Set(['timestamp', 'fetched_at', 'next_cursor']);
/** Counts in the navigation are read after the page, by scripts that are loaded after it: without a skeleton that could be waited for. */
const QUIET_MS = 500;

type Drawing = { picture: Buffer; answers: string };

/**
 * Ten pages and one, drawn twice by two browsers that have the same clock and got the same answers: not one pixel may differ. What is drawn
 * by chance, by the order of answers or by an animation shows here. Pictures are not compared with kept ones: those would be of one
 * browser, on one machine.
 */
export function snapshotJourneys({ visit, visitAs, shop, logins }: ConsoleTests, pages: readonly PageToSee[]): void {
  describe('drawn twice, the same to the pixel', () => {
    it.each(NAMES.slice(0, SEES_ALL ? NAMES.length : FEW))('%s', async (name) => {
      const one = pages.find((page) => page.name === name);
      if (one === undefined) throw new Error(`no page is called ${name}`);
      const at = new Date();
      const draw = async (): Promise<Drawing> => {
        let answers = async () => '';
        let quiet = async () => {};
        const look: Look = {
          at,
          language: 'ar',
          prepare: (opened) => {
            answers = listenToAnswers(opened);
            quiet = listenToRequests(opened);
          },
        };
        const { page } =
          one.as === 'visitor'
            ? await visit(one.where, look)
            : await visitAs(one.as === 'operator' ? logins().commercial : shop().owner, one.where, look);
        await arrive(page, one);
        if (one.as === undefined) await page.locator('.frame-live[data-state="live"]').waitFor();
        await quiet();
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
        const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
        return { picture, answers: await answers() };
      };
      let first = await draw();
      let second = await draw();
      for (let drawn = 2; first.answers !== second.answers && drawn < MOST_DRAWINGS; drawn += 1) {
        [first, second] = [second, await draw()];
      }
      expect(second.answers, `${name}: the service never answered the same twice`).toBe(first.answers);
      if (Buffer.compare(first.picture, second.picture) === 0) return;
      const folder = keepBoth([first.picture, second.picture], name);
      expect.fail(`${name}: the second drawing differs, see ${folder}`);
    });
  });
}

/** What the service answers from now on, by address: in whichever order it comes, and the last where it was asked twice. */
function listenToAnswers(page: Page): () => Promise<string> {
  const answers = new Map<string, Promise<string>>();
  page.on('response', (answer) => {
    const isRead = answer.request().method() === 'GET' && answer.url().includes('/api/v1/');
    // A stream has no end to wait for.
    if (!isRead || !answer.headers()['content-type']?.startsWith('application/json')) return;
    const body = answer.text().then((text) => withoutStamps(text), String);
    answers.set(answer.url(), body);
  });
  return async () => {
    const lines = await Promise.all([...answers].map(async ([url, body]) => `${url} ${await body}`));
    return lines.sort().join('\n');
  };
}

/** Waits until no request has been open for a while, the stream of orders apart. */
function listenToRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  let changedAt = Date.now();
  const end = (request: Request) => {
    open.delete(request);
    changedAt = Date.now();
  };
  page.on('request', (request) => {
    if (request.url().includes('/orders/changes/stream')) return;
    open.add(request);
    changedAt = Date.now();
  });
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return () => expect.poll(() => open.size === 0 && Date.now() - changedAt > QUIET_MS).toBe(true);
}

function withoutStamps(json: string): string {
  return JSON.stringify(JSON.parse(json, (field, value) => (STAMPS.has(field) ? undefined : value)));
}
