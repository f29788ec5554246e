import { foldName } from '../fold-name.ts';
import { distanceKm, type Place } from '../places.ts';
import { SAUDI_CITIES } from './saudi-cities.ts';
import { SAUDI_DISTRICTS } from './saudi-districts.ts';

type Names = { en: string; ar: string };
export type PlaceKind = 'region' | 'city' | 'district' | 'branch';
export type NamedPlace = Place &
  Names & {
    id: string;
    kind: PlaceKind;
    /** The seat of a region is named first on the map. */
    isSeat?: boolean;
    /** The region of a city, the city of a district or branch. */
    within?: Names;
    /** Folded names to search in: the English one, the Arabic one, other spellings. */
    keys: readonly string[];
    /** Folded names of what it lies in. */
    context: string;
  };

const MOST_FOUND = 12;
/** Further than this from every known place, no name is given. */
const NEAR_KM = 40;
const KIND_ORDER: Record<PlaceKind, number> = { branch: 0, city: 1, district: 2, region: 3 };

export const GAZETTEER: readonly NamedPlace[] = readGazetteer();

function readGazetteer(cities = SAUDI_CITIES, districts = SAUDI_DISTRICTS): NamedPlace[] {
  const places: NamedPlace[] = [];
  let region: Names | undefined;
  let isSeat = false;
  for (const line of linesOf(cities)) {
    if (line.startsWith('# ')) {
      const place = placeOf(line.slice(2), 'region');
      region = place;
      isSeat = true;
      places.push(place);
    } else {
      places.push({ ...placeOf(line, 'city', region), ...(isSeat && { isSeat }) });
      isSeat = false;
    }
  }
  let city: NamedPlace | undefined;
  for (const line of linesOf(districts)) {
    if (line.startsWith('# ')) city = places.find(({ kind, en }) => kind === 'city' && en === line.slice(2));
    else if (city !== undefined) places.push(placeOf(line, 'district', city));
  }
  return places;
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

function placeOf(line: string, kind: PlaceKind, within?: Names): NamedPlace {
  const [en = '', ar = '', lat, lon, also = ''] = line.split('|');
  return {
    id: `${kind}.${within?.en ?? ''}.${en}`,
    kind,
    en,
    ar,
    lat: Number(lat),
    lon: Number(lon),
    ...(within && { within: { en: within.en, ar: within.ar } }),
    keys: [en, ar, ...also.split(',')].map(foldName).filter((key) => key !== ''),
    context: within === undefined ? '' : foldName(`${within.en} ${within.ar}`),
  };
}

/** A branch of the organization as a place that can be found by its names, its code and its city. */
export function branchPlace(branch: {
  id: string;
  iv_id: string;
  name_en: string;
  name_ar: string;
  location: (Place & { city?: string }) | null;
}): NamedPlace | undefined {
  const { location, name_en, name_ar, iv_id } = branch;
  if (location === null) return undefined;
  const { lat, lon, city } = location;
  return {
    id: `branch.${branch.id}`,
    kind: 'branch',
    en: name_en || name_ar || iv_id,
    ar: name_ar || name_en || iv_id,
    lat,
    lon,
    ...(city !== undefined && { within: { en: city, ar: city } }),
    keys: [name_en, name_ar, iv_id].map(foldName).filter((key) => key !== ''),
    context: foldName(city ?? ''),
  };
}

/** The places that match every typed word, the best first: whole names, then beginnings, then names that only contain it. */
export function findPlaces(text: string, places: readonly NamedPlace[]): NamedPlace[] {
  const wanted = foldName(text);
  if (wanted === '') return [];
  return places
    .map((place) => ({ place, score: scoreOf(wanted, place) }))
    .filter(({ score }) => score < NO_MATCH)
    .sort(
      (one, other) =>
        one.score - other.score ||
        Number(other.place.isSeat ?? false) - Number(one.place.isSeat ?? false) ||
        KIND_ORDER[one.place.kind] - KIND_ORDER[other.place.kind],
    )
    .slice(0, MOST_FOUND)
    .map(({ place }) => place);
}

const NO_MATCH = 9;
function scoreOf(wanted: string, { keys, context }: NamedPlace): number {
  if (keys.includes(wanted)) return 0;
  if (keys.some((key) => key.startsWith(wanted))) return 1;
  const words = wanted.split(' ');
  const starts = (within: string, word: string) => ` ${within}`.includes(` ${word}`);
  if (keys.some((key) => words.every((word) => starts(key, word)))) return 2;
  // "olaya riyadh": one word of the name at least, the others of what it lies in.
  const rest = words.filter((word) => !keys.some((key) => starts(key, word)));
  if (rest.length < words.length && rest.every((word) => starts(context, word))) return 3;
  return wanted.length > 2 && keys.some((key) => key.includes(wanted)) ? 4 : NO_MATCH;
}

/** The nearest known district or city, to say in words where the pin is. */
export function nearestPlace(to: Place, places: readonly NamedPlace[] = GAZETTEER): NamedPlace | undefined {
  let found: NamedPlace | undefined;
  let least = NEAR_KM;
  for (const place of places) {
    const km = place.kind === 'region' ? NEAR_KM : distanceKm(to, place);
    if (km < least) [found, least] = [place, km];
  }
  return found;
}

/** The label for the branch's city field. */
export function cityOf(place: NamedPlace): Names | undefined {
  if (place.kind === 'region') return undefined;
  return place.kind === 'city' ? place : place.within;
}
