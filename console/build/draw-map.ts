// Writes src/features/branches/map-paths.gen.ts: `node console/build/draw-map.ts`. The result is committed, so that neither a
// build nor a browser has to know world-atlas.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { geoIdentity, geoMercator, geoPath } from 'd3-geo';
import type { Feature, FeatureCollection, GeoJsonObject, Geometry } from 'geojson';
import { feature, merge, mesh } from 'topojson-client';
import { presimplify, simplify } from 'topojson-simplify';
import type { GeometryCollection, Polygon, Topology } from 'topojson-specification';

const TARGET = path.resolve(import.meta.dirname, '../src/features/branches/map-paths.gen.ts');
const SAUDI_ARABIA = '682';
/** What is drawn, in degrees: Saudi Arabia and enough of its neighbours to know where one is. */
const WEST = 30;
const EAST = 60;
const SOUTH = 12;
const NORTH = 35;
/** Of the whole drawing, in units of which paths have whole ones: finer than a pixel until one is very near. */
const WIDTH = 1600;
/** Bends that enclose less than this, in square degrees, are made straight. */
const LEAST_BEND = 0.0007;
/** Islands smaller than this, in square units, are not seen. */
const LEAST_AREA = 20;

const require = createRequire(import.meta.url);
type Atlas = Topology<{ countries: GeometryCollection<{ name: string }> }>;
const whole = JSON.parse(readFileSync(require.resolve('world-atlas/countries-50m.json'), 'utf8')) as Atlas;
const atlas = simplify(presimplify(whole), LEAST_BEND) as Atlas;

const SCALE = WIDTH / (((EAST - WEST) * Math.PI) / 180);
const northEdge = SCALE * Math.log(Math.tan(Math.PI / 4 + (NORTH * Math.PI) / 360));
const southEdge = SCALE * Math.log(Math.tan(Math.PI / 4 + (SOUTH * Math.PI) / 360));
const height = Math.round(northEdge - southEdge);
const projection = geoMercator()
  .scale(SCALE)
  .translate([-SCALE * ((WEST * Math.PI) / 180), northEdge])
  .clipExtent([
    [0, 0],
    [WIDTH, height],
  ]);
const draw = geoPath(projection).digits(0);

const { countries } = atlas.objects;
const isHome = ({ id }: { id?: string | number | undefined }) => String(id) === SAUDI_ARABIA;
const land = feature(atlas, countries) as FeatureCollection<Geometry, { name: string }>;
const isSeen = new Set(land.features.filter((country) => draw(country) !== null).map(({ id }) => id));
const seen = countries.geometries.filter(({ id }) => isSeen.has(id));
// Neighbours are one piece of land with lines in it, so that no line is stored twice.
const around = merge(atlas, seen.filter((country) => !isHome(country)) as Polygon[]);
const borders = mesh(atlas, { ...countries, geometries: seen }, (a, b) => a !== b && !isHome(a) && !isHome(b));

const paths = {
  home: pathOf({ type: 'FeatureCollection', features: land.features.filter(isHome) } as FeatureCollection),
  around: pathOf(around),
  borders: relative(draw(borders) ?? ''),
};
const written = `// Written by console/build/draw-map.ts from world-atlas 50m (Natural Earth, public domain). Not by hand.
export const MAP_WIDTH = ${WIDTH};
export const MAP_HEIGHT = ${height};
/** Web Mercator: units for a radian, and where the corner of the drawing lies. */
export const MAP_SCALE = ${round(SCALE)};
export const MAP_WEST = ${WEST};
export const MAP_NORTH_EDGE = ${round(northEdge)};
export const HOME_PATH =
  '${paths.home}';
export const AROUND_PATH =
  '${paths.around}';
export const BORDERS_PATH =
  '${paths.borders}';
`;
writeFileSync(TARGET, written);
function pathOf(shape: GeoJsonObject): string {
  const outlines = (draw(shape as Feature) ?? '').split(/(?=M)/);
  return relative(outlines.filter((outline) => areaOf(outline) >= LEAST_AREA).join(''));
}

function areaOf(outline: string): number {
  const flat: Feature = {
    type: 'Feature',
    properties: null,
    geometry: { type: 'Polygon', coordinates: [pointsOf(outline)] },
  };
  return geoPath(geoIdentity()).area(flat);
}

/** `M574,482L568,482L562,483Z` as `M574,482l-6,0-6,1z`: steps are shorter to write than places. */
function relative(text: string): string {
  return text
    .split(/(?=M)/)
    .map((line) => {
      const points = pointsOf(line);
      const steps = points.slice(1).flatMap(([x, y], index) => {
        const [beforeX, beforeY] = points[index] as [number, number];
        return x === beforeX && y === beforeY ? [] : [x - beforeX, y - beforeY];
      });
      if (steps.length === 0) return '';
      const written = steps.map((step, index) => (index === 0 || step < 0 ? String(step) : ` ${step}`)).join('');
      return `M${points[0]?.join(' ')}l${written}${line.endsWith('Z') ? 'z' : ''}`;
    })
    .join('');
}

function pointsOf(line: string): [number, number][] {
  return line
    .replace(/[MZ]/g, '')
    .split('L')
    .map((pair) => pair.split(',').map(Number) as [number, number]);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
