import type { Queryable } from '../../../platform/database/index.ts';
import { offsetOf, type Paging, type Sort } from '../../../platform/http/paging.ts';
import type { BranchStatus } from '../fields.ts';
import { type BoundingBox, EARTH_RADIUS_KM, type GeoPoint } from '../geo.ts';
import { WEEK_DAYS } from '../working-hours.ts';
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
  /** The minute of the week and the day that each zone's clock shows at the instant asked for. */
  openAt?: { zones: string[]; minutes: number[]; days: string[]; defaultZone: string };
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

/** Single periods are looked at only where a closure is near; the rules are those of `isOpenOn`. */
function isOpen(sql: Queryable, { zones, minutes, days, defaultZone }: NonNullable<BranchFilter['openAt']>) {
  return sql`
    exists (
      select from unnest(${zones}::text[], ${minutes}::int4[], ${days}::date[]) as clock (zone, minute, day)
      where zone = coalesce(time_zone, ${defaultZone}) and open_minutes @> minute
        and (not closed_days && daterange(day - 1, day, '[]') or exists (
          select from jsonb_to_recordset(working_hours_periods) as p (
            "WeekDay" text, "OpenHour" int, "OpenMinute" int, "CloseHour" int, "CloseMinute" int)
          cross join lateral (
            select array_position(${[...WEEK_DAYS]}::text[], "WeekDay") - 1 as weekday,
                   "OpenHour" * 60 + "OpenMinute" as opens, "CloseHour" * 60 + "CloseMinute" as closes) as span
          where (minute - weekday * 1440 - opens + 10080) % 10080
                  < case when closes > opens then closes - opens else closes - opens + 1440 end
            and not closed_days @> case when weekday = minute / 1440 then day else day - 1 end)))`;
}
