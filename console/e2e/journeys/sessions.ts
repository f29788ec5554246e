import type { BrowserContext, Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import { makeGoods } from '../harness/goods.ts';
import type { ConsoleTests } from '../harness/index.ts';
import { type OwnShop, openOwnShop } from './own-shop.ts';

/** In every name that belongs to the first user, and in nothing else. */
const MARK = 'Sirrmark';
const PASSWORD = 'correct horse battery';
const refusal = (page: Page) => page.getByRole('alert').getByText('Your account has no access').first();

export function sessionsJourneys(tests: ConsoleTests): void {
  const { visit, visitAs, service, shop, logins } = tests;
  const ask = (target: string, options: Parameters<typeof call>[2]) => call(service().baseUrl, target, options);

  /** Another account of the same shop: what it is refused, the first one may have read a second ago. */
  async function addMember({ owner }: OwnShop, withheld: string[]): Promise<{ id: string; email: string }> {
    const email = `second-${Date.now()}@own.example`;
    const body = { email, role: 'viewer', grants_withheld: withheld };
    const invited = await ask('POST /members', { token: owner.token, body });
    const token = String(invited.body.data.invite_url).split('token=')[1];
    const joined = await ask('POST /auth/invitations/accept', { body: { token, name: 'Second', password: PASSWORD } });
    expect(joined.status).toBe(200);
    return { id: invited.body.data.id, email };
  }

  async function fillShop(token: string): Promise<string> {
    const branch = { iv_id: 'S-1', name_en: `${MARK} Olaya`, name_ar: `${MARK} العليا`, active: true };
    expect((await ask('POST /branches', { token, body: branch })).status).toBe(201);
    const goods = await makeGoods(service().baseUrl, token, {
      branch: 'S-1',
      stock: 5,
      price: 10,
      name: `${MARK} pads`,
    });
    const order = await ask('POST /orders', {
      token,
      body: {
        source_transaction_id: `own-${Date.now()}`,
        order_status: 'RECEIVED',
        fulfillment_status: 'None',
        total_amount: 10,
        customer_name: `${MARK} Noura`,
        skus: [goods.sku],
        products: [{ product_id: goods.product, sku_id: goods.sku, quantity: 1, price: 10 }],
      },
    });
    expect(order.status).toBe(201);
    expect((await ask('POST /auth/session-tokens', { token, body: { name: `${MARK} script` } })).status).toBe(201);
    return goods.barcode;
  }

  describe('one browser, several users', () => {
    it('the next user sees nothing of the previous one, in any tab and by any way back', async () => {
      const own = await openOwnShop(tests);
      const { owner } = own;
      const barcode = await fillShop(owner.token);
      const second = await addMember(own, ['read:Orders', 'read:Branches', 'read:Products', 'read:Analytics']);
      const { page, context, complaints } = await visit('/sign-in');
      await watchForMark(context);
      await page.reload();
      const streams = openStreams(context);
      await signInBy(page, owner.email, owner.password);

      // The first user leaves something everywhere: the cart, the cache, the history, a write that is not answered yet.
      await page.getByRole('link', { name: 'Till' }).click();
      await page.getByRole('combobox').fill(barcode);
      await page.keyboard.press('Enter');
      await page.locator('.till-line').getByText(`${MARK} pads`).waitFor();
      await page.getByRole('link', { name: 'Branches', exact: true }).click();
      await page.getByRole('row', { name: new RegExp(`${MARK} Olaya`) }).waitFor();
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('link', { name: 'Session tokens' }).click();
      await page.getByRole('row', { name: new RegExp(`${MARK} script`) }).waitFor();
      await page.getByRole('link', { name: 'Orders', exact: true }).click();
      await page.getByRole('row', { name: new RegExp(`${MARK} Noura`) }).click();
      await page.getByText(`${MARK} Noura`).first().waitFor();
      const other = await context.newPage();
      await other.goto('/orders');
      await other.getByRole('row', { name: new RegExp(`${MARK} Noura`) }).waitFor();
      await expect.poll(() => streams.size).toBe(1);
      const held = holdFirst(page, /\/api\/v1\/orders\//, 'PATCH');
      await page.locator('.ui-page-tools button').first().click();
      await held.begun;
      const firstToken = await tokenSentBy(other);

      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      for (const tab of [page, other]) {
        await tab.waitForURL(/\/sign-in$/);
        await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
        await arm(tab);
      }
      await expect.poll(() => streams.size).toBe(0);
      expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(MARK);
      await page.goBack();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();

      await signInBy(page, second.email, PASSWORD);
      await other.getByRole('heading', { name: 'Home' }).waitFor();
      await held.release({ status: 409, body: { code: 409, error: `${MARK} is refused` } });
      // A refresh that another tab began for the first user ends late: its token is not the next user's.
      await other.evaluate((text) => {
        new BroadcastChannel('dukkan session').postMessage({
          kind: 'token',
          token: { text, until: Date.now() + 3_000_000 },
        });
      }, firstToken);
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('link', { name: 'Session tokens' }).click();
      await page.getByText('No tokens yet').waitFor();
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByText(second.email).waitFor();
      await page.keyboard.press('Escape');
      for (const where of ['/orders', '/branches', '/products', '/customers', '/matrix']) {
        await goInside(page, where);
        await refusal(page).waitFor();
      }
      for (const tab of [page, other]) expect(await seen(tab)).toEqual([]);
      expect(complaints).toEqual([]);
    });

    it('the next organization shows nothing of the one before, however late it answers', async () => {
      const { page } = await visitAs(shop().owner, '/orders?sort=created');
      const [first, next] = logins().organizations;
      const code = await page.locator('[role="grid"] [data-index="0"] .ltr').first().innerText();
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('menuitem', { name: 'Save this view…' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill(`${MARK} view`);
      await page.keyboard.press('Enter');
      await page.locator('.ui-toast').getByText(MARK).waitFor();
      const held = holdFirst(page, /\/api\/v1\/orders\?/, 'GET');
      await page.getByRole('button', { name: /Switch organization/ }).click();
      await page.getByRole('menuitemradio', { name: new RegExp(next?.name_en ?? '') }).click();
      await held.begun;
      expect(first?.name_en).not.toBe(next?.name_en);
      await page.locator('#main .ui-skeleton').first().waitFor();
      // Browsers of these tests ask for reduced motion.
      expect(await page.evaluate(endlessAnimations)).toEqual([]);
      const shown = await page.evaluate(() => `${document.title} ${document.body.innerText}`);
      expect(shown).not.toContain(code);
      expect(shown).not.toContain(MARK);
      // Focus moves to its beginning for users who cannot see that everything changed.
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
      await held.release();
      await page.locator('[role="grid"] [data-index="0"]').waitFor();
    });

    it('what is refused takes the place of what was shown; what fails keeps it and says how old it is', async () => {
      const own = await openOwnShop(tests);
      await fillShop(own.owner.token);
      const member = await addMember(own, []);
      const { page, context } = await visit('/sign-in');
      await context.clock.install();
      await page.goto('/sign-in?next=/branches');
      await signInBy(page, member.email, PASSWORD);
      const row = page.getByRole('row', { name: new RegExp(`${MARK} Olaya`) });
      await row.waitFor();
      const failing = (route: Route) => route.fulfill({ status: 500, json: { code: 500, error: 'broken' } });
      await page.route(/\/api\/v1\/branches\?/, failing);
      await readAgain(page);
      const old = page.getByRole('status').getByText('could not be refreshed');
      await old.waitFor();
      expect(await row.count()).toBe(1);
      await page.unroute(/\/api\/v1\/branches\?/);
      await page.locator('.frame-notices').getByRole('button', { name: 'Try again' }).click();
      await expect.poll(() => old.count()).toBe(0);
      const gone = { iv_id: 'S-2', name_en: `${MARK} Malaz`, name_ar: `${MARK} الملز` };
      expect((await ask('POST /branches', { token: own.owner.token, body: gone })).status).toBe(201);
      await goInside(page, '/branches/S-2');
      await page.getByRole('heading', { name: new RegExp(`${MARK} Malaz`) }).waitFor();
      expect(await page.title()).toContain(MARK);
      expect((await ask('DELETE /branches/S-2?force=true', { token: own.owner.token })).status).toBeLessThan(300);
      await readAgain(page);
      await page.locator('#main').getByRole('alert').waitFor();
      expect(`${await page.title()} ${await page.locator('#main').innerText()}`).not.toContain(MARK);
      await goInside(page, '/branches');
      await row.waitFor();
      const changed = { token: own.owner.token, body: { grants_withheld: ['read:Branches'] } };
      expect((await ask(`PATCH /members/${member.id}`, changed)).status).toBe(200);
      await readAgain(page);
      await refusal(page).waitFor();
      expect(await page.locator('#main').innerText()).not.toContain(MARK);
    });

    it('a login that the service ends is over in every tab, and only its own user goes on where it was', async () => {
      const own = await openOwnShop(tests);
      await fillShop(own.owner.token);
      const member = await addMember(own, ['read:Orders']);
      const { page, context } = await visitAs(own.owner, '/orders');
      await page.getByRole('row', { name: new RegExp(`${MARK} Noura`) }).waitFor();
      const other = await context.newPage();
      await other.goto(`/orders?search=${MARK}`);
      await other.getByRole('row', { name: new RegExp(`${MARK} Noura`) }).waitFor();
      const reset = { current_password: PASSWORD, new_password: 'another horse battery' };
      expect((await ask('POST /auth/password', { token: own.owner.token, body: reset })).status).toBe(204);
      // By the answer to a request, unless the stream of orders has ended before.
      const signedOut = page.waitForURL(/\/sign-in\?next=/);
      const search = page.getByRole('searchbox').fill('anything');
      await Promise.race([signedOut, search.catch(() => signedOut)]);
      for (const tab of [page, other]) {
        await tab.waitForURL(/\/sign-in\?next=/);
        await tab.getByText('Your session has ended').waitFor();
        expect(await tab.content()).not.toContain(`${MARK} Noura`);
      }
      await signInBy(page, member.email, PASSWORD);
      await expect.poll(() => new URL(other.url()).pathname).toBe('/');
      await other.getByRole('heading', { name: 'Home' }).waitFor();
      expect(page.url()).not.toContain('anything');
    });
  });
}

async function signInBy(page: Page, email: string, password: string): Promise<void> {
  await page.locator('input[type="email"]').fill(email);
  await page.locator('input[type="password"]').fill(password);
  await page.locator('button[type="submit"]').click();
  await page.locator('#main h1').waitFor();
}

/** As the history does it: the page stays, and whatever its scripts remember with it. */
async function goInside(page: Page, where: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', to);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, where);
  await page.locator('#main h1').first().waitFor();
}

/** The user returns to the tab a minute later. */
async function readAgain(page: Page): Promise<void> {
  await page.clock.fastForward(60_000);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}

/** Runs in the page. */
function endlessAnimations(): string[] {
  const animations = document.getAnimations() as CSSAnimation[];
  return animations.filter((one) => one.effect?.getTiming().iterations === Infinity).map((one) => one.animationName);
}

/** Keeps the answer of the first such request until it is let go: as the service gives it, or another. */
function holdFirst(page: Page, address: RegExp, method: string) {
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<{ status: number; body: object } | undefined>();
  let isHeld = false;
  void page.route(address, async (route) => {
    if (isHeld || route.request().method() !== method) return await route.fallback();
    isHeld = true;
    begun.resolve();
    const answer = await released.promise;
    // The page may have given the request up by now.
    if (answer === undefined) await route.continue().catch(() => undefined);
    else await route.fulfill({ status: answer.status, json: answer.body }).catch(() => undefined);
  });
  return {
    begun: begun.promise,
    release: async (answer?: { status: number; body: object }) => released.resolve(answer),
  };
}

async function tokenSentBy(page: Page): Promise<string> {
  const [request] = await Promise.all([page.waitForRequest(/\/api\/v1\/orders/), page.reload()]);
  await page.locator('[role="grid"] [data-index="0"]').waitFor();
  return (request.headers().authorization ?? '').replace('Bearer ', '');
}

/** Event streams that are open in any tab. */
function openStreams(context: BrowserContext): Set<unknown> {
  const streams = new Set<unknown>();
  context.on('request', (request) => request.url().includes('/orders/changes/stream') && streams.add(request));
  context.on('requestfailed', (request) => streams.delete(request));
  context.on('requestfinished', (request) => streams.delete(request));
  return streams;
}

/** From then on every state of the document is looked at, however short it was there. */
async function watchForMark(context: BrowserContext): Promise<void> {
  await context.addInitScript((mark) => {
    const found: string[] = [];
    const look = () => {
      const { outerHTML } = document.documentElement;
      const at = outerHTML.indexOf(mark);
      if (at !== -1 && 'isWatching' in window) found.push(outerHTML.slice(Math.max(0, at - 80), at + 80));
    };
    Object.assign(window, { markFound: found });
    const what = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(look).observe(document, what);
  }, MARK);
}

const arm = (page: Page) => page.evaluate(() => void Object.assign(window, { isWatching: true }));
const seen = (page: Page) => page.evaluate(() => (window as unknown as { markFound: string[] }).markFound);
