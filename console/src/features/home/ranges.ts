/** The spans that the service knows. */
export const RANGES = ['7d', '30d', '90d', '180d', '1y'] as const;
export type Range = (typeof RANGES)[number];
export const DEFAULT_RANGE: Range = '30d';
