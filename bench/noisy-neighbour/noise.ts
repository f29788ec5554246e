import { MANY_STREAMS } from './many-streams.ts';

/** The ways in which one tenant can be loud; each at full force, until it is stopped. */
export const NOISES = [
  'bulk orders with a destination',
  'keyed orders with a destination',
  'wrong passwords',
  'exports that are not read',
  'slow searches',
  'new branches',
  'open streams',
  MANY_STREAMS,
] as const;
export type Noise = (typeof NOISES)[number];

export type NoiseOrder = { baseUrl: string; token: string; branchId: string; noise: Noise } | 'quiet';
export type NoiseReport = { made: Record<string, number> };
