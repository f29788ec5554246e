import type { Queryable, Tx } from '../../../../platform/database/index.ts';

/** Amounts are decimal text. */
export type PartnerRow = {
  id: string;
  name: string;
  erp: string;
  rate_percent: string;
  paid_sar: string;
  created: Date;
  updated: Date;
};
export type PartnerPage = { limit: number; after?: string | undefined };

const columns = (sql: Queryable) => sql`id, name, erp, rate_percent::text, paid_sar::text, created, updated`;

/** In the order in which they were made. */
export function listPartnerRows(sql: Queryable, { limit, after }: PartnerPage): Promise<PartnerRow[]> {
  return sql<PartnerRow[]>`
    select ${columns(sql)} from partners
    where ${after === undefined ? sql`true` : sql`id > ${after}`} order by id limit ${limit}`;
}

export async function countPartners(sql: Queryable): Promise<number> {
  const [row] = await sql<{ total: number }[]>`select count(*) as total from partners`;
  return row?.total ?? 0;
}

export async function insertPartner(tx: Tx, partner: PartnerRow): Promise<void> {
  await tx`insert into partners ${tx(partner)}`;
}

/** Locks the partner: one payout or change of the rate at a time. */
export async function lockPartner(tx: Tx, id: string): Promise<PartnerRow | undefined> {
  const [row] = await tx<PartnerRow[]>`select ${columns(tx)} from partners where id = ${id} for no key update`;
  return row;
}

export async function updateRate(tx: Tx, id: string, ratePercent: string, now: Date): Promise<void> {
  await tx`update partners set rate_percent = ${ratePercent}, updated = ${now} where id = ${id}`;
}

export async function updatePartner(tx: Tx, { id, name, erp, rate_percent, updated }: PartnerRow): Promise<void> {
  await tx`update partners set ${tx({ name, erp, rate_percent, updated })} where id = ${id}`;
}

export async function addToPaid(tx: Tx, id: string, amountSar: string): Promise<void> {
  await tx`update partners set paid_sar = paid_sar + ${amountSar}::numeric where id = ${id}`;
}

export type TenantRow = {
  organization_id: string;
  partner_id: string;
  is_current: boolean;
  collected_sar: string;
  commission_sar: string;
  reversed_sar: string;
};

/** Net of refunds. Former tenants are listed as long as they have earned something, refunded since or not. */
export function listTenants(sql: Queryable, partnerIds: readonly string[]): Promise<TenantRow[]> {
  return sql<TenantRow[]>`
    select organization_id, partner_id, is_current, collected_sar::text, commission_sar::text, reversed_sar::text
    from partner_tenants
    where partner_id = any(${[...partnerIds]}::uuid[]) and (is_current or collected_sar > 0 or reversed_sar > 0)
    order by partner_id, created, organization_id`;
}

export async function countTenants(tx: Tx, partnerId: string): Promise<number> {
  const [row] = await tx<{ total: number }[]>`
    select count(*) as total from partner_tenants where partner_id = ${partnerId}`;
  return row?.total ?? 0;
}

/** Everything that its tenants have earned a partner, net of refunds. */
export async function sumCommission(tx: Tx, partnerId: string): Promise<string> {
  const [row] = await tx<{ earned: string }[]>`
    select coalesce(sum(commission_sar), 0)::text as earned from partner_tenants where partner_id = ${partnerId}`;
  return row?.earned ?? '0';
}

export async function findCurrentPartner(sql: Queryable, organizationId: string): Promise<string | undefined> {
  const [row] = await sql<{ partner_id: string }[]>`
    select partner_id from partner_tenants where organization_id = ${organizationId} and is_current`;
  return row?.partner_id;
}

export async function endTenancy(tx: Tx, organizationId: string): Promise<void> {
  await tx`update partner_tenants set is_current = false where organization_id = ${organizationId} and is_current`;
}

/** A tenant that returns to a former partner continues its earlier sums. */
export async function beginTenancy(tx: Tx, organizationId: string, partnerId: string, now: Date): Promise<void> {
  await tx`
    insert into partner_tenants (organization_id, partner_id, created) values (${organizationId}, ${partnerId}, ${now})
    on conflict (organization_id, partner_id) do update set is_current = true`;
}

export type Collected = { organizationId: string; paymentId: string; totalSar: string; now: Date };

/** At the current rate. A payment has one accrual at most; a payment of an organization without a partner has none. */
export async function insertAccrual(tx: Tx, { organizationId, paymentId, totalSar, now }: Collected): Promise<void> {
  await tx`
    with made as (
      insert into commission_accruals (organization_id, payment_id, partner_id, rate_percent, collected_sar,
                                       commission_sar, created)
      select t.organization_id, ${paymentId}::uuid, t.partner_id, p.rate_percent, ${totalSar}::numeric,
             round(${totalSar}::numeric * p.rate_percent / 100, 2), ${now}::timestamptz
      from partner_tenants t join partners p on p.id = t.partner_id
      where t.organization_id = ${organizationId} and t.is_current
      on conflict do nothing
      returning organization_id, partner_id, collected_sar, commission_sar)
    update partner_tenants t
    set collected_sar = t.collected_sar + made.collected_sar, commission_sar = t.commission_sar + made.commission_sar
    from made where t.organization_id = made.organization_id and t.partner_id = made.partner_id`;
}
