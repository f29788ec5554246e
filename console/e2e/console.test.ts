import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withSecondFactor } from '../../src/modules/identity/testing/second-factor.ts';
import { call } from '../../test/harness/index.ts';
import { axeViolations } from './harness/axe.ts';
import { answerDashboard } from './harness/dashboard-answers.ts';
import { consoleTests, FOUR_FORMS } from './harness/index.ts';

const { visit, visitAs, service, shop, logins } = consoleTests();

/** Everything has come or failed. The network is never idle: the stream of orders stays open. */
const settled = (page: Page) => expect.poll(() => page.locator('.ui-skeleton').count()).toBe(0);

const formName = ({ language, theme }: (typeof FOUR_FORMS)[number]) => `${language}-${theme}`;

describe('every page, in English and Arabic, light and dark', () => {
  it.each(FOUR_FORMS.map((form) => [formName(form), form] as const))('%s', async (name, form) => {
    const door = await visit('/sign-in', form);
    await door.page.locator('button[type="submit"]').waitFor();
    await door.picture(`sign-in-${name}`);
    expect(await axeViolations(door.page)).toEqual([]);
    expect(door.complaints).toEqual([]);

    const { page, complaints, picture } = await visitAs(shop().owner, '/', form);
    await page.locator('.home-figure strong').first().waitFor();
    await settled(page);
    await picture(`home-${name}`);
    expect(await axeViolations(page)).toEqual([]);

    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.locator('[role="grid"] [data-index="0"]').waitFor();
    await picture(`orders-${name}`);
    expect(await axeViolations(page)).toEqual([]);

    await page.locator('[role="grid"] [data-index="0"]').click();
    await page.locator('.order-events, .ui-state').first().waitFor();
    await picture(`order-${name}`);
    expect(await axeViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('fits a tablet and a telephone', async () => {
    for (const language of ['en', 'ar'] as const) {
      const { page, complaints, picture } = await visitAs(shop().owner, '/', { language });
      for (const width of [1024, 390]) {
        await page.setViewportSize({ width, height: 800 });
        for (const [name, where, what] of [
          ['home', '/', '.home-figure strong'],
          ['orders', '/orders', '[role="grid"] [data-index="0"]'],
        ] as const) {
          await page.goto(where);
          await page.locator(what).first().waitFor();
          await settled(page);
          await picture(`${name}-${language}-${width}`);
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
          expect([name, width, language, overflow <= 0]).toEqual([name, width, language, true]);
        }
      }
      expect(complaints).toEqual([]);
    }
  });
});

describe('home', () => {
  it.each(['en', 'ar'] as const)(
    '%s: a section that fails is alone with it, and an alert leads to its cause',
    async (language) => {
      const { page, complaints, picture } = await visitAs(shop().owner, '/orders', { language });
      await answerDashboard(page, ['apps']);
      await page.goto('/');
      await page.locator('.home-alert a').first().waitFor();
      await settled(page);
      await picture(`home-data-${language}`);
      expect(await page.getByRole('alert').count()).toBe(1);
      expect(await page.locator('.home-figure').count()).toBe(10);
      expect(await axeViolations(page)).toEqual([]);
      // By keyboard, in the direction of reading; what it says is read out.
      await page.locator('.chart').focus();
      await page.keyboard.press(language === 'ar' ? 'ArrowRight' : 'ArrowLeft');
      await page.locator('.chart-tip').waitFor();
      expect(await page.locator('.chart [aria-live]').innerText()).toMatch(/SAR/);
      await page.locator('.home-alert a').first().click();
      await page.waitForURL(/\/orders\?status=CANCELLED$/);
      expect(complaints).toEqual([]);
    },
  );
});

describe('the door', () => {
  it('says what is wrong, and lets in where one wanted to go', async () => {
    const { page } = await visit('/orders?status=DELIVERED');
    await page.waitForURL(/\/sign-in\?next=/);
    await page.locator('input[type="email"]').fill(shop().owner.email);
    await page.locator('input[type="password"]').fill('not the password');
    await page.locator('button[type="submit"]').click();
    await page.getByRole('alert').getByText('Email or password is wrong').waitFor();
    await page.locator('input[type="password"]').fill(shop().owner.password);
    await page.locator('button[type="submit"]').click();
    await page.waitForURL(/\/orders\?status=DELIVERED$/);
    await page.locator('[role="grid"]').waitFor();
    // A reload stays inside: the cookie is what is left of the session.
    await page.reload();
    await page.locator('[role="grid"]').waitFor();
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toMatch(/eyJ|dk[rs]_/);
  });

  it('asks for the second factor of who has one', async () => {
    const { member } = shop();
    const { recoveryCodes } = await withSecondFactor(service().baseUrl, member, { now: () => new Date() });
    const { page } = await visit('/sign-in', { language: 'ar' });
    await page.locator('input[type="email"]').fill(member.email);
    await page.locator('input[type="password"]').fill(member.password);
    await page.locator('button[type="submit"]').click();
    const code = page.getByLabel('الرمز من تطبيقك');
    await code.fill('000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('الرمز غير صحيح').waitFor();
    await code.fill(recoveryCodes[0] ?? '');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'الرئيسية' }).waitFor();
  });
});

describe('orders', () => {
  it('announce themselves without moving a row, and change in their place', async () => {
    const { page, complaints } = await visitAs(shop().owner, '/orders');
    const first = page.locator('[role="grid"] [data-index="0"]');
    await first.waitFor();
    await page.locator('.frame-live[data-state="live"]').waitFor();
    const before = await first.innerText();
    const { token } = shop().owner;
    const sku = (await call(service().baseUrl, 'GET /skus?limit=1', { token })).body.data[0];
    const placed = await call(service().baseUrl, 'POST /orders', {
      token,
      body: {
        source_transaction_id: `e2e-${Date.now()}`,
        order_status: 'RECEIVED',
        fulfillment_status: 'None',
        customer_name: 'Salma of the test',
        total_amount: 12.5,
        skus: [sku.iv_id],
        products: [{ product_id: sku.product_iv_id, sku_id: sku.iv_id, quantity: 1, price: 12.5 }],
      },
    });
    expect(placed.status).toBe(201);
    const bar = page.getByRole('button', { name: '1 new order: show it' });
    await bar.waitFor();
    expect(await first.innerText()).toBe(before);
    await bar.click();
    await page.getByRole('gridcell', { name: 'Salma of the test' }).first().click();
    await page.getByRole('button', { name: 'Mark ready' }).click();
    await page.getByText('Now: Ready for pickup').waitFor();
    await page.getByText('Received → Ready for pickup').waitFor();
    await page.getByRole('button', { name: 'Other moves' }).click();
    await page.getByRole('menuitem', { name: 'Cancel order' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
    await page.getByText('Now: Cancelled').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Other moves' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('are found, filtered and gone through by keyboard, and the address says it all', async () => {
    const { page } = await visitAs(shop().viewer, '/orders');
    await page.locator('[role="grid"] [data-index="0"]').waitFor();
    await page.getByRole('radio', { name: 'Delivered' }).click();
    await page.waitForURL(/status=DELIVERED/);
    await page.locator('[role="grid"] [data-index="0"]').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-index'))).toBe('2');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
    await page.locator('.order-lines').waitFor();
    // A viewer is not shown what he may not do.
    expect(await page.getByRole('button', { name: 'Cancel order' }).count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('searchbox').fill('orders');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/orders$/);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  });
});

it('one shop after the other, one tab beside another', async () => {
  const { page, context } = await visitAs(shop().owner, '/');
  const { name_en } = logins().organizations[1] ?? { name_en: '' };
  await page.getByRole('button', { name: /Switch organization/ }).click();
  await page.getByRole('menuitemradio', { name: new RegExp(name_en) }).click();
  await page.getByRole('button', { name: `Switch organization: ${name_en}` }).waitFor();
  const second = await context.newPage();
  await second.goto('/orders');
  await second.locator('[role="grid"]').waitFor();
  // Signed out in one is signed out in all.
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await second.waitForURL(/\/sign-in/);
});
