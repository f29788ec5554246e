import fc from 'fast-check';
import { Unreadable } from '../../platform/inbound/index.ts';
import { amountsDiffer, type Reading } from '../contract.ts';

const NASTY: unknown[] = [
  1e308,
  '1e308',
  '-0.00000000000000000000000000000001',
  '99999-12-31T23:59:59Z',
  '2026-02-31 25:61:61',
  'x'.repeat(10_000),
  '\u0000\ud800',
  'constructor',
  '__proto__',
  JSON.parse('{"__proto__": {"id": 1, "total": "1"}, "constructor": 1}'),
  [],
  {},
  [[]],
  null,
  true,
  0,
  -1,
  '',
];

const hostileValue = fc.oneof(fc.constantFrom(...NASTY), fc.jsonValue({ maxDepth: 2 }));

/** Whatever comes in, and any real payload with one place of it spoilt: it is read, or it is Unreadable. */
export function expectNothingButReadings(read: (payload: unknown) => Reading | undefined, samples: unknown[]): void {
  const check = (payload: unknown) => {
    try {
      const reading = read(payload);
      if (reading?.kind === 'order') amountsDiffer(reading.order, reading.order.currency ?? 'SAR');
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
    }
  };
  fc.assert(fc.property(hostileValue, check), { numRuns: 60 });
  const places = samples.flatMap((sample) => placesIn(sample).map((place) => ({ sample, place })));
  const spoilt = fc.tuple(fc.nat(places.length - 1), hostileValue);
  fc.assert(
    fc.property(spoilt, ([index, value]) => {
      const { sample, place = [] } = places[index] ?? {};
      check(withValueAt(sample, place, value));
    }),
    { numRuns: 250 },
  );
}

type Place = readonly string[];

function placesIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...at, name]))];
}

function withValueAt(whole: unknown, [step, ...rest]: Place, value: unknown): unknown {
  if (step === undefined) return value;
  const copy = (Array.isArray(whole) ? [...whole] : { ...(whole as object) }) as Record<string, unknown>;
  copy[step] = withValueAt(copy[step], rest, value);
  return copy;
}
