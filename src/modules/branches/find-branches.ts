import { readTotal, type Sql } from '../../platform/database/index.ts';
import { type Paging, readPaging, readSort } from '../../platform/http/paging.ts';
import { badRequest } from '../../platform/http/problem.ts';
import { foldForSearch, likePattern } from '../../platform/text/folding.ts';
import type { Tenant } from '../identity/index.ts';
import { boundingBox } from './geo.ts';
import { localClock } from './opening.ts';
import type { BranchQueryShape } from './schema.ts';
import {
  type BranchFilter,
  type BranchSort,
  countBranches,
  type ListedBranch,
  listBranches,
  listTimeZones,
  SORT_COLUMNS,
} from './sql/list.ts';

const DEFAULT_RADIUS_KM = 10;

export type FoundBranches = { rows: ListedBranch[]; total: number; paging: Paging };

export async function findBranches(sql: Sql, tenant: Tenant, query: BranchQueryShape): Promise<FoundBranches> {
  refuseEndless(query);
  const paging = readPaging(query);
  const near = readNear(query);
  const sort = readOrder(query, near);
  const instant = readInstant(query.open_at);
  const filter: BranchFilter = {
    organizationId: tenant.organizationId,
    onlyBranchId: tenant.branchId,
    active: query.active,
    status: query.status,
    searchPattern: query.search ? likePattern(foldForSearch(query.search)) : undefined,
    near,
    openAt: instant && (await clocksAt(sql, tenant, instant)),
  };
  const [rows, total] = await Promise.all([
    listBranches(sql, filter, sort, paging),
    isWholeList(filter) ? readTotal(sql, tenant.organizationId, 'branches') : countBranches(sql, filter),
  ]);
  return { rows, total, paging };
}

/** The text "Infinity" becomes a number on its way here, and the schema's bounds apply to finite ones only. */
function refuseEndless(query: BranchQueryShape): void {
  const endless = Object.entries(query).find(([, value]) => typeof value === 'number' && !Number.isFinite(value));
  if (endless) throw badRequest({ [endless[0]]: 'must be a number' }, 'Invalid request parameters');
}

function isWholeList({ organizationId, onlyBranchId, ...filters }: BranchFilter): boolean {
  return onlyBranchId === null && Object.values(filters).every((value) => value === undefined);
}

function readNear({ near_lat: lat, near_lon: lon, radius_km: radiusKm = DEFAULT_RADIUS_KM }: BranchQueryShape) {
  if (lat === undefined && lon === undefined) return undefined;
  if (lat === undefined) throw badRequest({ near_lat: 'is required with near_lon' }, 'Invalid request parameters');
  if (lon === undefined) throw badRequest({ near_lon: 'is required with near_lat' }, 'Invalid request parameters');
  const center = { lat, lon };
  return { center, radiusKm, box: boundingBox(center, radiusKm) };
}

/** Nearest first around a place, newest first otherwise; what the caller asks for beats both. */
function readOrder(query: BranchQueryShape, near: BranchFilter['near']): BranchSort {
  if (near !== undefined && !query.sort) return 'nearest';
  return readSort(query.sort, SORT_COLUMNS, { column: 'created', descending: true });
}

const INSTANT = /^(\d{4}-\d\d-\d\d)[tT ](\d\d:\d\d):(\d\d)(?:\.\d+)?([zZ]|[+-]\d\d:\d\d)$/;

function readInstant(raw: string | undefined): Date | undefined {
  if (raw === undefined) return undefined;
  // A plus that was not escaped arrives as a space; no valid time has one there.
  const [, day, time, second, zone] = INSTANT.exec(raw.replace(/ (\d\d:\d\d)$/, '+$1')) ?? [];
  const midnight = new Date(`${day}T00:00:00Z`);
  // Date takes 30 February for 2 March.
  const isRealDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(`${day}T`);
  // Only the minute matters below, so the seconds need no more than a look; :60 is a leap second.
  const instant = new Date(`${day}T${time}:00${zone?.toUpperCase()}`);
  if (!isRealDay || Number.isNaN(instant.getTime()) || Number(second) > 60) {
    const form = 'must be an RFC 3339 time such as 2026-11-15T18:30:00+03:00';
    throw badRequest({ open_at: form }, 'Invalid request parameters');
  }
  return instant;
}

/** The instant as each zone's wall clock shows it: a handful of zones, however many branches. */
async function clocksAt(sql: Sql, tenant: Tenant, instant: Date): Promise<NonNullable<BranchFilter['openAt']>> {
  const zones = [...new Set([tenant.timeZone, ...(await listTimeZones(sql, tenant.organizationId))])];
  const clocks = zones.map((zone) => localClock(instant, zone));
  return {
    zones,
    minutes: clocks.map(({ minuteOfWeek }) => minuteOfWeek),
    days: clocks.map(({ day }) => day),
    defaultZone: tenant.timeZone,
  };
}
