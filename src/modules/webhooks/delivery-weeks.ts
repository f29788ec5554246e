import { ensureWeeks, type WeeklyTable, weekStart } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';

/** A delivery is rewritten once with its outcome: at 45 a quarter of the rows had to move to another page. */
export const DELIVERY_WEEKS: WeeklyTable = { name: 'webhook_deliveries', fillPercent: 38 };

export type DeliveryWeeks = { ensure(): Promise<void> };

/**
 * The log is kept by weeks, and a row can only be written into a week that is there. Made hours ahead as a rule; asked
 * for before every first write of a week all the same, in case no worker was up to make it.
 */
export function createDeliveryWeeks({ sql, clock }: Platform): DeliveryWeeks {
  let ready = '';
  return {
    async ensure() {
      const now = clock.now();
      const week = weekStart(now).toISOString();
      if (week === ready) return;
      await ensureWeeks(sql, DELIVERY_WEEKS, now);
      ready = week;
    },
  };
}
