import type { Tx } from '../../../platform/database/index.ts';
import { conflict, notFound } from '../../../platform/http/problem.ts';
import { isId, newId } from '../../../platform/ids.ts';
import { type Actor, OPERATOR_SCOPE, recordAudit } from '../../audit/index.ts';
import { abandonFiles, type FormFile } from '../../files/index.ts';
import { serviceNotFound } from './save-service.ts';
import { type AssetRow, deleteAsset, insertAsset, listAssets, lockService } from './sql/services.ts';

export const MAX_ASSETS = 20;

/** The service is locked, so that one writer at a time counts its assets. */
export async function addAsset(
  tx: Tx,
  serviceId: string,
  { file, name }: { file: Pick<FormFile, 'key' | 'contentType' | 'sizeBytes'>; name: string },
  actor: Actor,
  now: Date,
): Promise<AssetRow> {
  const service = await lockService(tx, serviceId);
  if (service === undefined) throw serviceNotFound(serviceId);
  const others = await listAssets(tx, [service.id]);
  if (others.length >= MAX_ASSETS) throw tooManyAssets();
  const asset: AssetRow = {
    service_id: service.id,
    id: newId(),
    name,
    file_key: file.key,
    content_type: file.contentType,
    size_bytes: file.sizeBytes,
    created: now,
  };
  await insertAsset(tx, asset);
  await recordChange(tx, service.id, actor, now);
  return asset;
}

/** Remove the file after the commit. */
export async function removeAsset(
  tx: Tx,
  key: { serviceId: string; assetId: string },
  actor: Actor,
  now: Date,
): Promise<AssetRow> {
  const { serviceId, assetId } = key;
  const asset = isId(serviceId) && isId(assetId) ? await deleteAsset(tx, serviceId, assetId) : undefined;
  if (asset === undefined) throw assetNotFound(assetId);
  await abandonFiles(tx, [asset.file_key], now);
  await recordChange(tx, serviceId, actor, now);
  return asset;
}

export function assetNotFound(id: string) {
  return notFound('Asset not found', { id });
}

export function tooManyAssets() {
  return conflict('Too many assets', { limit: MAX_ASSETS });
}

function recordChange(tx: Tx, serviceId: string, actor: Actor, now: Date): Promise<void> {
  const entry = { action: 'update', resource: 'Settings', resourceId: serviceId, changedFields: ['assets'] };
  return recordAudit(tx, OPERATOR_SCOPE, actor, [entry], now);
}
