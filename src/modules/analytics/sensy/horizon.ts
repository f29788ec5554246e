import { Type } from 'typebox';

export const DEFAULT_HORIZON_DAYS = 14;
export const MAX_HORIZON_DAYS = 90;

/** A value that is not a positive number means 14, one above 90 means 90; none is an error. Of several the first counts. */
export function readHorizon(raw: unknown): number {
  const first: unknown = Array.isArray(raw) ? raw[0] : raw;
  const text = String(first ?? '');
  const days = /^\d+$/.test(text) ? Number(text) : 0;
  return days > 0 ? Math.min(days, MAX_HORIZON_DAYS) : DEFAULT_HORIZON_DAYS;
}

/** Accepts any value, also repeated: no value is rejected. */
export const HorizonQuery = Type.Optional(
  Type.Union([Type.String(), Type.Array(Type.String())], {
    describedAs: { type: 'integer', minimum: 1, maximum: MAX_HORIZON_DAYS, default: DEFAULT_HORIZON_DAYS },
    description: `Days ahead, ${DEFAULT_HORIZON_DAYS} by default, at most ${MAX_HORIZON_DAYS}. A value that is not a positive number counts as ${DEFAULT_HORIZON_DAYS}`,
    examples: [28],
  }),
);
