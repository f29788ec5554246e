import type { WeeklyTable } from '../../platform/database/index.ts';

/** Rewritten once, with what became of it. */
export const STAGING_WEEKS: WeeklyTable = { name: 'staged_payloads', fillPercent: 70 };
