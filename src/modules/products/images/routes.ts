import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { inTransaction } from '../../../platform/database/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { mutationEnvelope, ProblemSchema } from '../../../platform/http/envelopes.ts';
import { etagOf, preconditionFailed, versionCheck } from '../../../platform/http/preconditions.ts';
import { badRequest, unprocessable } from '../../../platform/http/problem.ts';
import { newId } from '../../../platform/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import { openUpload, removeUnclaimed } from '../../files/index.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import type { ProductImage } from '../product.ts';
import { shaperFor } from '../product-shaper.ts';
import { imageNotFound, productNotFound } from '../refusals.ts';
import { ProductParams, productExample } from '../schema.ts';
import { findByIvIds } from '../sql/read.ts';
import { arrangeImages } from './arrange-images.ts';
import { changeImages } from './change-images.ts';
import { readImageForm } from './read-image-form.ts';
import * as shapes from './schema.ts';

const tags = ['Products'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
/** A product reaches into every branch, so an account that is confined to one may read it only. */
const access = tenant('update', 'Products', { branchConfined: 'refused' });
const tooMany = () => badRequest({ file: `at most ${shapes.MAX_IMAGES} images are allowed` }, 'Validation failed');

/** Register in a scope that parses multipart forms. */
export function imageRoutes(app: App, platform: Platform): void {
  const { sql, clock, idempotentWrite } = platform;

  app.post(
    '/products/code/:ivId/images',
    {
      // The schema documents the form; the handler validates it.
      validatorCompiler: () => () => true,
      config: { access, invalidBodyStatus: 400 },
      schema: {
        tags,
        operationId: 'addProductImage',
        summary: 'Add an image to a product, after those it has',
        description: `A form with the field \`file\`: jpg, png or webp by content, at most 10 MB. At most ${shapes.MAX_IMAGES} a product. A refused request leaves no file behind.`,
        takes: ['idempotency-key', 'if-match'],
        answersEtag: true,
        refuses: [
          badRequest({ file: 'The file must be jpg, png or webp' }, 'Validation failed'),
          tooMany(),
          productNotFound('PAIN-9999'),
          preconditionFailed(productExample),
        ],
        params: ProductParams,
        body: shapes.ImageForm,
        response: { 201: shapes.ImagesChanged, ...refusals },
      },
    },
    async (request, reply) => {
      const { organizationId, scope, actor } = tenantOf(request);
      const { ivId } = request.params;
      // Before the upload, so that no file is received for a product that does not exist.
      if ((await findByIvIds(sql, organizationId, [ivId])).length === 0) throw productNotFound(ivId);
      const upload = openUpload(request, platform, organizationId);
      const { file, alt_en, alt_ar, fingerprint } = await readImageForm(request, upload);
      const image = { id: newId(), key: file.key, alt_en, alt_ar };
      const change = (images: readonly ProductImage[]) => {
        if (images.length >= shapes.MAX_IMAGES) throw tooMany();
        return [...images, image];
      };
      return idempotentWrite(
        request,
        reply,
        scope,
        async (tx) => {
          await upload.claim(tx);
          const { product } = await changeImages(tx, keyOf(request), changeOf(request, change), actor, clock.now());
          reply.header('etag', etagOf(product.updated));
          return { status: 201, body: mutationEnvelope(clock, 'Image added', shaperFor(request)(product)) };
        },
        fingerprint,
      );
    },
  );

  app.put(
    '/products/code/:ivId/images',
    {
      config: { access },
      schema: {
        tags,
        operationId: 'arrangeProductImages',
        summary: 'Order the images of a product, describe and remove them',
        description: 'The images in the wanted order. An absent text stays; images that are left out are removed.',
        takes: ['if-match'],
        answersEtag: true,
        refuses: [
          unprocessable({ 'images.0.id': 'is not an image of this product' }),
          productNotFound('PAIN-9999'),
          preconditionFailed(productExample),
        ],
        params: ProductParams,
        body: shapes.ImagesBody,
        response: { 200: shapes.ImagesChanged, ...refusals },
      },
    },
    async (request, reply) => {
      const wanted = request.body.images;
      const product = await write(request, (images) => arrangeImages(images, wanted));
      reply.header('etag', etagOf(product.updated));
      return mutationEnvelope(clock, 'Images updated', shaperFor(request)(product));
    },
  );

  app.delete(
    '/products/code/:ivId/images/:imageId',
    {
      config: { access },
      schema: {
        tags,
        operationId: 'removeProductImage',
        summary: 'Remove an image of a product',
        description: 'Its file is deleted and its address answers 404.',
        takes: ['if-match'],
        refuses: [
          productNotFound('PAIN-9999'),
          imageNotFound('0193a1f0-7c00-7000-8000-0000000001a1'),
          preconditionFailed(productExample),
        ],
        params: shapes.ImageParams,
        response: { 204: Type.Null(), ...refusals },
      },
    },
    async (request, reply) => {
      const { imageId } = request.params;
      await write(request, (images) => {
        const left = images.filter(({ id }) => id !== imageId.toLowerCase());
        if (left.length === images.length) throw imageNotFound(imageId);
        return left;
      });
      return reply.code(204).send(null);
    },
  );

  type ImageRequest = FastifyRequest & { params: { ivId: string } };
  type Change = (images: readonly ProductImage[]) => ProductImage[];

  async function write(request: ImageRequest, change: Change) {
    const { actor } = tenantOf(request);
    const { product, abandonedFiles } = await inTransaction(sql, (tx) =>
      changeImages(tx, keyOf(request), changeOf(request, change), actor, clock.now()),
    );
    await removeUnclaimed(platform, abandonedFiles);
    return product;
  }

  function keyOf(request: ImageRequest) {
    return { organizationId: tenantOf(request).organizationId, ivId: request.params.ivId };
  }

  function changeOf(request: ImageRequest, change: Change) {
    return { change, checkVersion: versionCheck(request.headers['if-match'], shaperFor(request)) };
  }
}
