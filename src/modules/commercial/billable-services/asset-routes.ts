import { inTransaction } from '../../../platform/database/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { unprocessable } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  OPERATOR_FILES,
  openUpload,
  readForm,
  refuseForm,
  removeUnclaimed,
  sendPrivateFile,
} from '../../files/index.ts';
import { actorOf, commercial, userScope } from '../../identity/index.ts';
import * as docs from './asset-route-docs.ts';
import { addAsset, assetNotFound, removeAsset } from './manage-assets.ts';
import { getService } from './save-service.ts';
import * as shapes from './schema.ts';
import { findAsset } from './sql/services.ts';

const MAX_NAME_CHARACTERS = 200;
const FORM_RULES = { fields: ['name', 'file'], files: { file: 1 }, accept: 'document' } as const;

/** Register in a scope that parses multipart forms. */
export function assetRoutes(app: App, platform: Platform): void {
  const { sql, clock, idempotentWrite } = platform;

  app.post(
    '/commercial/billable-services/:id/assets',
    {
      // The schema documents the form; the handler validates it.
      validatorCompiler: () => () => true,
      config: { access: commercial },
      schema: docs.addServiceAssetDoc,
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
    { config: { access: commercial }, schema: docs.getServiceAssetDoc },
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
    { config: { access: commercial }, schema: docs.removeServiceAssetDoc },
    async (request) => {
      const key = { serviceId: request.params.id, assetId: request.params.assetId };
      const actor = actorOf(request);
      const asset = await inTransaction(sql, (tx) => removeAsset(tx, key, actor, clock.now()));
      await removeUnclaimed(platform, [asset.file_key]);
      return shapes.assetShape(asset);
    },
  );
}
