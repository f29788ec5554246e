import { unprocessable } from '../../../platform/http/problem.ts';
import type { FieldErrors } from '../../../platform/http/validation.ts';
import type { ProductImage } from '../product.ts';

export type WantedImage = { id: string; alt_en?: string | null | undefined; alt_ar?: string | null | undefined };

/** The images in the wanted order with the wanted texts. An absent text stays, null empties it; images left out go. */
export function arrangeImages(images: readonly ProductImage[], wanted: readonly WantedImage[]): ProductImage[] {
  const byId = new Map(images.map((image) => [image.id, image]));
  const errors: FieldErrors = {};
  const arranged = wanted.flatMap(({ id, alt_en, alt_ar }, index) => {
    const image = byId.get(id.toLowerCase());
    if (image === undefined) {
      const isRepeated = images.some((one) => one.id === id.toLowerCase());
      errors[`images.${index}.id`] = isRepeated ? 'was sent more than once' : 'is not an image of this product';
      return [];
    }
    byId.delete(image.id);
    return {
      ...image,
      alt_en: alt_en === undefined ? image.alt_en : (alt_en ?? ''),
      alt_ar: alt_ar === undefined ? image.alt_ar : (alt_ar ?? ''),
    };
  });
  if (Object.keys(errors).length > 0) throw unprocessable(errors);
  return arranged;
}
