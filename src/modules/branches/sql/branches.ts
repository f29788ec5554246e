import type { Queryable, Tx } from '../../../platform/database/index.ts';
import { type BranchFields, type BranchImages, queryColumns } from '../fields.ts';

export type BranchRow = BranchFields &
  BranchImages & {
    id: string;
    organization_id: string;
    iv_id: string;
    /** Text of a datemultirange. */
    closed_days: string;
    created: Date;
    updated: Date;
  };

export type NewBranch = BranchFields & BranchImages & { id: string; iv_id: string };

export const branchColumns = (sql: Queryable) => sql`
  organization_id, id, iv_id, name_en, name_ar, email, active, status, lat, lon, city, apple_maps_id, google_maps_id,
  time_zone, working_hours, working_hours_periods, closed_days::text, hero_image, banner_image, photos, created, updated`;

/** `onlyBranchId`: the one branch that a confined account may see. */
export type BranchKey = { organizationId: string; ivId: string; onlyBranchId: string | null };

export async function findBranch(sql: Queryable, key: BranchKey): Promise<BranchRow | undefined> {
  const [row] = await sql<BranchRow[]>`
    select ${branchColumns(sql)} from branches
    where organization_id = ${key.organizationId} and iv_id = ${key.ivId}
      and (${key.onlyBranchId}::uuid is null or id = ${key.onlyBranchId})`;
  return row;
}

/** Rows come and are locked in the order of their ids, so that two bulk calls never wait for each other. */
export function lockBranches(tx: Tx, organizationId: string, ivIds: readonly string[]): Promise<BranchRow[]> {
  // Not the strongest lock: SKUs that are made meanwhile only need the row to stay.
  return tx<BranchRow[]>`
    select ${branchColumns(tx)} from branches
    where organization_id = ${organizationId} and iv_id = any(${[...ivIds]}::text[])
    order by id for no key update`;
}

export async function lockBranch(tx: Tx, key: BranchKey): Promise<BranchRow | undefined> {
  const [row] = await lockBranches(tx, key.organizationId, [key.ivId]);
  return key.onlyBranchId === null || row?.id === key.onlyBranchId ? row : undefined;
}

// Rows travel as one JSON text: as json and not jsonb, because the order of the days is kept as it was sent, and through
// a text parameter, because the driver would encode a json one again.
const asRecords = (tx: Tx, branches: readonly NewBranch[]) => {
  const rows = branches.map((branch) => ({ ...branch, ...queryColumns(branch) }));
  return tx`
    json_to_recordset(${JSON.stringify(rows)}::text::json) as r (
      id uuid, iv_id text, name_en text, name_ar text, email text, active boolean, status text, lat float8, lon float8,
      city text, apple_maps_id text, google_maps_id text, time_zone text, working_hours json,
      working_hours_periods jsonb, open_minutes int4multirange, hero_image text, banner_image text, photos text[],
      search_text text)`;
};

export async function insertBranches(
  tx: Tx,
  organizationId: string,
  branches: readonly NewBranch[],
  now: Date,
): Promise<void> {
  await tx`
    insert into branches (
      organization_id, id, iv_id, name_en, name_ar, email, active, status, lat, lon, city, apple_maps_id,
      google_maps_id, time_zone, working_hours, working_hours_periods, open_minutes, hero_image, banner_image, photos,
      search_text, created, updated)
    select
      ${organizationId}, r.id, r.iv_id, r.name_en, r.name_ar, r.email, r.active, r.status, r.lat, r.lon, r.city,
      r.apple_maps_id, r.google_maps_id, r.time_zone, r.working_hours, r.working_hours_periods, r.open_minutes,
      r.hero_image, r.banner_image, r.photos, r.search_text, ${now}, ${now}
    from ${asRecords(tx, branches)}`;
}

export async function updateBranches(
  tx: Tx,
  organizationId: string,
  branches: readonly NewBranch[],
  now: Date,
): Promise<void> {
  await tx`
    update branches b set
      name_en = r.name_en, name_ar = r.name_ar, email = r.email, active = r.active, status = r.status,
      lat = r.lat, lon = r.lon, city = r.city, apple_maps_id = r.apple_maps_id, google_maps_id = r.google_maps_id,
      time_zone = r.time_zone, working_hours = r.working_hours, working_hours_periods = r.working_hours_periods,
      open_minutes = r.open_minutes, hero_image = r.hero_image, banner_image = r.banner_image, photos = r.photos,
      search_text = r.search_text, updated = ${now}
    from ${asRecords(tx, branches)}
    where b.organization_id = ${organizationId} and b.id = r.id`;
}

export async function deleteBranch(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx`delete from branches where organization_id = ${organizationId} and id = ${id}`;
}
