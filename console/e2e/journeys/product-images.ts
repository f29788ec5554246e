import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { call } from '../../../test/harness/index.ts';
import type { ConsoleTests } from '../harness/index.ts';

/** A picture that a browser can draw: one colour, wider than high. */
function widePng(width: number, height: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const rows = Buffer.alloc(height * (1 + width * 3), 120);
  for (let row = 0; row < height; row += 1) rows[row * (1 + width * 3)] = 0;
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export function productImageJourneys({ visitAs, service, shop }: ConsoleTests): void {
  const asOwner = (route: string, body?: object) =>
    call(service().baseUrl, route, { token: shop().owner.token, ...(body && { body }) });
  const product = async () => (await asOwner('GET /products/code/E2E-PIC')).body;

  describe('pictures and prices of products', () => {
    it('a picture is cropped to a square, uploaded, described and removed', async () => {
      await asOwner('POST /products', { iv_id: 'E2E-PIC', name_en: 'Pictured honey', average_price: 10 });
      const { page, complaints, picture } = await visitAs(shop().owner, '/products/E2E-PIC');
      await page.getByText('No images yet').waitFor();
      const chosen = page.locator('input[type="file"]');
      await chosen.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
      await page.getByText('notes.txt is not a JPEG, PNG or WebP image').waitFor();
      await chosen.setInputFiles({ name: 'wide.png', mimeType: 'image/png', buffer: widePng(80, 40) });
      const dialog = page.getByRole('dialog', { name: 'Crop to a square' });
      await dialog.getByRole('img', { name: 'Picture to crop' }).press('ArrowRight');
      await picture('product-crop');
      await dialog.getByRole('button', { name: 'Upload' }).click();
      await page.getByText('Image added').waitFor();
      const [image] = (await product()).images;
      const size = await page
        .getByRole('img', { name: 'Image 1 of Pictured honey' })
        .evaluate(async (shown: HTMLImageElement) => {
          await shown.decode();
          return [shown.naturalWidth, shown.naturalHeight];
        });
      expect(size).toEqual([40, 40]);

      await page.getByRole('button', { name: /^Description in English, 1/ }).click();
      await page.getByRole('textbox', { name: 'Description in English, 1' }).fill('A jar of honey');
      await page.keyboard.press('Enter');
      await page.getByRole('img', { name: 'A jar of honey' }).waitFor();
      expect((await product()).images).toEqual([{ ...image, alt_en: 'A jar of honey' }]);
      await picture('product-images');

      await page.getByRole('button', { name: 'Remove image 1' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove image' }).click();
      await page.getByText('No images yet').waitFor();
      expect((await product()).images).toEqual([]);
      expect(complaints).toEqual([]);
    });

    it('prices of selected products change by a percentage after a preview, and the change is undone', async () => {
      await asOwner('POST /products', { iv_id: 'E2E-PRICE', name_en: 'Priced honey', average_price: 10 });
      const prices = async () =>
        (await asOwner('GET /skus?product_iv_id=E2E-PRICE&limit=100')).body.data.map(
          ({ price }: { price: number | null }) => price,
        );
      const { page, complaints, picture } = await visitAs(shop().owner, '/products?search=E2E-PRICE');
      await page.getByRole('checkbox', { name: 'Select Priced honey' }).click({ force: true });
      await page.getByRole('button', { name: 'Change prices…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change the prices of 1 product' });
      await dialog.getByLabel('Change in %').fill('7.5');
      await dialog.getByRole('button', { name: 'Preview' }).click();
      await dialog.getByText('10.75').first().waitFor();
      await picture('price-change');
      expect(new Set(await prices())).toEqual(new Set([null]));
      await dialog.getByRole('button', { name: 'Change prices', exact: true }).click();
      await page.getByText(/prices changed/).waitFor();
      expect(new Set(await prices())).toEqual(new Set([10.75]));
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('The earlier prices are back').waitFor();
      expect(new Set(await prices())).toEqual(new Set([null]));
      expect(complaints).toEqual([]);
    });
  });
}
