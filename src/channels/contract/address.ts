import type { Reader } from '../../platform/inbound/index.ts';

/** Where on the map, for an address; nothing where either half is missing or no place on earth. */
export function coordinatesOf(latitude: Reader, longitude: Reader): { latitude?: number; longitude?: number } {
  const [north, east] = [latitude, longitude].map(({ value }) =>
    typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN,
  ) as [number, number];
  return Math.abs(north) <= 90 && Math.abs(east) <= 180 ? { latitude: north, longitude: east } : {};
}
