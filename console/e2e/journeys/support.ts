import { describe, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import type { ConsoleTests } from '../harness/index.ts';
import { openOwnShop } from './own-shop.ts';

export function supportJourneys(tests: ConsoleTests): void {
  const { visitAs, service, logins } = tests;
  const ask = (target: string, token: string, body?: unknown) => call(service().baseUrl, target, { token, body });

  describe('support access', () => {
    it('is asked for, allowed, used under a banner, and ended by the merchant while the operator is inside', async () => {
      const { id, name, owner } = await openOwnShop(tests);
      await ask('POST /branches', owner.token, { iv_id: 'S-1', name_en: 'Olaya', name_ar: 'العليا' });

      const operator = await visitAs(logins().commercial, `/operator/organizations/${id}`);
      const inside = operator.page;
      await inside.getByRole('button', { name: 'Request access' }).click();
      await inside.getByLabel('Reason').fill('Opening hours look wrong');
      await inside.getByRole('button', { name: 'Send the request' }).click();
      await inside.getByText('Your request waits for an answer').waitFor();

      const merchant = await visitAs(owner, '/');
      const { page } = merchant;
      await page.getByText('Opening hours look wrong').waitFor();
      await page.getByRole('link', { name: 'Allow…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Allow access' }).click();
      await page.getByRole('button', { name: 'End access' }).waitFor();

      await inside.reload();
      await inside.getByRole('button', { name: 'Open as support' }).click();
      const banner = inside.getByRole('region', { name: 'Support visit' });
      await banner.getByText(`You are in ${name} for support`).waitFor();
      await banner.getByText('Read-only').waitFor();
      await inside.goto('/branches/S-1');
      await inside.getByRole('heading', { name: /Olaya/ }).waitFor();
      await banner.waitFor();
      // Pages of the operator, and of the account, are closed from inside.
      expect(await inside.getByRole('link', { name: 'Overview' }).count()).toBe(0);

      // Nothing of the page that is left is requested again: the operator's own account would be refused.
      await inside.goto('/settings');
      await inside.locator('.settings-content h1').waitFor();
      await banner.getByRole('button', { name: 'Leave' }).click();
      await inside.waitForURL(new RegExp(`/operator/organizations/${id}`));
      await inside.getByRole('button', { name: 'Open as support' }).click();
      await banner.waitFor();

      await page.reload();
      await page.getByRole('button', { name: 'End access' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click();
      await page.getByText('Support has no access').waitFor();
      await page.getByRole('link', { name: /^What .* did$/ }).click();
      await page
        .getByRole('row', { name: /Support entered.*Support: / })
        .first()
        .waitFor();

      await inside.reload();
      await inside.waitForURL(new RegExp(`/operator/organizations/${id}`));
      await inside.getByRole('button', { name: 'Request access' }).waitFor();
      expect(await banner.count()).toBe(0);
      expect([...merchant.complaints, ...operator.complaints]).toEqual([]);
    });
  });
}
