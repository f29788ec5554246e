import { Type } from 'typebox';
import { inTransaction } from '../../../platform/database/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { badRequest, unprocessable } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  OPERATOR_FILES,
  openUpload,
  PRIVATE_FILE_ANSWER,
  readForm,
  refuseForm,
  removeUnclaimed,
  sendPrivateFile,
} from '../../files/index.ts';
import { actorOf, commercial, userScope } from '../../identity/index.ts';
import { addAsset, assetNotFound, MAX_ASSETS, removeAsset, tooManyAssets } from './keep-assets.ts';
import { getService, serviceNotFound } from './save-service.ts';
import * as shapes from './schema.ts';
import { findAsset } from './sql/services.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const id = Type.String({ description: "The service's id", examples: [shapes.EXAMPLE_SERVICE_ID] });
const AssetParams = Type.Object({
  id,
  assetId: Type.String({ description: "The asset's id", examples: [shapes.EXAMPLE_ASSET_ID] }),
});
const MAX_NAME_CHARACTERS = 200;
const FORM_RULES = { fields: ['name', 'file'], files: { file: 1 }, accept: 'document' } as const;

/** In a scope that takes forms. */
export function assetRoutes(app: App, platform: Platform): void {
  const { sql, clock, idempotentWrite } = platform;

  app.post(
    '/commercial/billable-services/:id/assets',
    {
      // The form is described by its schema and judged below.
      validatorCompiler: () => () => true,
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'addServiceAsset',
        summary: 'Add a document or picture to a service',
        description: `A form with the field \`file\`: pdf, jpg, png, webp or gif by content, at most 10 MB. At most ${MAX_ASSETS} a service. Only operators can fetch it.`,
        takes: ['idempotency-key'],
        refuses: [
          serviceNotFound(shapes.EXAMPLE_SERVICE_ID),
          tooManyAssets(),
          badRequest({ file: 'The file is larger than 10485760 bytes' }, 'Validation failed'),
          unprocessable({ file: 'The file must be pdf, jpg, png, webp or gif' }),
        ],
        params: Type.Object({ id }),
        body: shapes.AssetForm,
        response: { 201: shapes.Asset, ...refusals },
      },
    },
    async (request, reply) => {
      const service = await getService(sql, request.params.id);
      if (!request.isMultipart()) throw unprocessable({ file: 'is required, in a form (multipart/form-data)' });
      const upload = openUpload(request, platform, OPERATOR_FILES);
      const form = await readForm(request, upload, FORM_RULES);
      const [file] = form.files;
      const name = form.fields.name ?? file?.filename ?? '';
      const errors = { ...form.errors };
      if (typeof name !== 'string') errors.name = 'must be a string';
      else if (name.length > MAX_NAME_CHARACTERS) errors.name = `must have at most ${MAX_NAME_CHARACTERS} characters`;
      if (file === undefined) errors.file ??= form.fields.file ? 'must be a file' : 'is required';
      refuseForm(form, errors);
      if (file === undefined || typeof name !== 'string') throw new Error('a form without its file was let through');
      const content = { fields: form.fields, sha256: file.sha256 };
      return idempotentWrite(
        request,
        reply,
        userScope(request),
        async (tx) => {
          await upload.claim(tx);
          const asset = await addAsset(tx, service.id, { file, name }, actorOf(request), clock.now());
          return { status: 201, body: shapes.assetShape(asset) };
        },
        content,
      );
    },
  );

  app.get(
    '/commercial/billable-services/:id/assets/:assetId',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'getServiceAsset',
        summary: 'The file of an asset',
        description: 'As it was uploaded, to be kept by no cache. No other address leads to it.',
        refuses: [assetNotFound(shapes.EXAMPLE_ASSET_ID)],
        params: AssetParams,
        response: {
          200: PRIVATE_FILE_ANSWER,
          ...refusals,
        },
      },
    },
    async (request, reply) => {
      const { id: serviceId, assetId } = request.params;
      const asset = isId(serviceId) && isId(assetId) ? await findAsset(sql, serviceId, assetId) : undefined;
      const missing = assetNotFound(assetId);
      if (asset === undefined) throw missing;
      const name = asset.name === '' ? `asset.${asset.file_key.split('.').at(-1)}` : asset.name;
      return sendPrivateFile(reply, platform.files, { key: asset.file_key, name, missing });
    },
  );

  app.delete(
    '/commercial/billable-services/:id/assets/:assetId',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'removeServiceAsset',
        summary: 'Remove an asset and its file',
        description: 'Answers with what it was.',
        refuses: [assetNotFound(shapes.EXAMPLE_ASSET_ID)],
        params: AssetParams,
        response: { 200: shapes.Asset, ...refusals },
      },
    },
    async (request) => {
      const key = { serviceId: request.params.id, assetId: request.params.assetId };
      const actor = actorOf(request);
      const asset = await inTransaction(sql, (tx) => removeAsset(tx, key, actor, clock.now()));
      await removeUnclaimed(platform, [asset.file_key]);
      return shapes.assetShape(asset);
    },
  );
}
