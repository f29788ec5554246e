import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundingBox, distanceKm, EARTH_RADIUS_KM, type GeoPoint, isInBox, parseLocation } from './geo.ts';

const HALF_TURN_KM = Math.PI * EARTH_RADIUS_KM;

const latitude = fc.oneof(
  fc.double({ min: -90, max: 90, noNaN: true }),
  fc.constantFrom(-90, -89.9999, 0, 89.9999, 90),
);
const longitude = fc.oneof(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.constantFrom(-180, -179.9999, 0, 179.9999, 180),
);
const point = fc.record({ lat: latitude, lon: longitude });

/** Walks from a point along a bearing, by the spherical direct formula: an independent way to make near points. */
function travel(from: GeoPoint, bearingDegrees: number, km: number): GeoPoint {
  const rad = Math.PI / 180;
  const angle = km / EARTH_RADIUS_KM;
  const [lat, lon, bearing] = [from.lat * rad, from.lon * rad, bearingDegrees * rad];
  const sinLat = Math.sin(lat) * Math.cos(angle) + Math.cos(lat) * Math.sin(angle) * Math.cos(bearing);
  const toLat = Math.asin(Math.max(-1, Math.min(1, sinLat)));
  const toLon =
    lon + Math.atan2(Math.sin(bearing) * Math.sin(angle) * Math.cos(lat), Math.cos(angle) - Math.sin(lat) * sinLat);
  return { lat: toLat / rad, lon: ((((toLon / rad + 180) % 360) + 360) % 360) - 180 };
}

describe('distanceKm', () => {
  const riyadh = { lat: 24.7136, lon: 46.6753 };
  it.each([
    ['Riyadh to Jeddah', riyadh, { lat: 21.5433, lon: 39.1728 }, 844.091],
    ['Riyadh to Dammam', riyadh, { lat: 26.4207, lon: 50.0888 }, 391.468],
    ['the same place', riyadh, riyadh, 0],
    ['one degree along the equator', { lat: 0, lon: 0 }, { lat: 0, lon: 1 }, HALF_TURN_KM / 180],
    ['across the date line', { lat: 0, lon: 179.5 }, { lat: 0, lon: -179.5 }, HALF_TURN_KM / 180],
    ['both names of the date line', { lat: 10, lon: 180 }, { lat: 10, lon: -180 }, 0],
    ['a pole under two longitudes', { lat: 90, lon: 0 }, { lat: 90, lon: 137 }, 0],
    ['pole to pole', { lat: 90, lon: 0 }, { lat: -90, lon: 0 }, HALF_TURN_KM],
    ['opposite points whose haversine rounds above 1', { lat: 27, lon: 149.4 }, { lat: -27, lon: -30.6 }, HALF_TURN_KM],
    ['opposite points', { lat: 30, lon: 20 }, { lat: -30, lon: -160 }, HALF_TURN_KM],
  ])('%s', (_name, a, b, expectedKm) => {
    expect(Math.abs(distanceKm(a, b) - expectedKm)).toBeLessThan(0.001);
  });

  it('is symmetric, never negative, never past half a turn, and short cuts do not exist', () => {
    fc.assert(
      fc.property(point, point, point, (a, b, c) => {
        const direct = distanceKm(a, b);
        expect(direct).toBeGreaterThanOrEqual(0);
        expect(direct).toBeLessThanOrEqual(HALF_TURN_KM + 1e-9);
        expect(Math.abs(direct - distanceKm(b, a))).toBeLessThan(1e-9);
        expect(direct).toBeLessThanOrEqual(distanceKm(a, c) + distanceKm(c, b) + 1e-3);
      }),
      { numRuns: 500 },
    );
  });

  it('measures what was walked', () => {
    fc.assert(
      fc.property(
        point,
        fc.double({ min: 0, max: 360, noNaN: true }),
        fc.double({ min: 0.1, max: 10_000, noNaN: true }),
        (from, bearing, km) => {
          expect(Math.abs(distanceKm(from, travel(from, bearing, km)) - km)).toBeLessThan(0.001);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('boundingBox', () => {
  it('is one range in the open', () => {
    const box = boundingBox({ lat: 24.7136, lon: 46.6753 }, 10);
    expect(box.lonRanges).toHaveLength(1);
    expect(box.maxLat - box.minLat).toBeCloseTo((2 * 10.001) / 111.195, 4);
    const [minLon = Number.NaN, maxLon = Number.NaN] = box.lonRanges[0] ?? [];
    expect(maxLon - minLon).toBeCloseTo((2 * 10.001) / 111.195 / Math.cos((24.7136 * Math.PI) / 180), 4);
  });

  it.each([
    ['east of the date line', 179.95],
    ['west of the date line', -179.95],
    ['on it', 180],
    ['on it by its other name', -180],
  ])('is split in two %s', (_name, lon) => {
    const box = boundingBox({ lat: 0, lon }, 20);
    expect(box.lonRanges).toHaveLength(2);
    for (const inside of [180, -180, 179.9, -179.9]) expect(isInBox({ lat: 0, lon: inside }, box)).toBe(true);
    for (const outside of [0, 179, -179]) expect(isInBox({ lat: 0, lon: outside }, box)).toBe(false);
  });

  it.each([
    ['north', 89.95, 90],
    ['south', -89.95, -90],
  ])('takes every longitude and stops at the %s pole', (_name, lat, pole) => {
    const box = boundingBox({ lat, lon: 10 }, 10);
    expect(box.lonRanges).toEqual([[-180, 180]]);
    expect(pole > 0 ? box.maxLat : box.minLat).toBe(pole);
    expect(isInBox({ lat, lon: -170 }, box)).toBe(true);
  });

  it.each([0, 24.7, 60, 80, 88, 89, 89.09])('is as wide as the rim at its widest, at latitude %d', (lat) => {
    const rim = Array.from({ length: 36_000 }, (_, step) => travel({ lat, lon: 0 }, step / 100, 100));
    const widestLon = Math.max(...rim.map((place) => place.lon));
    const [, maxLon = Number.NaN] = boundingBox({ lat, lon: 0 }, 100).lonRanges[0] ?? [];
    expect(maxLon).toBeGreaterThanOrEqual(widestLon);
    expect(maxLon).toBeLessThan(widestLon * 1.001);
  });

  it('covers the world when the radius does', () => {
    expect(boundingBox({ lat: 0, lon: 0 }, HALF_TURN_KM)).toEqual({
      minLat: -90,
      maxLat: 90,
      lonRanges: [[-180, 180]],
    });
  });

  const radius = fc.oneof(
    fc.double({ min: 0.1, max: 100, noNaN: true }),
    fc.double({ min: 0, max: 20_100, noNaN: true }),
  );

  it('holds every point within the radius, the rim included', () => {
    fc.assert(
      fc.property(
        point,
        radius,
        fc.double({ min: 0, max: 360, noNaN: true }),
        fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
        (center, radiusKm, bearing, share) => {
          expect(isInBox(travel(center, bearing, radiusKm * share), boundingBox(center, radiusKm))).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('never leaves out a point that distanceKm finds within the radius', () => {
    fc.assert(
      fc.property(point, point, (center, other) => {
        expect(isInBox(other, boundingBox(center, distanceKm(center, other)))).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('stays within legal coordinates and does not grow wild', () => {
    fc.assert(
      fc.property(point, fc.double({ min: 0.1, max: 100, noNaN: true }), (center, radiusKm) => {
        const box = boundingBox(center, radiusKm);
        expect(box.minLat).toBeGreaterThanOrEqual(-90);
        expect(box.maxLat).toBeLessThanOrEqual(90);
        for (const [minLon, maxLon] of box.lonRanges) {
          expect(minLon).toBeGreaterThanOrEqual(-180);
          expect(maxLon).toBeLessThanOrEqual(180);
          expect(minLon).toBeLessThanOrEqual(maxLon);
        }
        if (Math.abs(center.lat) < 60) {
          const widthDegrees = box.lonRanges.reduce((sum, [minLon, maxLon]) => sum + maxLon - minLon, 0);
          expect(widthDegrees).toBeLessThan(((2 * radiusKm) / 111) * 2.1 + 0.01);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('parseLocation', () => {
  it.each([
    [
      { lat: 24.7, lon: 46.7 },
      { lat: 24.7, lon: 46.7 },
    ],
    [
      { lat: 24.7, lon: 46.7, city: 'الرياض' },
      { lat: 24.7, lon: 46.7, city: 'الرياض' },
    ],
    [
      { lat: -90, lon: 180, city: null },
      { lat: -90, lon: 180 },
    ],
    [
      { lat: 90, lon: -180, city: '' },
      { lat: 90, lon: -180, city: '' },
    ],
    [
      { lat: -0, lon: -0 },
      { lat: 0, lon: 0 },
    ],
    [
      { lat: 1, lon: 2, altitude: 600 },
      { lat: 1, lon: 2 },
    ],
  ])('reads %j', (input, location) => {
    expect(parseLocation(input)).toEqual({ ok: true, location });
  });

  it('counts a character outside the basic plane once', () => {
    expect(parseLocation({ lat: 1, lon: 2, city: '🏪'.repeat(500) }).ok).toBe(true);
    expect(parseLocation({ lat: 1, lon: 2, city: '🏪'.repeat(501) }).ok).toBe(false);
  });

  it.each<[string, unknown, string[]]>([
    ['null', null, ['location']],
    ['a string', '24.7,46.7', ['location']],
    ['an array', [24.7, 46.7], ['location']],
    ['nothing inside', {}, ['location.lat', 'location.lon']],
    ['a missing lon', { lat: 1 }, ['location.lon']],
    ['null lat', { lat: null, lon: 1 }, ['location.lat']],
    ['lat as text', { lat: '1', lon: 1 }, ['location.lat']],
    ['lat too far north', { lat: 90.000001, lon: 0 }, ['location.lat']],
    ['lon too far west', { lat: 0, lon: -180.000001 }, ['location.lon']],
    ['numbers past counting', { lat: Number.POSITIVE_INFINITY, lon: Number.NaN }, ['location.lat', 'location.lon']],
    ['a numeric city', { lat: 0, lon: 0, city: 7 }, ['location.city']],
    ['a long city', { lat: 0, lon: 0, city: 'x'.repeat(501) }, ['location.city']],
    ['a city with NUL', { lat: 0, lon: 0, city: 'a\0' }, ['location.city']],
    ['a city with half a character', { lat: 0, lon: 0, city: 'a\ud83c' }, ['location.city']],
    ['everything wrong at once', { lat: 91, city: [] }, ['location.lat', 'location.lon', 'location.city']],
  ])('refuses %s', (_name, input, fields) => {
    const result = parseLocation(input);
    expect(result.ok ? [] : Object.keys(result.errors)).toEqual(fields);
  });

  it('names the field the caller gives', () => {
    expect(parseLocation({ lat: 1 }, 'branches.3.location')).toEqual({
      ok: false,
      errors: { 'branches.3.location.lon': 'is required' },
    });
  });

  it('never throws, and what it accepts it accepts again unchanged', () => {
    const loose = fc.record({ lat: fc.anything(), lon: fc.anything(), city: fc.anything() }, { requiredKeys: [] });
    const valid = point.chain((place) =>
      fc.record({ lat: fc.constant(place.lat), lon: fc.constant(place.lon), city: fc.string() }),
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything(), loose, valid), (input) => {
        const result = parseLocation(input);
        if (result.ok) expect(parseLocation(result.location)).toEqual(result);
        else expect(Object.keys(result.errors).length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });
});
