import type { Reader } from '../../platform/inbound/index.ts';
import type { AppSettings } from './settings.ts';

/**
 * Many vendors know a shop by several ids (their own, the chain's, ours). The one that the install's `branches` name is meant;
 * where they name none, the first there is.
 */
export function findShopId({ branches = {} }: AppSettings, ids: readonly (string | undefined)[]): string | undefined {
  const there = ids.filter((id) => id !== undefined);
  return there.find((id) => Object.hasOwn(branches, id)) ?? there[0];
}

/** A place on the map is worth less than the order: what is none is left out. */
export function mapPlaceOf(latitude: Reader, longitude: Reader): { latitude?: number; longitude?: number } {
  const [north, east] = [latitude.value, longitude.value].map((value) =>
    typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN,
  ) as [number, number];
  // Nobody lives at 0, 0: it is what an app says that does not know.
  const isPlace = Math.abs(north) <= 90 && Math.abs(east) <= 180 && (north !== 0 || east !== 0);
  return isPlace ? { latitude: north, longitude: east } : {};
}
