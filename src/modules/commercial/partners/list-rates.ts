import type { Sql } from '../../../platform/database/index.ts';
import { inSnapshot } from '../../../platform/database/index.ts';
import { decimal, fromMinorUnits, sum, toMinorUnits, toText } from '../../../platform/money.ts';
import { readOrganizationNames } from '../../identity/index.ts';
import { apportionPayouts } from './apportion-payouts.ts';
import { listPartnerRows, listTenants, type PartnerPage, type PartnerRow, type TenantRow } from './sql/partners.ts';

/** Amounts are decimal text. */
export type RatedTenant = {
  organizationId: string;
  nameEn: string;
  collectedSar: string;
  commissionSar: string;
  paidSar: string;
  dueSar: string;
};
export type RatedPartner = PartnerRow & { tenants: RatedTenant[] };

/** From one snapshot: with a payout in between, some tenants would show as paid and others not. */
export function listRates(sql: Sql, page: PartnerPage): Promise<RatedPartner[]> {
  return inSnapshot(sql, async (tx) => {
    const partners = await listPartnerRows(tx, page);
    const tenants = await listTenants(
      tx,
      partners.map(({ id }) => id),
    );
    const names = await readOrganizationNames(
      tx,
      tenants.map((tenant) => tenant.organization_id),
    );
    const byPartner = Map.groupBy(tenants, (tenant) => tenant.partner_id);
    return partners.map((partner) => ({ ...partner, tenants: rate(partner, byPartner.get(partner.id) ?? [], names) }));
  });
}

function rate(partner: PartnerRow, tenants: TenantRow[], names: ReadonlyMap<string, string>): RatedTenant[] {
  const earned = tenants.map((tenant) => halalas(tenant.commission_sar));
  const reversed = tenants.map((tenant) => halalas(tenant.reversed_sar));
  const paid = apportionPayouts(halalas(partner.paid_sar), earned, reversed);
  return tenants.map((tenant, index) => ({
    organizationId: tenant.organization_id,
    nameEn: names.get(tenant.organization_id) ?? '',
    collectedSar: tenant.collected_sar,
    commissionSar: tenant.commission_sar,
    paidSar: riyals(paid[index] ?? 0n),
    dueSar: riyals((earned[index] ?? 0n) - (paid[index] ?? 0n)),
  }));
}

/** The sums over all tenants of a partner. */
export function totalsOf({ tenants }: RatedPartner): { commissionSar: string; paidSar: string; dueSar: string } {
  const total = (part: (tenant: RatedTenant) => string) => toText(sum(tenants.map((tenant) => decimal(part(tenant)))));
  return {
    commissionSar: total((tenant) => tenant.commissionSar),
    paidSar: total((tenant) => tenant.paidSar),
    dueSar: total((tenant) => tenant.dueSar),
  };
}

const halalas = (sar: string) => toMinorUnits(decimal(sar), 'SAR');
const riyals = (units: bigint) => toText(fromMinorUnits(units, 'SAR'));
