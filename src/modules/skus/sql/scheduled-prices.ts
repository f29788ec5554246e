import type { Queryable, Tx } from '../../../platform/database/index.ts';
import { offsetOf, type Paging } from '../../../platform/http/paging.ts';

export type ScheduleStatus = 'scheduled' | 'active' | 'ended';
export type PriceSchedule = {
  organization_id: string;
  id: string;
  price: number | null;
  percent: number | null;
  starts_at: Date;
  ends_at: Date | null;
  status: ScheduleStatus;
  created: Date;
};
export type ListedSchedule = PriceSchedule & { skus: number; first_sku_iv_ids: string[] };

const SHOWN_SKUS = 5;

export type LockedSku = { iv_id: string; product_id: string; branch_id: string };

/** Locked in the order of every writer of SKUs, so that two schedules of one SKU are made one after the other. */
export function lockScheduledSkus(tx: Tx, organizationId: string, ivIds: readonly string[]): Promise<LockedSku[]> {
  return tx<LockedSku[]>`
    select iv_id, product_id, branch_id from skus
    where organization_id = ${organizationId} and iv_id = any(${[...ivIds]}::text[])
    order by product_id, branch_id for no key update`;
}

/** SKUs with another schedule in the period that has not ended. Needs the locks of the SKUs. */
export async function findOverlaps(
  tx: Tx,
  organizationId: string,
  skus: readonly LockedSku[],
  { startsAt, endsAt }: { startsAt: Date; endsAt: Date | null },
): Promise<string[]> {
  const rows = await tx<{ product_id: string; branch_id: string }[]>`
    select distinct k.product_id, k.branch_id
    from unnest(${skus.map((sku) => sku.product_id)}::uuid[], ${skus.map((sku) => sku.branch_id)}::uuid[])
      as wanted (product_id, branch_id)
    join price_schedule_skus k on k.organization_id = ${organizationId} and k.product_id = wanted.product_id
      and k.branch_id = wanted.branch_id
    join price_schedules p on p.organization_id = k.organization_id and p.id = k.schedule_id
    where p.status <> 'ended'
      and tstzrange(p.starts_at, p.ends_at) && tstzrange(${startsAt}, ${endsAt}::timestamptz)`;
  const found = new Set(rows.map((row) => row.product_id + row.branch_id));
  return skus.filter((sku) => found.has(sku.product_id + sku.branch_id)).map((sku) => sku.iv_id);
}

export async function insertSchedule(tx: Tx, schedule: PriceSchedule, skus: readonly LockedSku[]): Promise<void> {
  const { organization_id, id, price, percent, starts_at, ends_at, status, created } = schedule;
  await tx`
    insert into price_schedules (organization_id, id, price, percent, starts_at, ends_at, status, created)
    values (${organization_id}, ${id}, ${price}, ${percent}, ${starts_at}, ${ends_at}, ${status}, ${created})`;
  await tx`
    insert into price_schedule_skus (organization_id, schedule_id, product_id, branch_id)
    select ${organization_id}, ${id}, product_id, branch_id
    from unnest(${skus.map((sku) => sku.product_id)}::uuid[], ${skus.map((sku) => sku.branch_id)}::uuid[])
      as new (product_id, branch_id)`;
}

export async function listSchedules(
  sql: Queryable,
  organizationId: string,
  status: ScheduleStatus | undefined,
  paging: Paging,
): Promise<{ rows: ListedSchedule[]; total: number }> {
  const ofStatus = status === undefined ? sql`` : sql`and status = ${status}`;
  const [counted] = await sql<{ total: number }[]>`
    select count(*) as total from price_schedules where organization_id = ${organizationId} ${ofStatus}`;
  const rows = await sql<ListedSchedule[]>`
    select p.*, k.skus, k.first_sku_iv_ids
    from (
      select * from price_schedules where organization_id = ${organizationId} ${ofStatus}
      order by starts_at desc, id desc limit ${paging.limit} offset ${offsetOf(paging)}) p
    cross join lateral (
      select count(*) as skus, coalesce((array_agg(s.iv_id order by s.iv_id))[1:${SHOWN_SKUS}], '{}') as first_sku_iv_ids
      from price_schedule_skus k
      join skus s on s.organization_id = k.organization_id and s.product_id = k.product_id and s.branch_id = k.branch_id
      where k.organization_id = p.organization_id and k.schedule_id = p.id) k
    order by p.starts_at desc, p.id desc`;
  return { rows, total: counted?.total ?? 0 };
}

export async function lockSchedule(tx: Tx, organizationId: string, id: string): Promise<PriceSchedule | undefined> {
  const [row] = await tx<PriceSchedule[]>`
    select * from price_schedules where organization_id = ${organizationId} and id = ${id} for update`;
  return row;
}

/**
 * The next schedule that has to start or end. Others that process one already are passed over, and so is one whose SKUs have an earlier schedule
 * that has not ended: where one ends as the next starts, both are due at once, and the next would take the first one's prices for those before.
 */
export async function lockDueSchedule(tx: Tx, now: Date): Promise<PriceSchedule | undefined> {
  const [row] = await tx<PriceSchedule[]>`
    select * from price_schedules p
    where status <> 'ended' and (case status when 'scheduled' then starts_at else ends_at end) <= ${now}
      and (status = 'active' or not exists (
        select from price_schedule_skus k
        join price_schedule_skus other on other.organization_id = k.organization_id and other.product_id = k.product_id
          and other.branch_id = k.branch_id and other.schedule_id <> k.schedule_id
        join price_schedules earlier on earlier.organization_id = other.organization_id and earlier.id = other.schedule_id
        where k.organization_id = p.organization_id and k.schedule_id = p.id
          and earlier.status <> 'ended' and earlier.starts_at < p.starts_at))
    order by (case status when 'scheduled' then starts_at else ends_at end) limit 1
    for update of p skip locked`;
  return row;
}

/** Sets the prices of a schedule, at most `maxPrice`, and notes those before. `digits` of the currency round a percentage. */
export async function startPrices(
  tx: Tx,
  schedule: PriceSchedule,
  { digits, maxPrice }: { digits: number; maxPrice: number },
  now: Date,
): Promise<number> {
  const { organization_id, id, price, percent } = schedule;
  const changed = await tx`
    with locked as materialized (
      select s.organization_id, s.product_id, s.branch_id, s.price,
             coalesce(${price}::numeric, least(${maxPrice}::numeric,
               round(coalesce(s.price, p.average_price) * (100 + ${percent}::numeric) / 100, ${digits}))) as price_set
      from price_schedule_skus k
      join skus s on s.organization_id = k.organization_id and s.product_id = k.product_id and s.branch_id = k.branch_id
      join products p on p.organization_id = s.organization_id and p.id = s.product_id
      where k.organization_id = ${organization_id} and k.schedule_id = ${id}
      order by s.product_id, s.branch_id for no key update of s
    ), changed as (
      update skus s set price = locked.price_set, updated = ${now} from locked
      where s.organization_id = locked.organization_id and s.product_id = locked.product_id
        and s.branch_id = locked.branch_id)
    update price_schedule_skus k set price_before = locked.price, price_set = locked.price_set from locked
    where k.organization_id = locked.organization_id and k.product_id = locked.product_id
      and k.branch_id = locked.branch_id and k.schedule_id = ${id}`;
  return changed.count;
}

/** Restores the prices before. One that was changed by hand meanwhile stays as it is. */
export async function endPrices(tx: Tx, { organization_id, id }: PriceSchedule, now: Date): Promise<number> {
  const changed = await tx`
    with locked as materialized (
      select s.organization_id, s.product_id, s.branch_id, s.price, k.price_before, k.price_set
      from price_schedule_skus k
      join skus s on s.organization_id = k.organization_id and s.product_id = k.product_id and s.branch_id = k.branch_id
      where k.organization_id = ${organization_id} and k.schedule_id = ${id}
      order by s.product_id, s.branch_id for no key update of s)
    update skus s set price = locked.price_before, updated = ${now} from locked
    where s.organization_id = locked.organization_id and s.product_id = locked.product_id
      and s.branch_id = locked.branch_id and locked.price is not distinct from locked.price_set`;
  return changed.count;
}

export async function setStatus(tx: Tx, schedule: PriceSchedule, status: ScheduleStatus): Promise<void> {
  await tx`
    update price_schedules set status = ${status}
    where organization_id = ${schedule.organization_id} and id = ${schedule.id}`;
}

export async function deleteSchedule(tx: Tx, { organization_id, id }: PriceSchedule): Promise<void> {
  await tx`delete from price_schedules where organization_id = ${organization_id} and id = ${id}`;
}
