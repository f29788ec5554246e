import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import type { ConsoleTests, PageToSee } from '../harness/index.ts';

/** One pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const firstRow = '[role="grid"] [data-index="0"]';

export const branchesPages: readonly PageToSee[] = [
  { name: 'branches', where: '/branches', ready: firstRow },
  { name: 'branches-near', where: '/branches?near=24.7136,46.6753&km=25', ready: '.map-circle' },
  { name: 'branch', where: '/branches', ready: firstRow, act: openFirst },
  { name: 'branch-location', where: '/branches', ready: firstRow, act: openLocation },
  { name: 'branch-hours', where: '/branches', ready: firstRow, act: editHours },
];

async function openFirst(page: Page): Promise<void> {
  await page.locator(firstRow).click();
  await page.locator('.hours-track').first().waitFor();
}

async function openLocation(page: Page): Promise<void> {
  await openFirst(page);
  await page.getByRole('button', { name: /Change location|تغيير الموقع/ }).click();
  await page.locator('.pick-pin').waitFor();
}

async function editHours(page: Page): Promise<void> {
  await openFirst(page);
  await page.getByRole('button', { name: /Edit hours|تعديل الأوقات/ }).click();
  await page.locator('.hours-input').first().waitFor();
}

export function branchesJourneys({ visitAs, service, shop }: ConsoleTests): void {
  const token = () => shop().owner.token;
  const api = (target: string, body?: object) =>
    call(service().baseUrl, target, { token: token(), ...(body && { body }) });
  const remove = (code: string) => api(`DELETE /branches/${code}?force=true`);

  async function withBranch(branch: object, act: (code: string) => Promise<void>): Promise<void> {
    const code = `E2E-${Date.now()}`;
    expect((await api('POST /branches', { iv_id: code, ...branch })).status).toBe(201);
    try {
      await act(code);
    } finally {
      await remove(code);
    }
  }

  /** Coordinates that are pasted, a pin that is set by click and moved by keys, and a location that is removed. */
  async function placeByMap(page: Page, code: string): Promise<void> {
    const dialog = page.getByRole('dialog', { name: 'Location' });
    await page.getByRole('button', { name: 'Change location' }).click();
    const latitude = dialog.getByLabel('Latitude');
    await latitude.fill('https://www.google.com/maps/place/X/@21.1,39.1,17z/data=!3d21.5433!4d39.1728');
    await latitude.blur();
    await expect.poll(() => latitude.inputValue()).toBe('21.5433');
    // The city that was there is the user's: it stays.
    expect(await dialog.getByLabel('City').inputValue()).toBe('Hail');
    await dialog.getByText(/near .*Jeddah/).waitFor();
    const map = dialog.getByRole('application');
    await map.focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(async () => Number(await latitude.inputValue())).toBeGreaterThan(21.5433);
    const byKeys = await latitude.inputValue();
    const box = await map.boundingBox();
    if (box === null) throw new Error('there is no map');
    await page.mouse.click(box.x + box.width / 2, box.y + box.height * 0.8);
    await expect.poll(async () => Number(await latitude.inputValue())).toBeLessThan(Number(byKeys));
    const wanted = Number(await latitude.inputValue());
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The location is saved').waitFor();
    expect((await api(`GET /branches/${code}`)).body.location).toMatchObject({ lat: wanted, city: 'Hail' });
  }

  describe('branches', () => {
    it('are made, changed where they stand, and deleted with a warning', async () => {
      const { page, complaints } = await visitAs(shop().owner, '/branches');
      const code = `E2E-NEW-${Date.now()}`;
      await page.getByRole('button', { name: 'New branch' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.getByText('This is required').waitFor();
      await dialog.getByLabel('Code').fill(code);
      await dialog.getByLabel('English name').fill('Hail, the test');
      await dialog.getByLabel('Latitude').fill('nowhere at all');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.getByText('Enter a latitude from').waitFor();
      // A place is found in the spelling of another language, and fills the coordinates and the empty city.
      await dialog.getByRole('combobox', { name: 'Search for an address' }).fill('حايل');
      await page.getByRole('option', { name: /Hail/ }).first().click();
      expect(await dialog.getByLabel('City').inputValue()).toBe('Hail');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await page.waitForURL(new RegExp(`/branches/${code}$`));
      await page.getByText('counts as never open').waitFor();
      await page.getByRole('button', { name: 'English name: Hail, the test. Edit' }).click();
      await page.getByRole('textbox', { name: 'English name' }).fill('Hail, renamed');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: /Hail, renamed/ }).waitFor();
      // An address that is none is refused by the service, and the field says so.
      await page.getByRole('button', { name: /^Email:/ }).click();
      await page.getByRole('textbox', { name: 'Email' }).fill('not an address');
      await page.keyboard.press('Enter');
      await page.locator('.ui-in-place-field [role="alert"]').waitFor();
      await page.keyboard.press('Escape');
      const stored = (await api(`GET /branches/${code}`)).body;
      expect(stored).toMatchObject({ name_en: 'Hail, renamed', email: '', location: { lat: 27.51, city: 'Hail' } });
      await placeByMap(page, code);
      await page.locator('.ui-page-tools').getByRole('button').click();
      await page.getByRole('menuitem', { name: 'Delete branch' }).click();
      await dialog.getByRole('button', { name: 'Delete branch' }).click();
      await dialog.getByText('This cannot be undone').waitFor();
      expect(await dialog.getByRole('button', { name: 'Delete branch' }).isDisabled()).toBe(true);
      await dialog.getByLabel(`Type ${code} to continue`).fill(code);
      await dialog.getByRole('button', { name: 'Delete branch' }).click();
      await page.getByText('Branch deleted').waitFor();
      expect((await api(`GET /branches/${code}`)).status).toBe(404);
      expect(complaints).toEqual([]);
    });

    it('open by split hours and nights that are written, copied and saved', async () => {
      await withBranch({ name_ar: 'فرع الأوقات' }, async (code) => {
        const { page } = await visitAs(shop().owner, `/branches/${code}`, { language: 'ar' });
        await page.getByRole('button', { name: 'تعديل الأوقات' }).click();
        await page.getByRole('button', { name: 'إضافة فترة يوم الأحد' }).click();
        await page.getByRole('textbox', { name: 'الأحد: يغلق' }).fill('12');
        await page.getByRole('button', { name: 'إضافة فترة يوم الأحد' }).click();
        await page.getByRole('textbox', { name: 'الأحد: يفتح' }).nth(1).fill('11:30');
        await page.getByRole('textbox', { name: 'الأحد: يغلق' }).nth(1).fill('٢');
        await page.keyboard.press('Enter');
        // Half an hour too early: marked, and not to be saved.
        await page.getByText('بعض الفترات متداخلة').waitFor();
        expect(await page.getByRole('button', { name: 'حفظ' }).isDisabled()).toBe(true);
        await page.getByRole('textbox', { name: 'الأحد: يفتح' }).nth(1).fill('4 م');
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: 'نسخ الأحد إلى أيام أخرى' }).click();
        await page.getByRole('menuitem', { name: 'إلى الأحد–الخميس' }).click();
        await page.getByRole('button', { name: 'حفظ' }).click();
        await page.getByText('حُفظت أوقات العمل').waitFor();
        const { working_hours_periods: periods } = (await api(`GET /branches/${code}`)).body;
        expect(periods).toHaveLength(10);
        expect(periods.slice(0, 2)).toEqual([
          { WeekDay: 'Sunday', OpenHour: 9, OpenMinute: 0, CloseHour: 12, CloseMinute: 0 },
          { WeekDay: 'Sunday', OpenHour: 16, OpenMinute: 0, CloseHour: 2, CloseMinute: 0 },
        ]);
      });
    });

    it('have hours that are drawn, pulled and moved by keys', async () => {
      const monday = [{ WeekDay: 'Monday', OpenHour: 9, OpenMinute: 0, CloseHour: 17, CloseMinute: 0 }];
      await withBranch({ name_en: 'Drawn hours', working_hours: monday }, async (code) => {
        const { page } = await visitAs(shop().owner, `/branches/${code}`);
        await page.getByRole('button', { name: 'Edit hours' }).click();
        const end = page.getByRole('textbox', { name: 'Monday: closes' });
        await end.focus();
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('PageUp');
        await expect.poll(() => end.inputValue()).toBe('18:15');
        // A day is drawn over thirty hours: from a fifth to two fifths of it is 06:00 to 12:00.
        const track = await page.locator('.hours-track').nth(5).boundingBox();
        if (track === null) throw new Error('there is no Friday');
        const at = (part: number) => [track.x + track.width * part, track.y + track.height / 2] as const;
        await page.mouse.move(...at(0.2));
        await page.mouse.down();
        await page.mouse.move(...at(0.3));
        await page.mouse.move(...at(0.4));
        await page.mouse.up();
        expect(await page.getByRole('textbox', { name: 'Friday: opens' }).inputValue()).toBe('06:00');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('The hours are saved').waitFor();
        const { working_hours_periods: periods } = (await api(`GET /branches/${code}`)).body;
        expect(periods).toEqual([
          { WeekDay: 'Monday', OpenHour: 9, OpenMinute: 0, CloseHour: 18, CloseMinute: 15 },
          { WeekDay: 'Friday', OpenHour: 6, OpenMinute: 0, CloseHour: 12, CloseMinute: 0 },
        ]);
      });
    });

    it('are found around a place, on a map that no language turns, and by the palette', async () => {
      const always = Object.fromEntries(
        ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'].map((day) => [
          day,
          { open: '00:00', close: '24:00' },
        ]),
      );
      const arar = { lat: 30.98, lon: 41.05 };
      await withBranch(
        { name_en: 'Arar by the road', name_ar: 'عرعر، الطريق', location: arar, working_hours: always },
        async (code) => {
          const { page } = await visitAs(shop().owner, '/branches');
          await page.getByRole('textbox', { name: 'Near' }).fill('arar');
          await page.keyboard.press('Enter');
          await page.waitForURL(/near=30\.9753/);
          await page.getByText('Open now', { exact: true }).click();
          await page.waitForURL(/open=now/);
          await expect.poll(() => page.locator('[role="grid"] [data-index]').count()).toBe(1);
          await page.getByText('around the clock').waitFor();
          const marker = page.locator('.map').getByRole('link', { name: /Arar by the road/ });
          await marker.focus();
          await page.keyboard.press('Enter');
          await page.waitForURL(new RegExp(`/branches/${code}$`));
          await page.goto('/branches');
          await page.locator('.map-marker').first().waitFor();
          const places = () =>
            page.locator('.map-marker').evaluateAll((markers) => {
              const map = document.querySelector('.map')?.getBoundingClientRect();
              return markers.map((one) => Math.round(one.getBoundingClientRect().x - (map?.x ?? 0)));
            });
          const inEnglish = await places();
          await page.getByRole('button', { name: 'العربية' }).click();
          await page.getByRole('heading', { level: 1, name: 'الفروع' }).waitFor();
          expect(await places()).toEqual(inEnglish);
          await page.keyboard.press('Control+k');
          await page.getByRole('dialog').getByRole('searchbox').fill('عرعر');
          await page.getByRole('menuitem', { name: /عرعر، الطريق/ }).click();
          await page.waitForURL(new RegExp(`/branches/${code}$`));
        },
      );
    });

    it('have pictures that are chosen, shown and removed', async () => {
      await withBranch({ name_en: 'With pictures' }, async (code) => {
        const { page } = await visitAs(shop().owner, `/branches/${code}`);
        const image = { name: 'shop.png', mimeType: 'image/png', buffer: PICTURE };
        const choose = async (button: string, file: typeof image) => {
          const [chooser] = await Promise.all([
            page.waitForEvent('filechooser'),
            page.getByRole('button', { name: button }).click(),
          ]);
          await chooser.setFiles(file);
        };
        await choose('Main picture: Choose a picture', { ...image, name: 'shop.txt', mimeType: 'text/plain' });
        await page.getByText('shop.txt is not a JPG').waitFor();
        await choose('Main picture: Choose a picture', image);
        const shown = page.getByRole('img', { name: 'Main picture of With pictures' });
        await expect.poll(() => shown.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(1);
        await choose('Add photos', image);
        await page.getByRole('img', { name: 'Photo 1 of With pictures' }).waitFor();
        await page.getByRole('button', { name: 'Remove photo 1' }).click();
        await page.getByText('No photos yet').waitFor();
        const { hero_image, photos } = (await api(`GET /branches/${code}`)).body;
        expect([typeof hero_image, photos]).toEqual(['string', []]);
      });
    });

    it('are seen, not touched, by who may only read, and are one to who is confined to it', async () => {
      const { viewer, branch_user } = shop();
      const { page } = await visitAs(viewer, '/branches');
      await page.locator(firstRow).click();
      await page.locator('.hours-track').first().waitFor();
      expect(await page.getByRole('button', { name: /Edit|Choose a picture|Delete/ }).count()).toBe(0);
      const confined = (await visitAs(branch_user, '/branches', { language: 'ar' })).page;
      await confined.locator(firstRow).waitFor();
      expect(await confined.locator('[role="grid"] [data-index]').count()).toBe(1);
      expect(await confined.getByRole('button', { name: 'فرع جديد' }).count()).toBe(0);
      await confined.locator(firstRow).click();
      await confined.getByRole('button', { name: 'تعديل الأوقات' }).waitFor();
    });
  });
}
