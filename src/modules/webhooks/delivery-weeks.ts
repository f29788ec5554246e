import type { WeeklyTable } from '../../platform/database/index.ts';

/** A delivery is rewritten once with its outcome: at 45 a quarter of the rows had to move to another page. */
export const DELIVERY_WEEKS: WeeklyTable = { name: 'webhook_deliveries', fillPercent: 75 };
