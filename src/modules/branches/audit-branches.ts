import { type AuditEntry, updateEntries } from '../audit/index.ts';
import type { BranchFields, BranchImages } from './fields.ts';

const RESOURCE = 'Branches';
/** As the wire has them, in its order. */
const NAMES = [
  'name_en',
  'name_ar',
  'email',
  'active',
  'status',
  'location',
  'apple_maps_id',
  'google_maps_id',
  'working_hours',
  'time_zone',
  'hero_image',
  'banner_image',
  'photos',
] as const;

type Audited = BranchFields & BranchImages;

export function branchCreated(id: string): AuditEntry {
  return { action: 'create', resource: RESOURCE, resourceId: id };
}

export function branchDeleted(id: string): AuditEntry {
  return { action: 'delete', resource: RESOURCE, resourceId: id };
}

/** One for each branch that is not as it was. */
export function branchesUpdated(changes: readonly { id: string; before: Audited; after: Audited }[]): AuditEntry[] {
  return updateEntries(
    RESOURCE,
    NAMES,
    changes.map(({ id, before, after }) => ({ id, before: onTheWire(before), after: onTheWire(after) })),
  );
}

function onTheWire(branch: Audited) {
  return { ...branch, location: [branch.lat, branch.lon, branch.city] };
}
