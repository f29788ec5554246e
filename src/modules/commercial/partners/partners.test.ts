import { describe, expect, it } from 'vitest';
import { testOrganization } from '../../../../test/harness/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import { SYSTEM_ACTOR } from '../../audit/index.ts';
import { changeRate } from './index.ts';
import { NO_USER, now, PAYOUTS, startPartners } from './testing/start-partners.ts';

const { sql, platform, shop, ask, asked, newPartner, attach, addPayee, pay, rateOf, auditOf } = await startPartners();

describe('access', () => {
  it.each([
    'GET /commercial/erp-commission-rates',
    'GET /commercial/partner-users',
    `GET ${PAYOUTS}`,
    `POST ${PAYOUTS}`,
    `GET ${PAYOUTS}/${newId()}/proof`,
  ])('%s is for the operator only', async (target) => {
    expect((await ask(target, { token: 'nonsense' })).status).toBe(401);
    const refused = await ask(target, target.startsWith('POST') ? { body: {} } : {});
    expect([refused.status, refused.body.error]).toEqual([403, 'Forbidden']);
  });
});

describe('what a partner earns', () => {
  it("is its share of its tenants' payments, at the rate of that day, to the halala", async () => {
    const partner = await newPartner('12.5');
    const [one, other, unattached] = [shop, await testOrganization(sql), await testOrganization(sql)];
    await pay(one.id, '500.00');
    await attach(partner.id, one.id);
    await attach(partner.id, other.id);
    await pay(one.id, '100.10');
    await pay(other.id, '33.33');
    await pay(unattached.id, '1000.00');
    await inTransaction(sql, (tx) => changeRate(tx, partner.id, '20', SYSTEM_ACTOR, now()));
    await pay(one.id, '0.02');
    expect(await rateOf(partner.id)).toEqual({
      partner_id: partner.id,
      partner_name: 'Rawabi',
      erp: 'Odoo',
      rate_percent: 20,
      tenants: [
        // 12.5 % of 100.10 is 12.5125, 20 % of 0.02 is 0.004.
        {
          organization_id: one.id,
          name_en: 'Test shop',
          collected_sar: 100.12,
          commission_sar: 12.51,
          paid_sar: 0,
          due_sar: 12.51,
        },
        {
          organization_id: other.id,
          name_en: 'Test shop',
          collected_sar: 33.33,
          commission_sar: 4.17,
          paid_sar: 0,
          due_sar: 4.17,
        },
      ],
    });
    const stored = await sql`
      select rate_percent::text, commission_sar::text from commission_accruals where organization_id = ${one.id} order by created`;
    expect(stored).toEqual([
      { rate_percent: '12.5', commission_sar: '12.51' },
      { rate_percent: '20', commission_sar: '0.00' },
    ]);
    await expect(sql`update commission_accruals set commission_sar = 99`).rejects.toThrow('append-only');
    await expect(sql`delete from commission_accruals`).rejects.toThrow('append-only');
    expect(await auditOf(partner.id)).toEqual([
      [NO_USER, 'system', 'create', []],
      [NO_USER, 'system', 'update', ['tenants']],
      [NO_USER, 'system', 'update', ['tenants']],
      [NO_USER, 'system', 'update', ['rate_percent']],
    ]);
  });

  it('is earned once per payment under repetition and concurrency', async () => {
    const partner = await newPartner();
    const tenant = await testOrganization(sql);
    await attach(partner.id, tenant.id);
    const paymentId = await pay(tenant.id, '70.00');
    await Promise.all(Array.from({ length: 8 }, () => pay(tenant.id, '70.00', paymentId)));
    await Promise.all(Array.from({ length: 20 }, () => pay(tenant.id, '0.30')));
    expect((await rateOf(partner.id)).tenants).toEqual([
      expect.objectContaining({ collected_sar: 76, commission_sar: 7.6, due_sar: 7.6 }),
    ]);
  });

  it('stays with the partner when the tenant moves to another', async () => {
    const [first, second] = [await newPartner(), await newPartner('5')];
    const tenant = await testOrganization(sql);
    await attach(first.id, tenant.id);
    await pay(tenant.id, '100');
    expect(await attach(second.id, tenant.id)).toEqual({ formerPartnerId: first.id });
    await pay(tenant.id, '200');
    const [before, after] = [await rateOf(first.id), await rateOf(second.id)];
    expect(before.tenants).toEqual([expect.objectContaining({ collected_sar: 100, commission_sar: 10 })]);
    expect(after.tenants).toEqual([expect.objectContaining({ collected_sar: 200, commission_sar: 10 })]);
    expect(await attach(first.id, tenant.id)).toEqual({ formerPartnerId: second.id });
    await pay(tenant.id, '1');
    expect((await rateOf(first.id)).tenants).toEqual([expect.objectContaining({ collected_sar: 101 })]);
    expect((await rateOf(second.id)).tenants).toHaveLength(1);
    const current = await sql`select 1 from partner_tenants where organization_id = ${tenant.id} and is_current`;
    expect(current).toHaveLength(1);
  });
});

describe('payees', () => {
  it('have their account numbers encrypted at rest and masked in responses', async () => {
    const partner = await newPartner();
    const payee = await addPayee(partner.id);
    const shown = {
      id: payee.id,
      partner_id: partner.id,
      name: 'Fahad',
      email: 'fahad@rawabi.example',
      iban_masked: 'SA** **** **** **** **** 7519',
    };
    const { body } = await asked(`GET /commercial/partner-users?partner_id=${partner.id}`);
    expect(body).toEqual({ items: [shown], total_items: 1 });
    const [row] = await sql`select iban, u::text as all_of_it from partner_users u where id = ${payee.id}`;
    expect(platform.box.open(row?.iban)).toBe('SA0380000000608010167519');
    expect(row?.all_of_it).not.toContain('8010167519');

    const changed = await addPayee(partner.id, 'AE070331234567890123456');
    expect(changed).toEqual({ ...shown, iban_masked: expect.stringMatching(/^AE.*456$/) });
    await addPayee(partner.id, 'AE070331234567890123456');
    expect(await auditOf(payee.id)).toEqual([
      [NO_USER, 'system', 'create', []],
      [NO_USER, 'system', 'update', ['iban']],
    ]);
    const all = await asked('GET /commercial/partner-users');
    expect(all.body.items).toContainEqual(changed);
    expect((await asked('GET /commercial/partner-users?partner_id=x')).status).toBe(400);
  });

  it('are rejected with an invalid account number', async () => {
    const partner = await newPartner();
    await expect(addPayee(partner.id, 'SA0380000000608010167518')).rejects.toMatchObject({ status: 422 });
    await expect(addPayee(newId())).rejects.toMatchObject({ status: 404 });
  });
});
