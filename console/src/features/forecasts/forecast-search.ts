export const TABS = ['order', 'consumption', 'upload'] as const;
export type Tab = (typeof TABS)[number];
export const RANGES = ['7', '30', '90'] as const;
export type Range = (typeof RANGES)[number];

export type ForecastsSearch = { tab?: Tab; search?: string; branch?: string; range?: Range; page?: number };

export const PER_PAGE = 25;
