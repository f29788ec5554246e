import { expect, test } from 'vitest';
import { branchFormService } from './testing/branch-form-service.ts';
import { formOf, gif, jpeg, png } from './testing/images.ts';

const { at, stored } = await branchFormService();

const imagesOf = async (ivId: string) => {
  const { hero_image, banner_image, photos } = (await at.client.get(ivId)).body;
  return { hero_image: String(hero_image), banner_image, photos };
};

test('a new image takes the place of the old one; the rest stays', async () => {
  await at.client.createByForm({ iv_id: 'C-1', name_en: 'Old', hero_image: png(), photos: [png(), png()] });
  const old = await imagesOf('C-1');
  const count = (await stored()).length;
  const reply = await at.client.changeByForm('C-1', { name_ar: 'جديد', hero_image: jpeg(), banner_image: gif() });
  expect(reply).toMatchObject({ status: 200, body: { success: true, message: 'Branch updated' } });
  expect(reply.body.data).toMatchObject({ name_en: 'Old', name_ar: 'جديد', photos: old.photos });
  expect(reply.body.data.hero_image).toMatch(/\.jpg$/);
  expect(reply.body.data).toEqual((await at.client.get('C-1')).body);
  expect((await fetch(old.hero_image)).status).toBe(404);
  expect(await stored()).toHaveLength(count + 1);
});

test('photos that are sent replace all, unless some are kept by name', async () => {
  await at.client.createByForm({ iv_id: 'C-2', photos: [png(101), png(102), png(103)] });
  const [first = '', , third = ''] = (await imagesOf('C-2')).photos;
  await at.client.changeByForm('C-2', { photos: JSON.stringify([third, first]) });
  expect((await imagesOf('C-2')).photos).toEqual([third, first]);

  const form = formOf({ photos: JSON.stringify([first]) });
  form.append('photos', new Blob([png(104)]), 'new.png');
  await at.client.changeByForm('C-2', form);
  const kept = (await imagesOf('C-2')).photos;
  expect(kept).toHaveLength(2);
  expect(kept[0]).toBe(first);

  await at.client.changeByForm('C-2', { photos: [png(105)] });
  const replaced = (await imagesOf('C-2')).photos;
  expect(replaced).toHaveLength(1);
  expect(kept).not.toContain(replaced[0]);
  expect((await stored()).filter((file) => file.startsWith(at.shop.id))).toHaveLength(1);
});

test('more than twenty photos in all', async () => {
  await at.client.createByForm({ iv_id: 'C-3', photos: Array.from({ length: 15 }, () => png()) });
  const { photos } = await imagesOf('C-3');
  const form = formOf({ photos: JSON.stringify(photos) });
  for (let index = 0; index < 6; index += 1) form.append('photos', new Blob([png()]), 'x.png');
  const before = await stored();
  const reply = await at.client.changeByForm('C-3', form);
  expect(reply).toMatchObject({ status: 400, body: { details: { photos: 'at most 20 files are allowed' } } });
  expect(await stored()).toEqual(before);
});

test('an empty image field removes the image, in JSON null does', async () => {
  await at.client.createByForm({ iv_id: 'C-4', hero_image: png(), banner_image: png(), photos: [png()] });
  await at.client.changeByForm('C-4', { hero_image: '' });
  expect((await at.client.get('C-4')).body).toMatchObject({ hero_image: null, banner_image: expect.any(String) });
  const { body } = await at.client.get('C-4');
  const put = (change: unknown) => at.client.change('C-4', change);
  expect((await put(body)).body.data).toMatchObject({ banner_image: body.banner_image, photos: body.photos });
  expect(await put({ photos: ['https://elsewhere.example/a.png'] })).toMatchObject({
    status: 400,
    body: { details: { 'photos.0': 'is not a photo of this branch' } },
  });
  expect(await put({ photos: [5] })).toMatchObject({ status: 400 });
  expect((await put({ banner_image: null, photos: [] })).body.data).toMatchObject({ banner_image: null, photos: [] });
  expect((await stored()).filter((file) => file.startsWith(at.shop.id))).toEqual([]);
});

test('a deleted branch takes its images along', async () => {
  await at.client.createByForm({ iv_id: 'C-5', hero_image: png(), photos: [png(), png()] });
  const { hero_image } = await imagesOf('C-5');
  expect((await at.client.remove('C-5')).status).toBe(204);
  expect((await fetch(hero_image)).status).toBe(404);
  expect((await stored()).filter((file) => file.startsWith(at.shop.id))).toEqual([]);
});

test('two changes of one image at the same moment: one file in the end', async () => {
  await at.client.createByForm({ iv_id: 'C-6', hero_image: png() });
  await Promise.all(Array.from({ length: 8 }, () => at.client.changeByForm('C-6', { hero_image: png() })));
  const files = (await stored()).filter((file) => file.startsWith(at.shop.id));
  expect(files).toHaveLength(1);
  expect((await imagesOf('C-6')).hero_image).toContain(files[0]);
});
