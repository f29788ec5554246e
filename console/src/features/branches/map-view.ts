import { MAP_HEIGHT, MAP_WIDTH } from './map-paths.gen.ts';
import type { Point } from './places.ts';

/** The visible part of the map: centre and width. The aspect ratio is fixed. */
export type View = { x: number; y: number; width: number };

export const SHAPE = MAP_WIDTH / MAP_HEIGHT;
/** About a kilometre: the map has no more detail. */
export const LEAST_WIDTH = 1;
/** The whole of Saudi Arabia. */
export const COUNTRY_WIDTH = 1180;
/** Markers closer than this fraction of the width are grouped. */
const TOGETHER = 0.045;
/** Margin around the outermost markers. */
const MARGIN = 1.12;

export function fit(points: readonly Point[], leastWidth: number): View {
  if (points.length === 0) return inside({ x: MAP_WIDTH / 2, y: MAP_HEIGHT / 2, width: MAP_WIDTH });
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [west, east, north, south] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const width = Math.max(leastWidth, (east - west) * MARGIN, (south - north) * SHAPE * MARGIN);
  return inside({ x: (west + east) / 2, y: (north + south) / 2, width });
}

/** Keeps the view inside the map. */
export function inside({ x, y, width }: View): View {
  const kept = Math.min(MAP_WIDTH, Math.max(LEAST_WIDTH, width));
  const height = kept / SHAPE;
  return {
    x: Math.min(MAP_WIDTH - kept / 2, Math.max(kept / 2, x)),
    y: Math.min(MAP_HEIGHT - height / 2, Math.max(height / 2, y)),
    width: kept,
  };
}

/** The position of a point in the view, from 0 to 1. */
export function seenAt(point: Point, view: View): Point {
  const height = view.width / SHAPE;
  return { x: (point.x - view.x) / view.width + 0.5, y: (point.y - view.y) / height + 0.5 };
}

/** The point of the map at a position in the view: the inverse of `seenAt`. */
export function pointAt(position: Point, view: View): Point {
  const height = view.width / SHAPE;
  return { x: view.x + (position.x - 0.5) * view.width, y: view.y + (position.y - 0.5) * height };
}

/** Zooms so that the point at `position` stays where it is. A factor below 1 zooms in. */
export function zoomAt(view: View, factor: number, position: Point = { x: 0.5, y: 0.5 }): View {
  const width = Math.min(MAP_WIDTH, Math.max(LEAST_WIDTH, view.width * factor));
  return inside(holding(pointAt(position, view), position, width));
}

/** The view of this width that shows the point at the position. */
export function holding(point: Point, position: Point, width: number): View {
  return { x: point.x - (position.x - 0.5) * width, y: point.y - ((position.y - 0.5) * width) / SHAPE, width };
}

export const isSeen = ({ x, y }: Point) => x >= 0 && x <= 1 && y >= 0 && y <= 1;

/** Groups markers that would overlap. At the highest zoom each is shown alone. */
export function together<Item extends { point: Point }>(items: readonly Item[], view: View): Item[][] {
  const groups: Item[][] = [];
  for (const item of items) {
    const near = groups.find(([first]) => {
      if (first === undefined || view.width <= LEAST_WIDTH) return false;
      return Math.hypot(first.point.x - item.point.x, first.point.y - item.point.y) < TOGETHER * view.width;
    });
    if (near === undefined) groups.push([item]);
    else near.push(item);
  }
  return groups;
}

export const middleOf = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});
