// Takes the pictures of README.md and docs/pictures from a running demo:
//   npm start, then: node console/build/take-pictures.mjs [<data folder>] [<name part>]
// WebP by Chromium itself: a third of the bytes of PNG, and no further tool.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';

const [dataFolder = '.data', part = ''] = process.argv.slice(2);
const {
  base_url: baseUrl,
  organizations,
  commercial,
} = JSON.parse(readFileSync(path.join(dataFolder, 'demo.json'), 'utf8'));
const [shop] = organizations;
const FOLDER = process.env.PICTURES_FOLDER ?? path.resolve(import.meta.dirname, '../../docs/pictures');
const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const TABLET = { width: 1024, height: 768 };
const QUALITY = 82;

const api = async (address) => {
  const answer = await fetch(`${baseUrl}/api/v1${address}`, {
    headers: { authorization: `Bearer ${shop.owner.token}` },
  });
  return answer.json();
};
const first = (body) => (body.orders ?? body.data ?? body.items)[0];
const order =
  first(await api('/orders?state=open&format=canonical&limit=1&source=store'))?.id ??
  first(await api('/orders?format=canonical&limit=1')).id;
const sku = first(await api('/analytics/sensy?limit=1')).sku_id;
const branch = (await api('/branches?limit=100')).data.find(({ active }) => active).iv_id;
const webhook = first(await api('/webhook-subscriptions')).id;
const payload = first(await api('/staging?limit=1'))?.id;

/** name, page, and what differs from the owner of the first organization at 1280 x 800 in light colours. */
const PICTURES = [
  ['home', '/', {}],
  ['home-dark', '/', { theme: 'dark', languages: ['ar'] }],
  ['home-390', '/', { size: PHONE }],
  ['home-no-analytics', '/', { account: shop.no_analytics, languages: ['en'] }],
  ['orders', '/orders', {}],
  ['orders-390', '/orders', { size: PHONE }],
  ['order', `/orders/${order}`, {}],
  ['till-1024', '/till', { size: TABLET, prepare: fillCart }],
  ['customers', '/customers', { languages: ['ar'] }],
  ['products', '/products', { languages: ['ar'] }],
  ['matrix', '/matrix', { languages: ['en'] }],
  ['branches-dark', '/branches', { theme: 'dark', languages: ['ar'] }],
  ['hours', `/branches/${branch}`, { languages: ['en'] }],
  ['apps', '/apps', { languages: ['en'] }],
  ['inbox', `/staging/${payload}`, { languages: ['en'] }],
  ['payments', '/payments', { languages: ['ar'] }],
  ['webhook', `/webhooks/${webhook}`, { languages: ['en'] }],
  ['forecasts', '/forecasts', { languages: ['ar'] }],
  ['forecast', `/forecasts/${encodeURIComponent(sku)}`, { languages: ['en'] }],
  ['team', '/settings/team', { languages: ['en'] }],
  ['billing', '/settings/billing', { languages: ['ar'] }],
  ['operator', '/operator', { account: commercial, languages: ['en'] }],
  ['welcome', '/welcome', { account: null, languages: ['ar'] }],
  ['entrance', '/sign-in', { account: null, languages: ['en'] }],
];

/** By barcode, as a scanner types them. */
async function fillCart(page) {
  const { data: products } = await api('/products?limit=4');
  for (const { barcode } of products) {
    await page.keyboard.type(barcode);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(700);
  }
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb', '--font-render-hinting=none'],
});
const signedIn = new Map();

/** One sign-in for each account: the cookie and storage are used again. */
async function stateOf(account) {
  if (account === null) return undefined;
  const known = signedIn.get(account.email);
  if (known !== undefined) return known;
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${baseUrl}/sign-in`);
  await page.locator('input[type="email"]').fill(account.email);
  await page.locator('input[type="password"]').fill(account.password);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
  await page.waitForLoadState('load');
  const state = await context.storageState();
  await page.goto('about:blank');
  await context.close();
  signedIn.set(account.email, state);
  return state;
}

for (const [name, address, options] of PICTURES) {
  const { size = WIDE, theme = 'light', languages = ['en', 'ar'], account = shop.owner, prepare } = options;
  for (const language of languages) {
    const file = name.replace(/^([a-z]+)/, `$1-${language}`);
    if (!file.includes(part)) continue;
    const storageState = await stateOf(account);
    const context = await browser.newContext({ viewport: size, ...(storageState && { storageState }) });
    await context.addInitScript(
      ([chosenLanguage, chosenTheme]) => {
        localStorage.setItem('dukkan.language', chosenLanguage);
        localStorage.setItem('dukkan.theme', chosenTheme);
      },
      [language, theme],
    );
    const page = await context.newPage();
    await page.goto(baseUrl + address);
    await page.waitForFunction(() => document.querySelector('h1') !== null);
    // The feed stays open, so the network is never idle: parts that load later are waited for by time.
    await page.waitForTimeout(1_500);
    await page
      .waitForFunction(() => document.querySelector('.ui-skeleton') === null, undefined, { timeout: 15_000 })
      .catch(() => undefined);
    // Of the images only those in view are loaded; the others never become complete.
    await page.waitForTimeout(1_000);
    await prepare?.(page);
    await page.evaluate(() => document.fonts.ready);
    const devtools = await context.newCDPSession(page);
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
    writeFileSync(path.join(FOLDER, `${file}.webp`), Buffer.from(data, 'base64'));
    process.stdout.write(`${file}.webp ${Math.round((data.length * 3) / 4 / 1024)} kB\n`);
    // A later context signs in with the refresh token of this one.
    if (account !== null) signedIn.set(account.email, await context.storageState());
    await context.close();
  }
}
await browser.close();
