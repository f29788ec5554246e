import type { Reader } from '../../platform/inbound/index.ts';
import { findDecimal, toNumber } from '../../platform/money.ts';

/**
 * Coordinates of an address. Invalid ones are dropped instead of refusing the order, and so is 0, 0, which several vendors send
 * for unknown locations.
 */
export function placeAt(latitude: Reader, longitude: Reader): { latitude?: number; longitude?: number } {
  const [north, east] = [findDegrees(latitude, 90), findDegrees(longitude, 180)];
  if (north === undefined || east === undefined || (north === 0 && east === 0)) return {};
  return { latitude: north, longitude: east };
}

function findDegrees({ value }: Reader, most: number): number | undefined {
  const found = typeof value === 'string' || typeof value === 'number' ? findDecimal(String(value).trim()) : undefined;
  const degrees = found && toNumber(found);
  return degrees !== undefined && Math.abs(degrees) <= most ? degrees : undefined;
}
