import { isSeen, seenAt, type View } from '../map-view.ts';
import { type Place, placeOf, pointOf, unitsOf } from '../places.ts';
import type { NamedPlace } from './gazetteer.ts';

/** Widths of the view, in units of the map (about 2 km), from which towns and districts are named. */
const TOWNS_FROM = 420;
const DISTRICTS_FROM = 34;
/** Fractions of the view that a name takes. */
const LABEL_WIDTH = 0.2;
const LABEL_HEIGHT = 0.07;

export type MapLabel = { place: NamedPlace; x: number; y: number };

/** The names that fit into the view without standing on each other: seats of regions first, then towns, then districts. */
export function labelsIn(view: View, places: readonly NamedPlace[]): MapLabel[] {
  const shown: MapLabel[] = [];
  for (const rank of [0, 1, 2]) {
    for (const place of places) {
      if (rankOf(place, view) !== rank) continue;
      const { x, y } = seenAt(pointOf(place), view);
      if (!isSeen({ x, y })) continue;
      const isFree = shown.every(
        (other) => Math.abs(other.x - x) > LABEL_WIDTH || Math.abs(other.y - y) > LABEL_HEIGHT,
      );
      if (isFree) shown.push({ place, x, y });
    }
  }
  return shown;
}

function rankOf({ kind, isSeat }: NamedPlace, { width }: View): number | undefined {
  if (kind === 'city' && isSeat === true) return 0;
  if (kind === 'city') return width < TOWNS_FROM ? 1 : undefined;
  return kind === 'district' && width < DISTRICTS_FROM ? 2 : undefined;
}

const STEPS_KM = [500, 200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.2];
const MOST_OF_VIEW = 0.3;

/** A round distance and the fraction of the view that it takes. */
export function scaleOf(view: View): { km: number; part: number } {
  const middle: Place = placeOf(view);
  const partOf = (km: number) => unitsOf(km, middle) / view.width;
  const km = STEPS_KM.find((step) => partOf(step) <= MOST_OF_VIEW) ?? 0.2;
  return { km, part: partOf(km) };
}
