import { expect } from 'vitest';
import { type Call, commercialAccount, testOrganization, testShop } from '../../../../../test/harness/index.ts';
import { inTransaction } from '../../../../platform/database/index.ts';
import { newId } from '../../../../platform/ids.ts';
import { SYSTEM_ACTOR } from '../../../audit/index.ts';
import { accrueCommission, attachTenant, createPartner, savePayee } from '../index.ts';

export const PAYOUTS = '/commercial/partner-commissions';
export const NO_USER = '00000000-0000-0000-0000-000000000000';
export const now = () => new Date();

export type PartnerFixture = Awaited<ReturnType<typeof startPartners>>;

/** An operator account, and functions that create partners, tenants, their payments and payees. */
export async function startPartners() {
  const { service, shop, ask } = await testShop();
  const { sql, platform } = service;
  const operator = await commercialAccount(sql);
  const asked = (target: string, options: Call = {}) => ask(target, { token: operator.token, ...options });

  const newPartner = (ratePercent = '10') =>
    inTransaction(sql, (tx) => createPartner(tx, { name: 'Rawabi', erp: 'Odoo', ratePercent }, SYSTEM_ACTOR, now()));
  const attach = (partnerId: string, organizationId: string) =>
    inTransaction(sql, (tx) => attachTenant(tx, partnerId, organizationId, SYSTEM_ACTOR, now()));
  const addPayee = (partnerId: string, iban = 'SA03 8000 0000 6080 1016 7519') =>
    inTransaction(sql, (tx) =>
      savePayee(
        tx,
        platform.box,
        { partnerId, name: 'Fahad', email: 'fahad@rawabi.example', iban },
        SYSTEM_ACTOR,
        now(),
      ),
    );

  /** A payment as the billing module records it, with its commission. */
  async function pay(organizationId: string, totalSar: string, paymentId = newId()): Promise<string> {
    await inTransaction(sql, async (tx) => {
      await tx`
        insert into billing_payments (organization_id, id, amount_sar, method, status, created)
        values (${organizationId}, ${paymentId}, ${totalSar}, 'bank_transfer', 'succeeded', ${now()})
        on conflict do nothing`;
      await accrueCommission(tx, { organizationId, paymentId, totalSar, now: now() });
    });
    return paymentId;
  }

  /** A partner with one tenant that has earned this commission at ten percent, and a payee. */
  async function dueTo(totalSar: string) {
    const partner = await newPartner();
    const tenant = await testOrganization(sql);
    await attach(partner.id, tenant.id);
    await pay(tenant.id, totalSar);
    const payee = await addPayee(partner.id);
    const body = {
      partner_id: partner.id,
      partner_user_id: payee.id,
      amount_sar: 100,
      period: '2026-10',
      bank_reference: 'SNB-1',
      paid_at: '2026-11-03T09:30:00+03:00',
    };
    return { partner, tenant, payee, body };
  }

  async function rateOf(partnerId: string) {
    const { body } = await asked('GET /commercial/erp-commission-rates');
    expect(body.total_items).toBe(body.items.length);
    return body.items.find((one: { partner_id: string }) => one.partner_id === partnerId);
  }
  const auditOf = async (id: string) => {
    const rows = await sql`
      select organization_id, actor_kind, action, changed_fields from audit_entries where resource_id = ${id} order by id`;
    return rows.map((row) => [row.organization_id, row.actor_kind, row.action, row.changed_fields]);
  };

  return { service, sql, platform, shop, ask, asked, newPartner, attach, addPayee, pay, dueTo, rateOf, auditOf };
}
