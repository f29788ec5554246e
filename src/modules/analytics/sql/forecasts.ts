import type { Tx } from '../../../platform/database/index.ts';

/**
 * Replaces the forecasts of a page of SKUs. `rows` is the JSON that the thread has written: 360 numbers a SKU, which this
 * process neither reads nor writes. A SKU that has gone meanwhile gets none.
 */
export async function saveForecasts(
  tx: Tx,
  organizationId: string,
  { rows, pass, now }: { rows: string; pass: number; now: Date },
): Promise<void> {
  await tx`
    insert into forecasts (
      organization_id, sku_iv_id, branch_id, sku_updated, pass, computed_at, first_day, history_until, history_days, method,
      demand_class, qty, lo, hi, stockout_chances, weekday_profile, wape, mase, current_qty, reorder_threshold, buffer,
      lead_time_days, service_level, reorder_point, days_of_cover, days_of_cover_p10, suggested_order_date,
      suggested_order_qty, explanation_en, explanation_ar, used_7, used_30, used_90, used_180, used_365, used_before)
    select ${organizationId}, r.sku, r.branch_id, r.sku_updated, ${pass}, ${now}, r.first_day, r.history_until, r.history_days,
      r.method, r.demand_class, r.qty, r.lo, r.hi, r.stockout_chances, r.weekday_profile, r.wape, r.mase, r.current_qty,
      r.reorder_threshold, r.buffer, r.lead_time_days, r.service_level, r.reorder_point, r.days_of_cover,
      r.days_of_cover_p10, r.suggested_order_date, r.suggested_order_qty, r.explanation_en, r.explanation_ar,
      r.used[1], r.used[2], r.used[3], r.used[4], r.used[5], r.used_before
    from json_to_recordset(${rows}::text::json) as r (
      sku text, branch_id uuid, sku_updated timestamptz, first_day date, history_until date, history_days int, method text,
      demand_class text, qty real[], lo real[], hi real[], stockout_chances real[], weekday_profile real[], wape real,
      mase real, current_qty numeric, reorder_threshold numeric, buffer numeric, lead_time_days int, service_level real,
      reorder_point real, days_of_cover real, days_of_cover_p10 real, suggested_order_date date, suggested_order_qty real,
      explanation_en text, explanation_ar text, used real[], used_before real[])
    where exists (select from skus s where s.organization_id = ${organizationId} and s.iv_id = r.sku)
    order by r.sku
    on conflict (organization_id, sku_iv_id) do update set
      branch_id = excluded.branch_id, sku_updated = excluded.sku_updated, pass = excluded.pass, computed_at = excluded.computed_at,
      first_day = excluded.first_day, history_until = excluded.history_until, history_days = excluded.history_days,
      method = excluded.method, demand_class = excluded.demand_class, qty = excluded.qty, lo = excluded.lo,
      hi = excluded.hi, stockout_chances = excluded.stockout_chances, weekday_profile = excluded.weekday_profile,
      wape = excluded.wape, mase = excluded.mase, current_qty = excluded.current_qty,
      reorder_threshold = excluded.reorder_threshold, buffer = excluded.buffer, lead_time_days = excluded.lead_time_days,
      service_level = excluded.service_level, reorder_point = excluded.reorder_point,
      days_of_cover = excluded.days_of_cover, days_of_cover_p10 = excluded.days_of_cover_p10,
      suggested_order_date = excluded.suggested_order_date, suggested_order_qty = excluded.suggested_order_qty,
      explanation_en = excluded.explanation_en, explanation_ar = excluded.explanation_ar, used_7 = excluded.used_7,
      used_30 = excluded.used_30, used_90 = excluded.used_90, used_180 = excluded.used_180, used_365 = excluded.used_365,
      used_before = excluded.used_before`;
}

/** Those that this pass has not made anew: their SKU is gone, or has not sold for longer than anybody looks back. */
export async function deleteForecastsOfEarlierPasses(tx: Tx, organizationId: string, pass: number): Promise<number> {
  const removed = await tx`delete from forecasts where organization_id = ${organizationId} and pass < ${pass}`;
  return removed.count;
}
