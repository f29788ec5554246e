import { describe, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import type { ConsoleTests } from '../harness/index.ts';

export function orderNotesJourneys({ visitAs, service, shop }: ConsoleTests): void {
  describe('notes and tags of an order', () => {
    it('are added, removed, restored by an undo, and used as a filter and for several orders', async () => {
      const { token } = shop().owner;
      const { body: list } = await call(service().baseUrl, 'GET /orders?limit=2', { token });
      const [first, second] = list.orders.map(({ order }: { order: { id: string } }) => order.id) as [string, string];
      const { page, complaints } = await visitAs(shop().owner, `/orders/${first}`);
      const notes = page.getByRole('region', { name: 'Notes' });
      await notes.getByLabel('New note').fill('Leave it with the guard');
      await notes.getByRole('button', { name: 'Add note' }).click();
      await notes.getByRole('listitem').filter({ hasText: 'Leave it with the guard' }).waitFor();
      await notes.getByRole('button', { name: /^Delete the note of/ }).click();
      await expect.poll(() => notes.getByText('Leave it with the guard').count()).toBe(0);
      await page.getByRole('button', { name: 'Undo' }).click();
      await notes.getByText('Leave it with the guard').waitFor();

      const tags = page.getByRole('region', { name: 'Tags' });
      await tags.getByRole('textbox', { name: 'Tag' }).fill('Corporate');
      await tags.getByRole('button', { name: 'Add tag' }).click();
      await tags.getByRole('button', { name: 'Remove “Corporate”' }).click();
      await page.getByText('“Corporate” is removed').waitFor();
      await page.getByRole('button', { name: 'Undo' }).last().click();
      await tags.getByRole('button', { name: 'Remove “Corporate”' }).waitFor();

      await page.goto('/orders?tag=corporate');
      await page.getByText('1 order', { exact: true }).waitFor();
      await page.goto('/orders');
      const boxes = page.locator('[role="grid"] [data-index] .ui-checkbox');
      await boxes.nth(0).click();
      await boxes.nth(1).click();
      await page.getByRole('button', { name: 'Add tag…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Add “Corporate”' }).click();
      await dialog.getByText('2 orders have the tag “Corporate” now').waitFor();
      const stored = await call(service().baseUrl, `GET /orders/${second}/tags`, { token });
      expect(stored.body.tags).toContain('Corporate');
      expect(complaints).toEqual([]);
    });
  });
}
