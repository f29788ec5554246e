import { readNumber } from '../../../i18n/read-number.ts';
import { readCoordinates } from '../read-coordinates.ts';

/** The fields of a location as they are typed. */
export type PlaceText = { lat: string; lon: string; city: string };
export const NO_PLACE: PlaceText = { lat: '', lon: '', city: '' };
type Location = { lat: number; lon: number; city?: string };

const MOST = { lat: 90, lon: 180 };

export function textOf(location: Location | null): PlaceText {
  if (location === null) return NO_PLACE;
  return { lat: String(location.lat), lon: String(location.lon), city: location.city ?? '' };
}

/** What the fields say: a location, none (`null`), or nothing usable (`undefined`). */
export function locationOf(text: PlaceText): Location | null | undefined {
  if (text.lat.trim() === '' && text.lon.trim() === '') return null;
  const pair = readCoordinates(text.lat) ?? readCoordinates(text.lon);
  const lat = pair?.lat ?? readNumber(text.lat);
  const lon = pair?.lon ?? readNumber(text.lon);
  if (lat === undefined || lon === undefined || Math.abs(lat) > MOST.lat || Math.abs(lon) > MOST.lon) return undefined;
  const city = text.city.trim();
  return { lat, lon, ...(city !== '' && { city }) };
}
