import { describe, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import type { ConsoleTests } from '../harness/index.ts';
import { openOwnShop } from './own-shop.ts';

export function peopleJourneys(tests: ConsoleTests): void {
  const { visitAs, service } = tests;
  const ask = (target: string, options: Parameters<typeof call>[2]) => call(service().baseUrl, target, options);

  describe('people', () => {
    it('an owner ends a session, creates a reset link, closes a branch, and is asked about a change of another owner', async () => {
      const { owner } = await openOwnShop(tests);
      const { email, password, token } = owner;
      const invited = await ask('POST /members', {
        token,
        body: { email: `h-${Date.now()}@own.example`, role: 'viewer' },
      });
      await ask('POST /auth/invitations/accept', {
        body: { token: invited.body.data.invite_url.split('token=')[1], name: 'Huda', password },
      });
      await ask('POST /branches', { token, body: { iv_id: 'P-1', name_en: 'Olaya', name_ar: 'العليا' } });
      await ask('POST /auth/login', { body: { email, password }, headers: { 'user-agent': 'curl/8.5.0' } });

      const { page, complaints } = await visitAs(owner, '/settings/security');
      const devices = page.getByRole('list', { name: 'Where you are signed in' });
      await devices.getByText('This device').waitFor();
      await devices.getByRole('button', { name: 'End: curl' }).click();
      await page.getByText('The session has ended').waitFor();
      await expect.poll(() => devices.getByText('curl').count()).toBe(0);

      await page.goto('/settings/team');
      await page.getByRole('row', { name: /Huda/ }).click();
      await page.getByRole('button', { name: 'Password reset link' }).click();
      await page.getByText('/reset-password#token=dkp_').waitFor();
      await page.getByRole('link', { name: 'Activity' }).click();
      await page.getByRole('row', { name: /Accepted an invitation/ }).waitFor();

      await page.goto('/branches/P-1');
      await page.getByRole('button', { name: 'Add a closure' }).click();
      await page.getByRole('button', { name: /^National Day/ }).click();
      await page.getByRole('button', { name: 'Close on these days' }).click();
      await page.getByRole('list', { name: 'Closures and holidays' }).getByText('National Day').waitFor();

      await page.goto('/settings');
      await page.getByLabel('Address').fill('Mine');
      await ask('PATCH /organization', { token, body: { address: 'Theirs' } });
      await page.getByRole('button', { name: 'Save' }).click();
      const choice = page.getByRole('dialog', { name: 'Someone else changed this too' });
      await choice.getByText('Theirs').waitFor();
      await choice.getByRole('button', { name: 'Save mine' }).click();
      await expect.poll(async () => (await ask('GET /organization', { token })).body.address).toBe('Mine');
      // The version that the first attempt named is refused by the service.
      expect(complaints.filter((complaint) => !complaint.includes('412'))).toEqual([]);
    });
  });
}
