import { Type } from 'typebox';

export const DEFAULT_RANGE_DAYS = 30;

const DAYS = { '7': 7, '30': 30, '90': 90, '180': 180, '365': 365 } as const;
const SPELLINGS = new Map<string, RangeDays>([
  ...Object.entries(DAYS).flatMap(([word, days]): [string, RangeDays][] => [
    [word, days],
    [`${word}d`, days],
  ]),
  ['1y', 365],
]);

export type RangeDays = (typeof DAYS)[keyof typeof DAYS];

/**
 * The number of days, today included. Only the specified spellings are recognized; any other value (8, 7D, blanks, nothing)
 * means 30 and is not an error. Of a repeated parameter the first value counts.
 */
export function readRangeDays(raw: unknown): RangeDays {
  const first: unknown = Array.isArray(raw) ? raw[0] : raw;
  return SPELLINGS.get(String(first ?? '')) ?? DEFAULT_RANGE_DAYS;
}

/** Accepts any value, also repeated: no value is rejected. */
export const RangeQuery = Type.Optional(
  Type.Union([Type.String(), Type.Array(Type.String())], {
    describedAs: { type: 'string' },
    description:
      'Days back, today included: 7 or 7d, 30 or 30d, 90 or 90d, 180 or 180d, 1y or 365 or 365d. Anything else is 30',
    examples: ['90d'],
  }),
);
