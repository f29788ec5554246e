import { describe, expect, it } from 'vitest';
import { databaseBefore } from '../../../../test/harness/database-before.ts';
import { type ReplyBody, testOrganization } from '../../../../test/harness/index.ts';
import { inTransaction, migrate } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import { MIGRATIONS_FOLDER } from '../../../server.ts';
import { type Actor, SYSTEM_ACTOR } from '../../audit/index.ts';
import { attachTenant, createPartner, recordPayout, savePayee } from '../partners/index.ts';
import { receivePayment } from './receive-payment.ts';
import { refundTenant } from './refund-tenant.ts';
import { startCommercial } from './testing/start-commercial.ts';

const { service, sql, clock, got } = await startCommercial();
const OPERATOR: Actor = { ...SYSTEM_ACTOR, kind: 'operator', id: 'op', name: 'operator@tests.example' };

async function newPartner(ratePercent: string, tenants = 1) {
  const partner = await inTransaction(sql, (tx) =>
    createPartner(tx, { name: 'Rawabi', erp: 'Odoo', ratePercent }, OPERATOR, clock.now()),
  );
  const shops = [];
  for (let made = 0; made < tenants; made += 1) {
    const shop = await testOrganization(sql);
    await attach(partner.id, shop.id);
    shops.push(shop.id);
  }
  return { partnerId: partner.id, shops: shops as [string, ...string[]] };
}
const attach = (partnerId: string, organizationId: string) =>
  inTransaction(sql, (tx) => attachTenant(tx, partnerId, organizationId, OPERATOR, clock.now()));
const pay = (organizationId: string, amountSar: string) => {
  clock.advanceMs(1_000);
  const payment = { organizationId, amountSar, method: 'cash' as const, reference: 'R-1' };
  return inTransaction(sql, (tx) => receivePayment(tx, OPERATOR, payment, clock.now()));
};
const refund = (organizationId: string, amountSar: string) => {
  clock.advanceMs(1_000);
  return inTransaction(sql, (tx) => refundTenant(tx, OPERATOR, { organizationId, amountSar, note: 'N' }, clock.now()));
};
async function payOut(partnerId: string, amountSar: string) {
  const payee = { partnerId, name: 'Fahad', email: 'fahad@rawabi.example', iban: 'SA03 8000 0000 6080 1016 7519' };
  return inTransaction(sql, async (tx) => {
    const { id } = await savePayee(tx, service.platform.box, payee, OPERATOR, clock.now());
    const payout = {
      partner_id: partnerId,
      partner_user_id: id,
      amount_sar: amountSar,
      period: '2026-03',
      bank_reference: 'SNB-1',
      paid_at: clock.now(),
      proof_key: null,
    };
    return recordPayout(tx, payout, OPERATOR, clock.now());
  });
}
/** collected, commission, paid and due of each tenant. */
async function figuresOf(partnerId: string): Promise<number[][]> {
  const { items } = await got('GET /commercial/erp-commission-rates');
  const { tenants } = items.find((one: ReplyBody) => one.partner_id === partnerId);
  return tenants.map((one: ReplyBody) => [one.collected_sar, one.commission_sar, one.paid_sar, one.due_sar]);
}

describe('a refund of a tenant with a partner', () => {
  it('leaves no commission due when it returns the whole payment', async () => {
    const { partnerId, shops } = await newPartner('12.5');
    await pay(shops[0], '1000.00');
    expect(await figuresOf(partnerId)).toEqual([[1000, 125, 0, 125]]);
    await refund(shops[0], '1000.00');
    expect(await figuresOf(partnerId)).toEqual([[0, 0, 0, 0]]);
    await expect(payOut(partnerId, '0.01')).rejects.toMatchObject({ status: 409, details: { due_sar: 0 } });
  });

  it('reduces the commission in proportion; the parts of any split add up to the halala', async () => {
    const { partnerId, shops } = await newPartner('12.5');
    await pay(shops[0], '100.10');
    const seen: number[] = [];
    for (const part of ['33.33', '33.33', '33.43', '0.01']) {
      await refund(shops[0], part);
      seen.push((await figuresOf(partnerId))[0]?.[1] ?? -1);
    }
    // 12.5 % of 66.77, 33.44, 0.01 and 0.
    expect(seen).toEqual([8.35, 4.18, 0, 0]);
    const [sums] = await sql<{ refunded: string; reversed: string }[]>`
      select sum(refunded_sar)::text as refunded, sum(commission_sar)::text as reversed from commission_reversals
      where organization_id = ${shops[0]}`;
    expect(sums).toEqual({ refunded: '100.10', reversed: '12.51' });
    await expect(sql`update commission_reversals set commission_sar = 1`).rejects.toThrow('append-only');
  });

  it('takes the newest payments first, each at its own rate and from the partner who earned it', async () => {
    const first = await newPartner('10');
    const [shop] = first.shops;
    await pay(shop, '100.00');
    const second = await newPartner('20', 0);
    await attach(second.partnerId, shop);
    await pay(shop, '50.00');
    await refund(shop, '70.00');
    expect(await figuresOf(second.partnerId)).toEqual([[0, 0, 0, 0]]);
    expect(await figuresOf(first.partnerId)).toEqual([[80, 8, 0, 8]]);
  });

  it('reverses no commission on money that earned none', async () => {
    const shop = (await testOrganization(sql)).id;
    await pay(shop, '500.00');
    const { partnerId } = await newPartner('10', 0);
    await attach(partnerId, shop);
    await pay(shop, '100.00');
    await refund(shop, '600.00');
    expect(await figuresOf(partnerId)).toEqual([[0, 0, 0, 0]]);
  });

  it('shows a negative due when more was paid out than is left, which later payments offset', async () => {
    const { partnerId, shops } = await newPartner('10', 2);
    const [one, other] = shops as [string, string];
    await pay(one, '1000.00');
    await pay(other, '500.00');
    await payOut(partnerId, '150.00');
    await refund(one, '1000.00');
    expect(await figuresOf(partnerId)).toEqual([
      [0, 0, 100, -100],
      [500, 50, 50, 0],
    ]);
    await expect(payOut(partnerId, '1.00')).rejects.toMatchObject({ status: 409, details: { due_sar: -100 } });
    await pay(other, '1500.00');
    const after = await figuresOf(partnerId);
    expect(after.reduce((sum, [, , , due = 0]) => sum + due, 0)).toBe(50);
    expect(after.reduce((sum, [, , paid = 0]) => sum + paid, 0)).toBe(150);
    await expect(payOut(partnerId, '50.01')).rejects.toMatchObject({ status: 409, details: { due_sar: 50 } });
    await payOut(partnerId, '50.00');
    expect((await figuresOf(partnerId)).map(([, , , due]) => due)).toEqual([0, 0]);
  });

  it('keeps the sums at the partner equal to accruals less reversals under concurrent payments and refunds', async () => {
    const { partnerId, shops } = await newPartner('7.5', 3);
    await Promise.all(shops.map((shop) => pay(shop, '1000.00')));
    await Promise.all(
      shops.flatMap((shop) => [pay(shop, '33.33'), refund(shop, '12.34'), refund(shop, '0.07'), pay(shop, '5.55')]),
    );
    const rows = await sql<{ stored: string; counted: string }[]>`
      select t.commission_sar::text as stored, (
        (select sum(a.commission_sar) from commission_accruals a where a.organization_id = t.organization_id)
        - (select sum(r.commission_sar) from commission_reversals r where r.organization_id = t.organization_id)
      )::text as counted
      from partner_tenants t where t.partner_id = ${partnerId}`;
    expect(rows).toHaveLength(3);
    for (const { stored, counted } of rows) expect(stored).toBe(counted);
    for (const [collected] of await figuresOf(partnerId)) expect(collected).toBe(1026.47);
  });
});

describe('refunds made before reversals existed', () => {
  it('are reversed by the migration, each against the payments before it', async () => {
    const database = await databaseBefore('0031');
    const [shop, partner] = [newId(), newId()];
    const at = (day: number) => new Date(Date.UTC(2026, 0, day));
    await database.sql`
      insert into organizations (id, name_en, name_ar, created, updated) values (${shop}, 'S', 'م', ${at(1)}, ${at(1)})`;
    await database.sql`
      insert into partners (id, name, erp, rate_percent, paid_sar, created, updated)
      values (${partner}, 'P', 'Odoo', 10, 0, ${at(1)}, ${at(1)})`;
    await database.sql`
      insert into partner_tenants (organization_id, partner_id, collected_sar, commission_sar, created)
      values (${shop}, ${partner}, 310.05, 31.01, ${at(1)})`;
    const move = async (type: 'topup' | 'refund', day: number, amount: string) => {
      const paymentId = type === 'topup' ? newId() : null;
      if (paymentId !== null) {
        await database.sql`
          insert into billing_payments (organization_id, id, amount_sar, method, status, created)
          values (${shop}, ${paymentId}, ${amount}, 'cash', 'succeeded', ${at(day)})`;
        await database.sql`
          insert into commission_accruals (organization_id, payment_id, partner_id, rate_percent, collected_sar,
                                           commission_sar, created)
          values (${shop}, ${paymentId}, ${partner}, 10, ${amount}, round(${amount}::numeric / 10, 2), ${at(day)})`;
      }
      await database.sql`
        insert into ledger_entries (organization_id, id, entry_type, direction, amount_sar, payment_id, created)
        values (${shop}, ${newId()}, ${type}, ${type === 'topup' ? 'credit' : 'debit'}, ${amount}, ${paymentId}, ${at(day)})`;
    };
    await move('topup', 2, '100.00');
    await move('topup', 3, '10.05');
    await move('refund', 4, '30.00');
    await move('topup', 5, '200.00');
    await migrate(database.sql, MIGRATIONS_FOLDER);
    const [tenant] = await database.sql`
      select collected_sar::text, commission_sar::text, reversed_sar::text from partner_tenants`;
    // The second payment whole (1.01), and 19.95 of the first, whose rest of 80.05 earns 8.01.
    expect(tenant).toEqual({ collected_sar: '280.05', commission_sar: '28.01', reversed_sar: '3.00' });
    expect(await database.sql`select 1 from commission_reversals`).toHaveLength(2);
  });
});
