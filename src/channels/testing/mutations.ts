import fc from 'fast-check';
import { Unreadable } from '../../platform/inbound/index.ts';
import { type Channel, type Reading, readerOfCall } from '../contract.ts';
import { callOf, RIYADH } from './calls.ts';

/** What has broken somebody's parser before. */
const NASTY: readonly unknown[] = [
  1e308,
  -1e308,
  5e-324,
  9_007_199_254_740_993n,
  Number.MAX_SAFE_INTEGER,
  -1,
  0,
  '',
  ' ',
  'NaN',
  '1e999',
  '99999-12-31T00:00:00Z',
  '2026-02-31 10:00:00',
  '0000-00-00 00:00:00',
  'x'.repeat(10_000),
  '\u0000\ud800',
  true,
  null,
  [],
  {},
  [[]],
  { amount: 'free' },
  JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": null}}'),
];

/** A payload with one place of it, any place, turned into something else. */
export function mutationsOf(payload: unknown): fc.Arbitrary<unknown> {
  const places = placesIn(payload);
  return fc
    .tuple(fc.constantFrom(...places), fc.oneof(fc.constantFrom(...NASTY), fc.jsonValue()))
    .map(([steps, value]) => replaced(payload, steps, value));
}

/** Whatever comes, the answer is a reading, or that it cannot be read. */
export function readsOrSaysWhy(
  channel: Pick<Channel, 'read'>,
  body: unknown,
  headers: Record<string, string> = {},
): Reading | undefined {
  try {
    return channel.read(callOf(body, { headers }), RIYADH);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** The channel as it reads what its vendor answers. */
export function orderReader(channel: Channel): Pick<Channel, 'read'> {
  return {
    read(call, context) {
      if (channel.readOrder === undefined) throw new Error('reads no orders');
      return channel.readOrder(readerOfCall(call), context);
    },
  };
}

function placesIn(value: unknown, steps: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [steps];
  return [steps, ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...steps, name]))];
}

function replaced(value: unknown, [step, ...rest]: readonly string[], by: unknown): unknown {
  if (step === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[step] = replaced(copy[step], rest, by);
  return copy;
}
