import fc from 'fast-check';
import { expect } from 'vitest';
import { Unreadable } from '../../platform/inbound/index.ts';
import type { Channel, StagedCall } from '../contract.ts';
import { callOf, RIYADH } from './calls.ts';

const ODD_VALUES: unknown[] = [
  null,
  '',
  'free',
  -1,
  1e308,
  '1e308',
  '9'.repeat(400),
  '0.000000000000000000000000001',
  '99999-12-31T23:59:59Z',
  '2026-02-31 25:61:61',
  'x'.repeat(10_000),
  '\u0000\ud800',
  true,
  [],
  [[[]]],
  {},
  { toString: 1, valueOf: 2 },
  JSON.parse('{"__proto__": {"id": 1}, "constructor": 5}'),
];

/**
 * Any JSON, a payload with something odd in each of its places, and one with two things exchanged at once: a Reading or
 * Unreadable; nothing else is thrown.
 */
export function readsAnything(
  channel: Channel,
  payloads: readonly unknown[],
  calls: readonly Partial<StagedCall>[],
): void {
  const isRead = (payload: unknown, call: Partial<StagedCall>) => {
    try {
      return KINDS.has(channel.read(callOf(payload, call), RIYADH).kind);
    } catch (error) {
      if (error instanceof Unreadable) return true;
      throw error;
    }
  };
  // By the first of the calls alone: what the others add is their path, and chance comes by them below.
  const misread = payloads.flatMap((payload) =>
    Array.from({ length: placesIn(payload) }, (_, place) => ODD_VALUES.map((odd) => replaced(payload, place, odd)))
      .flat()
      .filter((odd) => !isRead(odd, calls[0] ?? {})),
  );
  expect(misread).toEqual([]);
  const change = fc.tuple(fc.nat(), fc.oneof(fc.constantFrom(...ODD_VALUES), fc.jsonValue()));
  const hostile = fc.oneof(
    fc.jsonValue(),
    fc
      .tuple(fc.constantFrom(...payloads), change, change)
      .map(([payload, ...changes]) =>
        changes.reduce((changed, [place, odd]) => replaced(changed, place, odd), payload),
      ),
  );
  fc.assert(fc.property(hostile, fc.constantFrom(...calls), isRead), { numRuns: 200 });
}

const KINDS: ReadonlySet<string> = new Set(['order', 'change', 'fetch', 'ignored']);

/** The payload with the value at the place-th of all its places exchanged. */
function replaced(payload: unknown, place: number, odd: unknown): unknown {
  const count = placesIn(payload);
  let left = place % count;
  const walk = (value: unknown): unknown => {
    if (left-- === 0) return odd;
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, walk(inner)]));
  };
  return walk(payload);
}

function placesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((count: number, inner) => count + placesIn(inner), 1);
}
