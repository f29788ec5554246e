import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, type WebhookHeaders } from '../../../sdk/src/index.ts';
import { call } from '../../../test/harness/index.ts';
import type { ConsoleTests, PageToSee } from '../harness/index.ts';

export const webhooksPages: readonly PageToSee[] = [
  { name: 'webhooks', where: '/webhooks', ready: '[role="grid"] [data-index="0"]' },
  { name: 'webhook', where: '/webhooks', ready: '[role="grid"] [data-index="0"]', act: openFirst },
  { name: 'webhook-form', where: '/webhooks', ready: '[role="grid"] [data-index="0"]', act: openForm },
  { name: 'events', where: '/webhooks/events', ready: '.webhooks-catalog .ui-code' },
];

async function openFirst(page: Page): Promise<void> {
  await page.locator('[role="grid"] [data-index="0"]').first().click();
  await page.locator('.webhooks-columns').waitFor();
}

async function openForm(page: Page): Promise<void> {
  await page.locator('.ui-page-tools button').click();
  await page.locator('[role="dialog"] form').waitFor();
}

export function webhooksJourneys({ visitAs, service, shop, outside }: ConsoleTests): void {
  describe('webhooks', () => {
    it('are added, their secret is seen once and checks the test that arrives', async () => {
      const receiver = await outside().receiver();
      const { page, complaints } = await visitAs(shop().owner, '/webhooks');
      await page.getByRole('button', { name: 'Add a webhook' }).click();
      const form = page.getByRole('dialog');
      await form.getByRole('button', { name: 'Create' }).click();
      await form.getByText('This is required').waitFor();
      await form.getByLabel('Address', { exact: true }).fill('http://127.0.0.1/plain');
      await form.getByRole('button', { name: 'Create' }).click();
      await form.locator('.ui-error-text').first().waitFor();
      await form.getByLabel('Address', { exact: true }).fill(receiver.url);
      await form.getByRole('radio', { name: 'Only some' }).click();
      await form.getByText('order.created').click();
      await form.getByRole('button', { name: 'Create' }).click();
      const secret = await page.getByLabel('Signing secret', { exact: true }).inputValue();
      expect(secret).toMatch(/^whsec_/);
      for (const [language, words] of Object.entries(SAMPLES)) {
        await page.getByRole('tab', { name: language }).click();
        await page.getByRole('tabpanel').getByText(words).waitFor();
      }
      await page.getByRole('button', { name: 'I have copied it' }).click();
      await page.waitForURL(/\/webhooks\/[0-9a-f-]{36}$/);
      expect(await page.getByText(secret).count()).toBe(0);
      await page.getByRole('button', { name: 'Send a test' }).click();
      const delivery = page.getByRole('dialog', { name: 'Delivery' });
      await delivery.locator('.webhooks-attempt[data-good]').waitFor();
      await delivery.getByText('"type": "webhook.test"').waitFor();
      const [request] = receiver.requests;
      const event = await verifyWebhook(String(request?.rawBody), request?.headers as WebhookHeaders, secret);
      expect(event.type).toBe('webhook.test');
      await page.keyboard.press('Escape');
      await page.getByText('Healthy').waitFor();
      expect(complaints).toEqual([]);
    });

    it('of a receiver that fails are seen, sent again, recovered and held back, in Arabic', async () => {
      let isBroken = true;
      const receiver = await outside().receiver((_request, response) => {
        response.statusCode = isBroken ? 500 : 200;
        response.end(isBroken ? 'our database is away' : 'ok');
      });
      const ask = (target: string, body?: object) =>
        call(service().baseUrl, target, { token: shop().owner.token, ...(body && { body }) });
      const made = await ask('POST /webhook-subscriptions', { url: receiver.url, event_types: ['order.deleted'] });
      const { id } = made.body;
      const { page, complaints } = await visitAs(shop().owner, `/webhooks/${id}`, { language: 'ar' });
      await page.getByRole('button', { name: 'إرسال تجربة' }).click();
      const delivery = page.getByRole('dialog', { name: 'رسالة' });
      await delivery.locator('.ui-badge', { hasText: 'لم تصل' }).waitFor();
      await delivery.getByText('our database is away').first().waitFor();
      isBroken = false;
      await delivery.getByRole('button', { name: 'إعادة الإرسال' }).click();
      await delivery.locator('.ui-badge', { hasText: 'وصلت' }).waitFor();
      // The focus is still in the panel.
      expect(await delivery.evaluate((panel) => panel.contains(document.activeElement))).toBe(true);
      await page.keyboard.press('Escape');

      isBroken = true;
      await page.getByRole('button', { name: 'إرسال تجربة' }).click();
      await delivery.locator('.ui-badge', { hasText: 'لم تصل' }).waitFor();
      await page.keyboard.press('Escape');
      isBroken = false;
      await page.getByRole('button', { name: 'المزيد' }).click();
      await page.getByRole('menuitem', { name: 'استعادة الرسائل' }).click();
      const recovery = page.getByRole('dialog', { name: 'استعادة الرسائل' });
      await recovery.getByRole('button', { name: /منذ/ }).click();
      await page.getByRole('option', { name: 'قبل ساعة' }).click();
      await recovery.getByRole('button', { name: 'استعادة الرسائل' }).click();
      await page.getByText('يُعاد إرسال رسالة واحدة').waitFor();

      await page.getByRole('button', { name: 'إيقاف مؤقت' }).click();
      await page.getByText('تُحفظ الأحداث وتُرسل بترتيبها عند الاستئناف').waitFor();
      expect((await ask(`GET /webhook-subscriptions/${id}`)).body.status).toBe('paused');
      await page.getByRole('button', { name: 'استئناف' }).click();
      await page.getByRole('button', { name: 'إيقاف مؤقت' }).waitFor();
      expect(complaints).toEqual([]);
    });

    it('get a new secret, another address, and go', async () => {
      const receiver = await outside().receiver();
      const { token } = shop().owner;
      const made = await call(service().baseUrl, 'POST /webhook-subscriptions', { token, body: { url: receiver.url } });
      const { page } = await visitAs(shop().owner, `/webhooks/${made.body.id}`);
      const choose = async (name: string) => {
        await page.getByRole('button', { name: 'More', exact: true }).click();
        await page.getByRole('menuitem', { name }).click();
      };
      await choose('New secret');
      await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click();
      const secret = await page.getByLabel('Signing secret', { exact: true }).inputValue();
      expect(secret).not.toBe(made.body.secret);
      await page.getByRole('button', { name: 'I have copied it' }).click();
      await page.getByText('deliveries carry both signatures').waitFor();
      await choose('Change address or events');
      await page.getByRole('dialog').getByLabel('Description', { exact: true }).fill('Moved by the test');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Moved by the test').waitFor();
      await choose('Delete webhook');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click();
      await page.waitForURL(/\/webhooks$/);
      const gone = await call(service().baseUrl, `GET /webhook-subscriptions/${made.body.id}`, { token });
      expect(gone.status).toBe(404);
    });

    it('list eight event types, with the fields that the service describes', async () => {
      const { page } = await visitAs(shop().viewer, '/webhooks');
      await page.locator('[role="grid"] [data-index="0"]').waitFor();
      // A viewer is not shown what he may not do.
      expect(await page.getByRole('button', { name: 'Add a webhook' }).count()).toBe(0);
      await page.getByRole('link', { name: 'Event catalog' }).click();
      await page.locator('.webhooks-type').first().waitFor();
      const types = await page.locator('.webhooks-type code').allInnerTexts();
      expect(types.filter((type) => type.startsWith('order.'))).toHaveLength(8);
      await page.getByRole('link', { name: 'order.status_changed' }).click();
      await page.waitForURL(/type=order.status_changed/);
      await page.getByText('"type": "order.status_changed"').waitFor();
      await page.getByRole('tab', { name: 'Fields' }).click();
      await page.getByText('Equals the webhook-id header of its deliveries').waitFor();
      await page.locator('summary', { hasText: 'The order after the change' }).click();
      await page.getByText('status_raw').first().waitFor();
    });

    it('are closed to an account of one branch', async () => {
      const { page } = await visitAs(shop().branch_user, '/apps');
      await page.locator('.apps-grid').first().waitFor();
      const navigation = page.getByRole('navigation', { name: 'Navigation' });
      expect(await navigation.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
      expect(await navigation.getByRole('link', { name: 'Inbox' }).count()).toBe(0);
      expect(await page.getByRole('link', { name: /^Install / }).count()).toBe(0);
      // Its apps are all the organization's: the service refuses to let it switch one off, so nothing offers to.
      await page.locator('.apps-grid').locator('xpath=preceding::*[@role="row"][@data-index="0"]').first().click();
      await page.locator('.apps-columns').waitFor();
      expect(await page.getByRole('button', { name: /^(Disable|Enable|Remove)$/ }).count()).toBe(0);
      await page.goto('/apps/new/salla');
      await page.getByText('Your account has no access').waitFor();
      expect(await page.getByRole('button', { name: 'Install' }).count()).toBe(0);
    });
  });
}

const SAMPLES = {
  TypeScript: 'timingSafeEqual(given, expected)',
  Python: 'hmac.compare_digest',
  PHP: 'hash_equals',
  Go: 'hmac.Equal',
};
