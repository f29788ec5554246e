import type { Queryable, Tx } from '../../../platform/database/index.ts';

export type ForecastSettings = {
  lead_time_days: number;
  service_level: number;
  reorder_threshold: number;
  buffer: number;
};

export const DEFAULT_FORECAST_SETTINGS: ForecastSettings = {
  lead_time_days: 7,
  service_level: 0.95,
  reorder_threshold: 0,
  buffer: 0,
};

export async function readForecastSettings(sql: Queryable, organizationId: string): Promise<ForecastSettings> {
  const [row] = await sql<ForecastSettings[]>`
    select lead_time_days, service_level, reorder_threshold, buffer from forecast_settings
    where organization_id = ${organizationId}`;
  return row ?? DEFAULT_FORECAST_SETTINGS;
}

/** Makes the row where there is none, so that two who change it at once come one after the other. */
export async function lockForecastSettings(tx: Tx, organizationId: string, now: Date): Promise<ForecastSettings> {
  await tx`
    insert into forecast_settings (organization_id, updated) values (${organizationId}, ${now}) on conflict do nothing`;
  const [row] = await tx<[ForecastSettings]>`
    select lead_time_days, service_level, reorder_threshold, buffer from forecast_settings
    where organization_id = ${organizationId} for update`;
  return row;
}

export async function updateForecastSettings(
  tx: Tx,
  organizationId: string,
  settings: ForecastSettings,
  now: Date,
): Promise<void> {
  await tx`
    update forecast_settings
    set lead_time_days = ${settings.lead_time_days}, service_level = ${settings.service_level},
        reorder_threshold = ${settings.reorder_threshold}, buffer = ${settings.buffer}, updated = ${now}
    where organization_id = ${organizationId}`;
}
