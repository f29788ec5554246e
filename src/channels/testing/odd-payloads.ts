import fc from 'fast-check';
import { Unreadable } from '../../platform/inbound/index.ts';
import { amountsDiffer, type ParsedPayload } from '../contract.ts';
import { exactJson } from './calls.ts';

/** Values that have broken parsers before. */
const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  5e-324,
  9_007_199_254_740_993n,
  '',
  ' ',
  'free',
  '-1e308',
  '9'.repeat(400),
  '-0.00000000000000000000000000000001',
  '99999-12-31T23:59:59Z',
  '2026-02-31 25:61:61',
  '0000-00-00 00:00:00',
  'x'.repeat(10_000),
  '\u0000\ud800',
  'constructor',
  '__proto__',
  [],
  [[[]]],
  {},
  { toString: 1, valueOf: 2 },
  JSON.parse('{"__proto__": {"id": 1, "status": "paid", "total": "1"}, "constructor": {"prototype": null}}'),
];

const anOddValue = fc.oneof(fc.constantFrom(...ODD_VALUES), fc.jsonValue({ maxDepth: 2 }));

/** Arbitrary JSON, or one of the payloads with one or two values replaced. */
export function oddPayloads(...payloads: readonly unknown[]): fc.Arbitrary<unknown> {
  const change = fc.tuple(fc.nat(), anOddValue);
  const changed = fc
    .tuple(fc.constantFrom(...payloads), fc.array(change, { minLength: 1, maxLength: 2 }))
    .map(([payload, changes]) => changes.reduce((whole, [nth, odd]) => withOddAt(whole, nth, odd), payload));
  return fc.oneof({ weight: 1, arbitrary: anOddValue }, { weight: 5, arbitrary: changed });
}

/**
 * Checks that any input is parsed or throws Unreadable and nothing else: the first payload with every odd value in every position,
 * and random variants of all. The amounts of any parsed order can be summed.
 */
export function readsAnything(read: (body: string) => ParsedPayload | undefined, payloads: readonly unknown[]): void {
  const check = (body: string) => {
    try {
      const reading = read(body);
      if (reading?.kind === 'order') amountsDiffer(reading.order, reading.order.currency ?? 'SAR');
      if (!KINDS.has(reading?.kind)) throw new Error(`${reading?.kind} is no reading`);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
    }
  };
  const first = withoutRepeats(payloads[0]);
  for (let place = 0; place < placesIn(first); place += 1) {
    const [before = '', after = ''] = exactJson(withOddAt(first, place, HERE)).split(`"${HERE}"`);
    for (const odd of ODD_TEXTS) check(before + odd + after);
  }
  fc.assert(fc.property(oddPayloads(...payloads).map(exactJson), check), { numRuns: 150 });
}

const HERE = 'something odd is here';
const ODD_TEXTS = [...ODD_VALUES.map(exactJson), '', 'no JSON'];
const KINDS: ReadonlySet<string | undefined> = new Set(['order', 'change', 'fetch', 'ignored']);

/** Elements of a list are parsed by the same code: later elements are left to the random variants. */
function withoutRepeats(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, 1).map(withoutRepeats);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutRepeats(inner)]));
}

/** The payload with the value at its nth position replaced; positions wrap around. */
function withOddAt(payload: unknown, nth: number, odd: unknown): unknown {
  let left = nth % placesIn(payload);
  const walk = (value: unknown): unknown => {
    if (left-- === 0) return odd;
    if (left < 0 || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(walk);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner)]));
  };
  return walk(payload);
}

function placesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((count: number, inner) => count + placesIn(inner), 1);
}
