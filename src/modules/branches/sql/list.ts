import type { Queryable } from '../../../platform/database/index.ts';
import { offsetOf, type Paging, type Sort } from '../../../platform/http/paging.ts';
import type { BranchStatus } from '../fields.ts';
import { type BoundingBox, EARTH_RADIUS_KM, type GeoPoint } from '../geo.ts';
import { type BranchRow, branchColumns } from './branches.ts';

export const SORT_COLUMNS = ['created', 'updated', 'iv_id', 'name_en', 'name_ar', 'status'] as const;
export type BranchSort = Sort<(typeof SORT_COLUMNS)[number]> | 'nearest';

export type BranchFilter = {
  organizationId: string;
  onlyBranchId: string | null;
  active?: boolean;
  status?: BranchStatus;
  searchPattern?: string;
  near?: { center: GeoPoint; radiusKm: number; box: BoundingBox };
  /** The minute of the week that each zone's clock shows at the instant asked for. */
  openAt?: { zones: string[]; minutes: number[]; defaultZone: string };
};

export type ListedBranch = BranchRow & { distance_km?: number };

export function listBranches(
  sql: Queryable,
  filter: BranchFilter,
  sort: BranchSort,
  paging: Paging,
): Promise<ListedBranch[]> {
  const order =
    sort === 'nearest'
      ? sql`distance_km, id`
      : sort.descending
        ? sql`${sql(sort.column)} desc, id desc`
        : sql`${sql(sort.column)}, id`;
  const distance = filter.near ? sql`, ${distanceKm(sql, filter.near.center)} as distance_km` : sql``;
  return sql<ListedBranch[]>`
    select ${branchColumns(sql)} ${distance} from branches
    where ${conditions(sql, filter)}
    order by ${order} limit ${paging.limit} offset ${offsetOf(paging)}`;
}

export async function countBranches(sql: Queryable, filter: BranchFilter): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from branches where ${conditions(sql, filter)}`;
  return row?.total ?? 0;
}

export async function listTimeZones(sql: Queryable, organizationId: string): Promise<string[]> {
  const rows = await sql<{ time_zone: string }[]>`
    select distinct time_zone from branches where organization_id = ${organizationId} and time_zone is not null`;
  return rows.map((row) => row.time_zone);
}

function conditions(sql: Queryable, filter: BranchFilter) {
  const { onlyBranchId, active, status, searchPattern, near, openAt } = filter;
  return sql`
    organization_id = ${filter.organizationId}
    ${onlyBranchId === null ? sql`` : sql`and id = ${onlyBranchId}`}
    ${active === undefined ? sql`` : sql`and active = ${active}`}
    ${status === undefined ? sql`` : sql`and status = ${status}`}
    ${searchPattern === undefined ? sql`` : sql`and search_text like ${searchPattern}`}
    ${near === undefined ? sql`` : sql`and ${isNear(sql, near)}`}
    ${openAt === undefined ? sql`` : sql`and ${isOpen(sql, openAt)}`}`;
}

/** The box is read from the index; the exact distance then decides about its corners. */
function isNear(sql: Queryable, { center, radiusKm, box }: NonNullable<BranchFilter['near']>) {
  const minLons = box.lonRanges.map(([minLon]) => minLon);
  const maxLons = box.lonRanges.map(([, maxLon]) => maxLon);
  return sql`
    lat between ${box.minLat}::float8 and ${box.maxLat}::float8
    and exists (
      select from unnest(${minLons}::float8[], ${maxLons}::float8[]) as side (min_lon, max_lon)
      where lon between min_lon and max_lon)
    and ${distanceKm(sql, center)} <= ${radiusKm}::float8`;
}

// The same haversine as in geo.ts, where the reason for least() stands.
function distanceKm(sql: Queryable, center: GeoPoint) {
  return sql`
    ${2 * EARTH_RADIUS_KM}::float8 * asin(sqrt(least(1::float8,
      power(sin(radians(lat - ${center.lat}::float8) / 2), 2)
      + cos(radians(${center.lat}::float8)) * cos(radians(lat))
        * power(sin(radians(lon - ${center.lon}::float8) / 2), 2))))`;
}

function isOpen(sql: Queryable, { zones, minutes, defaultZone }: NonNullable<BranchFilter['openAt']>) {
  return sql`
    exists (
      select from unnest(${zones}::text[], ${minutes}::int4[]) as clock (zone, minute)
      where zone = coalesce(time_zone, ${defaultZone}) and open_minutes @> minute)`;
}
