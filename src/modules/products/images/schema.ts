import { Type } from 'typebox';
import { mutationEnvelopeOf } from '../../../platform/http/envelopes.ts';
import { Product, ProductParams, productExample } from '../schema.ts';

export const MAX_IMAGES = 8;
export const MAX_ALT_CHARACTERS = 255;

const [image] = productExample.images;
/** The header of a WebP in ASCII letters, so that the example passes the check by content. */
const WEBP_HEADER = 'RIFFaaaaWEBPVP8X    aaaaaaaaaa';

export const ImageParams = Type.Object({
  ...ProductParams.properties,
  imageId: Type.String({ description: "The image's id", examples: [image?.id] }),
});

export const ImageForm = {
  content: {
    'multipart/form-data': {
      schema: Type.Object(
        {
          file: Type.Unsafe<unknown>({
            type: 'string',
            format: 'binary',
            description: 'jpg, png or webp by content, at most 10 MB',
          }),
          alt_en: Type.Optional(Type.String({ maxLength: MAX_ALT_CHARACTERS, description: 'What it shows' })),
          alt_ar: Type.Optional(
            Type.String({ maxLength: MAX_ALT_CHARACTERS, description: 'What it shows, in Arabic' }),
          ),
        },
        { title: 'NewProductImage', examples: [{ file: WEBP_HEADER, alt_en: image?.alt_en, alt_ar: image?.alt_ar }] },
      ),
    },
  },
};

const alt = Type.Optional(
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: MAX_ALT_CHARACTERS,
    description: 'Absent: stays; null: none',
  }),
);

export const ImagesBody = Type.Object(
  {
    images: Type.Array(
      Type.Object(
        { id: Type.String({ maxLength: 50, description: 'Of an image of this product' }), alt_en: alt, alt_ar: alt },
        { title: 'ProductImageOrder' },
      ),
      { maxItems: MAX_IMAGES, description: 'In the wanted order. Images that are left out are removed' },
    ),
  },
  {
    title: 'ProductImages',
    examples: [{ images: [{ id: image?.id, alt_en: image?.alt_en, alt_ar: image?.alt_ar }] }],
  },
);

export const ImagesChanged = mutationEnvelopeOf(Product);
