import { Type } from 'typebox';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { badRequest, unprocessable } from '../../../platform/http/problem.ts';
import { PRIVATE_FILE_ANSWER } from '../../files/index.ts';
import { assetNotFound, MAX_ASSETS, tooManyAssets } from './manage-assets.ts';
import { serviceNotFound } from './save-service.ts';
import * as shapes from './schema.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const id = Type.String({ description: "The service's id", examples: [shapes.EXAMPLE_SERVICE_ID] });
const AssetParams = Type.Object({
  id,
  assetId: Type.String({ description: "The asset's id", examples: [shapes.EXAMPLE_ASSET_ID] }),
});

export const addServiceAssetDoc = {
  tags,
  operationId: 'addServiceAsset',
  summary: 'Add a document or picture to a service',
  description: `A form with the field \`file\`: pdf, jpg, png, webp or gif by content, at most 10 MB. At most ${MAX_ASSETS} a service. Only operators can fetch it.`,
  takes: ['idempotency-key'] as const,
  refuses: [
    serviceNotFound(shapes.EXAMPLE_SERVICE_ID),
    tooManyAssets(),
    badRequest({ file: 'The file is larger than 10485760 bytes' }, 'Validation failed'),
    unprocessable({ file: 'The file must be pdf, jpg, png, webp or gif' }),
  ],
  params: Type.Object({ id }),
  body: shapes.AssetForm,
  response: { 201: shapes.Asset, ...refusals },
};

export const getServiceAssetDoc = {
  tags,
  operationId: 'getServiceAsset',
  summary: 'Download the file of an asset',
  description: 'The file as it was uploaded, with `Cache-Control: no-store`. It has no public URL.',
  refuses: [assetNotFound(shapes.EXAMPLE_ASSET_ID)],
  params: AssetParams,
  response: {
    200: PRIVATE_FILE_ANSWER,
    ...refusals,
  },
};

export const removeServiceAssetDoc = {
  tags,
  operationId: 'removeServiceAsset',
  summary: 'Remove an asset and its file',
  description: 'The response is the removed record.',
  refuses: [assetNotFound(shapes.EXAMPLE_ASSET_ID)],
  params: AssetParams,
  response: { 200: shapes.Asset, ...refusals },
};
