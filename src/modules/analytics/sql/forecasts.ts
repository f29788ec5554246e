import type { Tx } from '../../../platform/database/index.ts';

/** Columns of `forecasts` that the thread computes, each with its type in the JSON it writes. */
const COMPUTED_COLUMNS = {
  branch_id: 'uuid',
  sku_updated: 'timestamptz',
  first_day: 'date',
  history_until: 'date',
  history_days: 'int',
  method: 'text',
  demand_class: 'text',
  qty: 'real[]',
  lo: 'real[]',
  hi: 'real[]',
  stockout_chances: 'real[]',
  weekday_profile: 'real[]',
  wape: 'real',
  mase: 'real',
  current_qty: 'numeric',
  reorder_threshold: 'numeric',
  buffer: 'numeric',
  lead_time_days: 'int',
  service_level: 'real',
  reorder_point: 'real',
  days_of_cover: 'real',
  days_of_cover_p10: 'real',
  suggested_order_date: 'date',
  suggested_order_qty: 'real',
  explanation_en: 'text',
  explanation_ar: 'text',
  used_before: 'real[]',
};
/** Use over ranges of days, one array in the JSON and a column each in the table, by which pages are sorted. */
const USED_COLUMNS = ['used_7', 'used_30', 'used_90', 'used_180', 'used_365'];

const names = Object.keys(COMPUTED_COLUMNS);
const types = Object.entries(COMPUTED_COLUMNS).map(([name, type]) => `${name} ${type}`);
const stored = ['pass', 'computed_at', ...names, ...USED_COLUMNS];

const SAVE_FORECASTS = `
  insert into forecasts (organization_id, sku_iv_id, ${stored.join(', ')})
  select $1, r.sku, $2, $3, ${names.map((name) => `r.${name}`).join(', ')},
    ${USED_COLUMNS.map((_, index) => `r.used[${index + 1}]`).join(', ')}
  from json_to_recordset($4::text::json) as r (sku text, used real[], ${types.join(', ')})
  where exists (select from skus s where s.organization_id = $1 and s.iv_id = r.sku)
  order by r.sku
  on conflict (organization_id, sku_iv_id) do update set
    ${stored.map((name) => `${name} = excluded.${name}`).join(', ')}`;

/**
 * Replaces the forecasts of a page of SKUs. `rows` is the JSON that the thread has written: 360 numbers a SKU, which this
 * process neither parses nor writes. A SKU that was deleted in the meantime gets no forecast.
 */
export async function saveForecasts(
  tx: Tx,
  organizationId: string,
  { rows, pass, now }: { rows: string; pass: number; now: Date },
): Promise<void> {
  await tx.unsafe(SAVE_FORECASTS, [organizationId, pass, now, rows]);
}

/** Deletes forecasts that this pass did not write: the SKU is gone, or has not sold within the longest history in use. */
export async function deleteForecastsOfEarlierPasses(tx: Tx, organizationId: string, pass: number): Promise<number> {
  const removed = await tx`delete from forecasts where organization_id = ${organizationId} and pass < ${pass}`;
  return removed.count;
}
