import { foldName } from './fold-name.ts';
import { MAP_NORTH_EDGE, MAP_SCALE, MAP_WEST } from './map-paths.gen.ts';
import { readCoordinates } from './read-coordinates.ts';

export type Place = { lat: number; lon: number };
export type Point = { x: number; y: number };

const RADIAN = Math.PI / 180;
const EARTH_KM = 6371;

/** Where a place lies on the drawing: the projection that drew its paths. */
export function pointOf({ lat, lon }: Place): Point {
  return {
    x: MAP_SCALE * (lon - MAP_WEST) * RADIAN,
    y: MAP_NORTH_EDGE - MAP_SCALE * Math.log(Math.tan(Math.PI / 4 + (lat * RADIAN) / 2)),
  };
}

/** The place of a point on the drawing: the inverse of `pointOf`. */
export function placeOf({ x, y }: Point): Place {
  return {
    lat: (2 * Math.atan(Math.exp((MAP_NORTH_EDGE - y) / MAP_SCALE)) - Math.PI / 2) / RADIAN,
    lon: x / MAP_SCALE / RADIAN + MAP_WEST,
  };
}

/** Kilometres between two places, on a sphere. */
export function distanceKm(one: Place, other: Place): number {
  const lat = Math.sin(((other.lat - one.lat) * RADIAN) / 2) ** 2;
  const lon = Math.sin(((other.lon - one.lon) * RADIAN) / 2) ** 2;
  return 2 * EARTH_KM * Math.asin(Math.sqrt(lat + Math.cos(one.lat * RADIAN) * Math.cos(other.lat * RADIAN) * lon));
}

/** How long a distance is on the drawing, at that latitude. */
export function unitsOf(km: number, { lat }: Place): number {
  return (km * MAP_SCALE) / (EARTH_KM * Math.cos(lat * RADIAN));
}

/** Its corners: with them in sight one knows where one is. */
export const KINGDOM: readonly Place[] = [
  { lat: 32.2, lon: 34.5 },
  { lat: 16.3, lon: 55.7 },
];

type City = Place & { en: string; ar: string; also?: readonly string[] };

/** To know where one is on the map, and to search around without knowing coordinates. */
export const CITIES: readonly City[] = [
  { en: 'Riyadh', ar: 'الرياض', lat: 24.7136, lon: 46.6753 },
  { en: 'Jeddah', ar: 'جدة', lat: 21.5433, lon: 39.1728 },
  { en: 'Makkah', ar: 'مكة المكرمة', lat: 21.4225, lon: 39.8262, also: ['mecca', 'مكة'] },
  { en: 'Madinah', ar: 'المدينة المنورة', lat: 24.4672, lon: 39.6112, also: ['medina', 'المدينة'] },
  { en: 'Dammam', ar: 'الدمام', lat: 26.4207, lon: 50.0888 },
  { en: 'Khobar', ar: 'الخبر', lat: 26.2794, lon: 50.2083, also: ['al khobar'] },
  { en: 'Taif', ar: 'الطائف', lat: 21.2703, lon: 40.4158 },
  { en: 'Tabuk', ar: 'تبوك', lat: 28.3835, lon: 36.5662 },
  { en: 'Buraydah', ar: 'بريدة', lat: 26.326, lon: 43.975, also: ['qassim', 'القصيم'] },
  { en: 'Abha', ar: 'أبها', lat: 18.2164, lon: 42.5053 },
  { en: 'Khamis Mushait', ar: 'خميس مشيط', lat: 18.3, lon: 42.7333 },
  { en: 'Hail', ar: 'حائل', lat: 27.5114, lon: 41.7208 },
  { en: 'Jazan', ar: 'جازان', lat: 16.8892, lon: 42.5511 },
  { en: 'Najran', ar: 'نجران', lat: 17.4933, lon: 44.1277 },
  { en: 'Yanbu', ar: 'ينبع', lat: 24.0895, lon: 38.0618 },
  { en: 'Hofuf', ar: 'الهفوف', lat: 25.3647, lon: 49.5876, also: ['al ahsa', 'الأحساء'] },
  { en: 'Jubail', ar: 'الجبيل', lat: 27.0046, lon: 49.646 },
  { en: 'Sakaka', ar: 'سكاكا', lat: 29.9697, lon: 40.2064 },
  { en: 'Arar', ar: 'عرعر', lat: 30.9753, lon: 41.0381 },
  { en: 'Al Baha', ar: 'الباحة', lat: 20.0129, lon: 41.4677 },
];

/** Those that are named on the map: the others would stand on each other. */
export const NAMED_ON_MAP = [
  'Riyadh',
  'Jeddah',
  'Madinah',
  'Dammam',
  'Tabuk',
  'Buraydah',
  'Abha',
  'Hail',
  'Najran',
  'Arar',
];

/** Coordinates, the link of a map, or a city. */
export function readPlace(text: string): (Place & { city?: City }) | undefined {
  const city = cityNamed(text);
  return city === undefined ? readCoordinates(text) : { lat: city.lat, lon: city.lon, city };
}

export function cityNamed(text: string): City | undefined {
  const wanted = foldName(text);
  if (wanted === '') return undefined;
  return CITIES.find(({ en, ar, also = [] }) => [en, ar, ...also].some((name) => foldName(name) === wanted));
}

export function cityAt({ lat, lon }: Place): City | undefined {
  return CITIES.find((city) => city.lat === lat && city.lon === lon);
}

const DECIMALS = 5;
export const placeText = ({ lat, lon }: Place) => `${round(lat)}, ${round(lon)}`;
export const round = (degrees: number) => Number(degrees.toFixed(DECIMALS));
