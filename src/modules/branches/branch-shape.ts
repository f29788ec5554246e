import { isOpenOn, type LocalClock } from './closures/closed-days.ts';
import { localClock } from './opening.ts';
import type { BranchShape } from './schema.ts';
import type { ListedBranch } from './sql/list.ts';

export type Viewpoint = { now: Date; timeZone: string; urlOf: (key: string) => string };

/** Reads each zone's clock once, however many branches follow. */
export function branchShaper({ now, timeZone, urlOf }: Viewpoint): (row: ListedBranch) => BranchShape {
  const clocks = new Map<string, LocalClock>();
  const clockIn = (zone: string): LocalClock => {
    const known = clocks.get(zone);
    if (known !== undefined) return known;
    const clock = localClock(now, zone);
    clocks.set(zone, clock);
    return clock;
  };
  return (row) => ({
    id: row.id,
    iv_id: row.iv_id,
    organization_id: row.organization_id,
    name_en: row.name_en,
    name_ar: row.name_ar,
    email: row.email,
    active: row.active,
    status: row.status,
    location: locationShape(row),
    apple_maps_id: row.apple_maps_id,
    google_maps_id: row.google_maps_id,
    working_hours: row.working_hours,
    working_hours_periods: row.working_hours_periods,
    is_open: isOpenOn(row.working_hours_periods, row.closed_days, clockIn(row.time_zone ?? timeZone)),
    time_zone: row.time_zone,
    hero_image: row.hero_image && urlOf(row.hero_image),
    banner_image: row.banner_image && urlOf(row.banner_image),
    photos: row.photos.map(urlOf),
    // To the metre: more digits would promise what coordinates cannot keep.
    ...(row.distance_km === undefined ? {} : { distance_km: Math.round(row.distance_km * 1000) / 1000 }),
    created: row.created.toISOString(),
    updated: row.updated.toISOString(),
  });
}

function locationShape({ lat, lon, city }: ListedBranch): BranchShape['location'] {
  if (lat === null || lon === null) return null;
  return city === null ? { lat, lon } : { lat, lon, city };
}
