import type { Clock } from '../../../platform/clock.ts';
import { inTransaction, type Sql } from '../../../platform/database/index.ts';
import { changedFields, recordAudit } from '../../audit/index.ts';
import type { Tenant } from '../../identity/index.ts';
import {
  DEFAULT_FORECAST_SETTINGS,
  type ForecastSettings,
  lockForecastSettings,
  updateForecastSettings,
} from '../sql/forecast-settings.ts';
import { noteChange } from '../sql/forecast-states.ts';
import type { ForecastSettingsChangeShape } from './schema.ts';

const FIELDS = Object.keys(DEFAULT_FORECAST_SETTINGS) as (keyof ForecastSettings)[];

/** Absent fields keep their value. Forecasts are refreshed only when a value changes. */
export function changeForecastSettings(
  sql: Sql,
  clock: Clock,
  { organizationId, actor }: Pick<Tenant, 'organizationId' | 'actor'>,
  change: ForecastSettingsChangeShape,
): Promise<ForecastSettings> {
  return inTransaction(sql, async (tx) => {
    const now = clock.now();
    const before = await lockForecastSettings(tx, organizationId, now);
    const after = { ...before };
    for (const field of FIELDS) after[field] = change[field] ?? before[field];
    const fields = changedFields(FIELDS, before, after);
    if (fields.length === 0) return after;
    await updateForecastSettings(tx, organizationId, after, now);
    await noteChange(tx, organizationId);
    const entry = { action: 'update', resource: 'Analytics', resourceId: organizationId, changedFields: fields };
    await recordAudit(tx, organizationId, actor, [entry], now);
    return after;
  });
}
