export type Random = {
  /** From 0 up to 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(min: number, max: number): number;
  chance(probability: number): boolean;
};

/** The same seed gives the same shop everywhere (mulberry32: 32 bits of state are plenty for word lists). */
export function seededRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
  };
}
