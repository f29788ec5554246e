import type { Platform } from '../../platform/platform.ts';
import { ensureWeeks, weekStart } from '../events/index.ts';

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
      await ensureWeeks(sql, 'webhook_deliveries', now);
      ready = week;
    },
  };
}
