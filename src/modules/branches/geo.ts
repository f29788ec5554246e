export type GeoPoint = { lat: number; lon: number };
export type BranchLocation = GeoPoint & { city?: string };
export type ParsedLocation = { ok: true; location: BranchLocation } | { ok: false; errors: Record<string, string> };

export type BoundingBox = {
  minLat: number;
  maxLat: number;
  /** Two ranges when the box crosses the date line. Both ends belong to the range. */
  lonRanges: Array<[minLon: number, maxLon: number]>;
};

/** Mean radius of the Earth (IUGG). */
export const EARTH_RADIUS_KM = 6371.0088;
export const MAX_CITY_LENGTH = 500;

// The box only narrows the candidates before the exact distance is checked, so a metre of slack costs nothing and
// outweighs the rounding of either formula, here or in SQL.
const BOX_SLACK_KM = 0.001;

/** Great-circle distance by the haversine formula. */
export function distanceKm(a: GeoPoint, b: GeoPoint): number {
  const halfLat = Math.sin(toRadians(b.lat - a.lat) / 2);
  const halfLon = Math.sin(toRadians(b.lon - a.lon) / 2);
  const h = halfLat * halfLat + Math.cos(toRadians(a.lat)) * Math.cos(toRadians(b.lat)) * halfLon * halfLon;
  // Rounding lifts h one ulp over 1 for some opposite points. The root still rounds to 1 (20 million pairs tried),
  // but a second ulp would make asin answer NaN.
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(Math.min(1, h)));
}

/** The smallest latitude and longitude box around a circle on the globe: every point within the radius is inside. */
export function boundingBox(center: GeoPoint, radiusKm: number): BoundingBox {
  const angle = (radiusKm + BOX_SLACK_KM) / EARTH_RADIUS_KM;
  const minLat = center.lat - toDegrees(angle);
  const maxLat = center.lat + toDegrees(angle);
  // A circle that holds a pole touches every meridian.
  if (minLat <= -90 || maxLat >= 90) {
    return { minLat: Math.max(-90, minLat), maxLat: Math.min(90, maxLat), lonRanges: [[-180, 180]] };
  }
  // The circle is widest where a meridian is tangent to it, which lies poleward of the center's own parallel;
  // dividing the radius by cos(lat) instead cuts points off at high latitudes.
  const halfWidth = toDegrees(Math.asin(Math.min(1, Math.sin(angle) / Math.cos(toRadians(center.lat)))));
  return { minLat, maxLat, lonRanges: lonRangesAround(center.lon, halfWidth) };
}

export function isInBox(point: GeoPoint, box: BoundingBox): boolean {
  if (point.lat < box.minLat || point.lat > box.maxLat) return false;
  return box.lonRanges.some(([minLon, maxLon]) => point.lon >= minLon && point.lon <= maxLon);
}

/** `lat` and `lon` are required; a null `city` counts as absent; other members are ignored. */
export function parseLocation(input: unknown, field = 'location'): ParsedLocation {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { ok: false, errors: { [field]: 'must be an object with lat and lon' } };
  }
  const { lat, lon, city } = input as Record<string, unknown>;
  const errors: Record<string, string> = {};
  const latError = coordinateError(lat, 90);
  const lonError = coordinateError(lon, 180);
  const cityError = findCityError(city);
  if (latError !== undefined) errors[`${field}.lat`] = latError;
  if (lonError !== undefined) errors[`${field}.lon`] = lonError;
  if (cityError !== undefined) errors[`${field}.city`] = cityError;
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  // Adding zero turns the -0 that JSON can spell into 0.
  const location: BranchLocation = { lat: Number(lat) + 0, lon: Number(lon) + 0 };
  if (typeof city === 'string') location.city = city;
  return { ok: true, location };
}

// A range that reaches 180 exactly still needs the other side: -180 is the same meridian.
function lonRangesAround(lon: number, halfWidth: number): BoundingBox['lonRanges'] {
  const minLon = lon - halfWidth;
  const maxLon = lon + halfWidth;
  if (minLon <= -180) {
    return [
      [minLon + 360, 180],
      [-180, maxLon],
    ];
  }
  if (maxLon >= 180) {
    return [
      [minLon, 180],
      [-180, maxLon - 360],
    ];
  }
  return [[minLon, maxLon]];
}

function coordinateError(value: unknown, limit: number): string | undefined {
  if (value === undefined || value === null) return 'is required';
  if (typeof value !== 'number' || !(Math.abs(value) <= limit)) return `must be a number from -${limit} to ${limit}`;
  return undefined;
}

function findCityError(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') return 'must be a string';
  // A character is a code point, as PostgreSQL counts; the cheap test first keeps a huge string from being spread.
  if (value.length > 2 * MAX_CITY_LENGTH || [...value].length > MAX_CITY_LENGTH) {
    return `must be at most ${MAX_CITY_LENGTH} characters`;
  }
  if (value.includes('\0') || !value.isWellFormed()) return 'must not contain NUL or broken Unicode';
  return undefined;
}

function toRadians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

function toDegrees(radians: number): number {
  return (radians * 180) / Math.PI;
}
