import type { WeeklyTable } from '../../platform/database/index.ts';

/** Most deliveries are written once. One that was queued is rewritten with its outcome: the free space is for those. */
export const DELIVERY_WEEKS: WeeklyTable = { name: 'webhook_deliveries', fillPercent: 75 };
