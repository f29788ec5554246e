import { deleteOldChanges, inTransaction } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { DASHBOARD_CHANGES } from './sql/dashboard-changes.ts';

/** Keeps the table short that every read of a dashboard searches. */
export async function forgetDashboardChanges({ sql }: Pick<Platform, 'sql'>): Promise<void> {
  await inTransaction(sql, (tx) => deleteOldChanges(tx, DASHBOARD_CHANGES));
}
