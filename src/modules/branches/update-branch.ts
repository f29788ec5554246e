import type { Tx } from '../../platform/database/index.ts';
import { updatedAfter } from '../../platform/http/preconditions.ts';
import { badRequest, notFound } from '../../platform/http/problem.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { abandonFiles } from '../files/index.ts';
import { branchesUpdated } from './audit-branches.ts';
import type { BranchImages, BranchPatch } from './fields.ts';
import { MAX_PHOTOS } from './schema.ts';
import { type BranchKey, type BranchRow, lockBranch, updateBranches } from './sql/branches.ts';

/** Absent: as it was. `kept` are addresses or keys of photos the branch has; without it, added ones replace all. */
export type ImageChange = {
  hero_image?: string | null;
  banner_image?: string | null;
  photos?: { kept: string[]; added: string[] };
};

export type UpdatedBranch = { branch: BranchRow; abandonedFiles: string[] };

export async function updateBranch(
  tx: Tx,
  key: BranchKey,
  change: { patch: BranchPatch; images?: ImageChange; checkVersion?: (row: BranchRow) => void },
  actor: Actor,
  now: Date,
): Promise<UpdatedBranch> {
  const row = await lockBranch(tx, key);
  if (row === undefined) throw branchNotFound(key.ivId);
  change.checkVersion?.(row);
  const images = changeImages(row, change.images ?? {});
  const updated = updatedAfter(row.updated, now);
  const branch = { ...row, ...change.patch, ...images, updated };
  await updateBranches(tx, key.organizationId, [branch], updated);
  const inUse = new Set(imageKeys(images));
  const abandonedFiles = imageKeys(row).filter((file) => !inUse.has(file));
  await abandonFiles(tx, abandonedFiles, now);
  const entries = branchesUpdated([{ id: row.id, before: row, after: branch }]);
  await recordAudit(tx, key.organizationId, actor, entries, now);
  return { branch, abandonedFiles };
}

export function branchNotFound(ivId: string) {
  return notFound('Branch not found', { iv_id: ivId });
}

export function imageKeys({ hero_image, banner_image, photos }: BranchImages): string[] {
  return [hero_image, banner_image, ...photos].filter((key) => key !== null);
}

function changeImages(row: BranchImages, change: ImageChange): BranchImages {
  return {
    hero_image: change.hero_image === undefined ? row.hero_image : change.hero_image,
    banner_image: change.banner_image === undefined ? row.banner_image : change.banner_image,
    photos: change.photos === undefined ? row.photos : changePhotos(row.photos, change.photos),
  };
}

function changePhotos(current: string[], { kept, added }: { kept: string[]; added: string[] }): string[] {
  const keys = kept.map((address, index) => {
    const key = current.find((candidate) => address === candidate || address.endsWith(`/${candidate}`));
    if (key === undefined) {
      throw badRequest({ [`photos.${index}`]: 'is not a photo of this branch' }, 'Validation failed');
    }
    return key;
  });
  const photos = [...new Set(keys), ...added];
  if (photos.length > MAX_PHOTOS) {
    throw badRequest({ photos: `at most ${MAX_PHOTOS} files are allowed` }, 'Validation failed');
  }
  return photos;
}
