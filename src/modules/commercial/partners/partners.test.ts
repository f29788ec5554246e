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

describe('partners and payees that operators manage', () => {
  const PARTNERS = '/commercial/partners';
  const PAYEES = '/commercial/partner-users';
  const IBAN = 'SA03 8000 0000 6080 1016 7519';

  it('are created and changed, with an audit entry for each', async () => {
    const body = { name: ' Sahara ', erp: 'SAP', rate_percent: 7.25 };
    const made = await asked(`POST ${PARTNERS}`, { body });
    expect([made.status, made.body]).toMatchObject([201, { name: 'Sahara', erp: 'SAP', rate_percent: 7.25 }]);
    const { id } = made.body;
    const changed = await asked(`PATCH ${PARTNERS}/${id}`, { body: { rate_percent: 8, erp: 'Oracle' } });
    expect([changed.status, changed.body]).toMatchObject([200, { name: 'Sahara', erp: 'Oracle', rate_percent: 8 }]);
    expect((await asked(`PATCH ${PARTNERS}/${id}`, { body: { rate_percent: 8 } })).body).toEqual(changed.body);
    expect((await auditOf(id)).map(([, kind, action, fields]) => [kind, action, fields])).toEqual([
      ['operator', 'create', []],
      ['operator', 'update', ['erp', 'rate_percent']],
    ]);

    const payee = { partner_id: id, name: 'Noura', email: 'noura@sahara.example', iban: IBAN };
    const added = await asked(`POST ${PAYEES}`, { body: payee });
    expect([added.status, added.body]).toMatchObject([
      201,
      { name: 'Noura', iban_masked: expect.stringMatching(/^SA.*7519$/) },
    ]);
    expect(JSON.stringify(added.body)).not.toContain('6080');
    const repeated = await asked(`POST ${PAYEES}`, { body: { ...payee, email: 'NOURA@sahara.example' } });
    expect([repeated.status, repeated.headers.get('x-error-reason')]).toEqual([409, 'payee-already-exists']);
    const renamed = await asked(`PATCH ${PAYEES}/${added.body.id}`, { body: { name: 'Noura S.' } });
    expect(renamed.body).toEqual({ ...added.body, name: 'Noura S.' });
    const [stored] = await sql`select iban from partner_users where id = ${added.body.id}`;
    expect(platform.box.open(stored?.iban)).toBe('SA0380000000608010167519');
    const second = await asked(`POST ${PAYEES}`, { body: { ...payee, email: 'second@sahara.example' } });
    const taken = await asked(`PATCH ${PAYEES}/${second.body.id}`, { body: { email: payee.email } });
    expect(taken.status).toBe(409);
  });

  it('refuse invalid fields, unknown ids and merchants', async () => {
    const { id } = await newPartner();
    for (const body of [
      {},
      { name: ' ', rate_percent: 1 },
      { name: 'X', rate_percent: 101 },
      { name: 'X', rate_percent: 1.001 },
    ]) {
      expect((await asked(`POST ${PARTNERS}`, { body })).status).toBe(422);
    }
    expect((await asked(`PATCH ${PARTNERS}/${newId()}`, { body: { name: 'X' } })).status).toBe(404);
    const payee = { partner_id: id, name: 'N', email: 'n@tests.example', iban: 'SA00 8000 0000 6080 1016 7519' };
    const wrong = await asked(`POST ${PAYEES}`, { body: payee });
    expect([wrong.status, wrong.body.details]).toEqual([422, { iban: 'is no valid IBAN' }]);
    expect((await asked(`POST ${PAYEES}`, { body: { ...payee, iban: IBAN, partner_id: newId() } })).status).toBe(404);
    expect((await asked(`PATCH ${PAYEES}/${newId()}`, { body: { name: 'X' } })).status).toBe(404);
    for (const target of [`POST ${PARTNERS}`, `PATCH ${PARTNERS}/${id}`, `POST ${PAYEES}`, `PATCH ${PAYEES}/${id}`]) {
      expect((await ask(target, { body: payee })).status).toBe(403);
    }
  });
});
