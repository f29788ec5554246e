import { beforeAll, describe, expect, it } from 'vitest';
import { type Call, commercialAccount, testOrganization, testShop } from '../../../test/harness/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { SYSTEM_ACTOR } from '../audit/index.ts';
import { formOf, jpeg, listStoredFiles, png } from '../branches/testing/images.ts';
import { accrueCommission, attachTenant, changeRate, createPartner, recordPayout, savePayee } from './index.ts';

const { service, shop, ask } = await testShop();
const { sql, platform } = service;
const operator = await commercialAccount(sql);
const asked = (target: string, options: Call = {}) => ask(target, { token: operator.token, ...options });
const now = () => new Date();
const PAYOUTS = '/commercial/partner-commissions';
const PDF = Buffer.from('%PDF-1.7\nthe receipt\n%%EOF\n');

const newPartner = (ratePercent = '10') =>
  inTransaction(sql, (tx) => createPartner(tx, { name: 'Rawabi', erp: 'Odoo', ratePercent }, SYSTEM_ACTOR, now()));
const attach = (partnerId: string, organizationId: string) =>
  inTransaction(sql, (tx) => attachTenant(tx, partnerId, organizationId, SYSTEM_ACTOR, now()));
const addPayee = (partnerId: string, iban = 'SA03 8000 0000 6080 1016 7519') =>
  inTransaction(sql, (tx) =>
    savePayee(tx, platform.box, { partnerId, name: 'Fahad', email: 'fahad@rawabi.example', iban }, SYSTEM_ACTOR, now()),
  );

/** A payment as the billing module records it, and the share of it. */
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

/** A partner with one tenant that has earned it so much at ten percent, and somebody to send it to. */
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
const NOBODY = '00000000-0000-0000-0000-000000000000';

describe('who may', () => {
  it.each([
    'GET /commercial/erp-commission-rates',
    'GET /commercial/partner-users',
    `GET ${PAYOUTS}`,
    `POST ${PAYOUTS}`,
    `GET ${PAYOUTS}/${newId()}/proof`,
  ])('%s: the operator, and nobody else', async (target) => {
    expect((await ask(target, { token: 'nonsense' })).status).toBe(401);
    const refused = await ask(target, target.startsWith('POST') ? { body: {} } : {});
    expect([refused.status, refused.body.error]).toEqual([403, 'Forbidden']);
  });
});

describe('what a partner earns', () => {
  it('is its share of what its tenants pay, at the rate of that day, to the halala', async () => {
    const partner = await newPartner('12.5');
    const [one, other, stranger] = [shop, await testOrganization(sql), await testOrganization(sql)];
    await pay(one.id, '500.00');
    await attach(partner.id, one.id);
    await attach(partner.id, other.id);
    await pay(one.id, '100.10');
    await pay(other.id, '33.33');
    await pay(stranger.id, '1000.00');
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
    const kept = await sql`
      select rate_percent::text, commission_sar::text from commission_accruals where organization_id = ${one.id} order by created`;
    expect(kept).toEqual([
      { rate_percent: '12.5', commission_sar: '12.51' },
      { rate_percent: '20', commission_sar: '0.00' },
    ]);
    await expect(sql`update commission_accruals set commission_sar = 99`).rejects.toThrow('append-only');
    await expect(sql`delete from commission_accruals`).rejects.toThrow('append-only');
    expect(await auditOf(partner.id)).toEqual([
      [NOBODY, 'system', 'create', []],
      [NOBODY, 'system', 'update', ['tenants']],
      [NOBODY, 'system', 'update', ['tenants']],
      [NOBODY, 'system', 'update', ['rate_percent']],
    ]);
  });

  it('is earned once a payment, however often and however many say so', async () => {
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

  it('stays its own when the tenant goes to another', async () => {
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
  it('have their accounts kept sealed and shown masked', async () => {
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
      [NOBODY, 'system', 'create', []],
      [NOBODY, 'system', 'update', ['iban']],
    ]);
    const all = await asked('GET /commercial/partner-users');
    expect(all.body.items).toContainEqual(changed);
    expect((await asked('GET /commercial/partner-users?partner_id=x')).status).toBe(400);
  });

  it('are refused with an account that no bank has', async () => {
    const partner = await newPartner();
    await expect(addPayee(partner.id, 'SA0380000000608010167518')).rejects.toMatchObject({ status: 422 });
    await expect(addPayee(newId())).rejects.toMatchObject({ status: 404 });
  });
});

describe('a payout', () => {
  let made: Awaited<ReturnType<typeof dueTo>>;
  beforeAll(async () => {
    made = await dueTo('10000.00');
  });

  it('is recorded as JSON, listed, and lessens what is due', async () => {
    const { body, partner } = made;
    const paid = await asked(`POST ${PAYOUTS}`, { body: { ...body, amount_sar: 300.25 } });
    const row = {
      ...body,
      id: expect.any(String),
      amount_sar: 300.25,
      paid_at: '2026-11-03T06:30:00.000Z',
      has_proof: false,
      created: expect.any(String),
    };
    expect([paid.status, paid.body]).toEqual([201, row]);
    const listed = await asked(`GET ${PAYOUTS}?partner_id=${partner.id}`);
    expect(listed.body).toEqual({ page: 1, perPage: 25, totalItems: 1, items: [paid.body] });
    expect((await rateOf(partner.id)).tenants).toEqual([
      expect.objectContaining({ commission_sar: 1000, paid_sar: 300.25, due_sar: 699.75 }),
    ]);
    const proof = await asked(`GET ${PAYOUTS}/${paid.body.id}/proof`);
    expect([proof.status, proof.body.error]).toEqual([404, 'Proof not found']);
    expect(await auditOf(paid.body.id)).toEqual([[NOBODY, 'operator', 'create', []]]);
    await expect(sql`delete from partner_commissions`).rejects.toThrow('append-only');
  });

  it('is recorded with its receipt, which operators can fetch and nobody else', async () => {
    const { body } = made;
    const before = await listStoredFiles(service.dataDir);
    const form = formOf({ ...body, amount_sar: '0.07', proof: PDF });
    const paid = await asked(`POST ${PAYOUTS}`, { raw: form });
    expect([paid.status, paid.body]).toEqual([201, expect.objectContaining({ amount_sar: 0.07, has_proof: true })]);
    const address = `${PAYOUTS}/${paid.body.id}/proof`;
    const proof = await asked(`GET ${address}`);
    expect([proof.status, proof.text]).toEqual([200, PDF.toString()]);
    expect(Object.fromEntries(proof.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(PDF.length),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringContaining('commission-2026-10.pdf'),
    });
    expect((await ask(`GET ${address}`)).status).toBe(403);
    expect((await ask(`GET ${address}`, { token: 'nonsense' })).status).toBe(401);
    expect((await asked(`GET ${PAYOUTS}/${newId()}/proof`)).status).toBe(404);
    expect((await asked(`GET ${PAYOUTS}/nonsense/proof`)).status).toBe(404);
    const picture = await asked(`POST ${PAYOUTS}`, { raw: formOf({ ...body, amount_sar: '1', proof: png() }) });
    expect((await asked(`GET ${PAYOUTS}/${picture.body.id}/proof`)).headers.get('content-type')).toBe('image/png');
    const stored = (await listStoredFiles(service.dataDir)).filter((file) => !before.includes(file));
    expect(stored).toHaveLength(2);
    for (const file of stored) expect((await ask(`GET /files/${file}`)).status).toBe(404);
    expect((await asked(`POST ${PAYOUTS}`, { raw: formOf({ ...body, amount_sar: '2' }) })).body.has_proof).toBe(false);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no partner', { partner_id: undefined }, 'partner_id'],
    ['no payee', { partner_user_id: undefined }, 'partner_user_id'],
    ['no amount', { amount_sar: undefined }, 'amount_sar'],
    ['nothing', { amount_sar: 0 }, 'amount_sar'],
    ['less than nothing', { amount_sar: -5 }, 'amount_sar'],
    ['a part of a halala', { amount_sar: 10.005 }, 'amount_sar'],
    ['more than there is', { amount_sar: 1e9 + 1 }, 'amount_sar'],
    ['no month', { period: undefined }, 'period'],
    ['a thirteenth month', { period: '2026-13' }, 'period'],
    ['a day', { period: '2026-10-01' }, 'period'],
    ['a blank reference', { bank_reference: ' ' }, 'bank_reference'],
    ['a time that is none', { paid_at: 'yesterday' }, 'paid_at'],
    ['the future', { paid_at: '2999-01-01T00:00:00Z' }, 'paid_at'],
  ])('is refused with %s, as JSON and as a form', async (_what, fields, field) => {
    const before = await listStoredFiles(service.dataDir);
    const body = { ...made.body, ...fields };
    const json = await asked(`POST ${PAYOUTS}`, { body });
    expect([json.status, json.body.error, Object.keys(json.body.details)]).toEqual([422, 'Validation failed', [field]]);
    const texts = Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
    const form = await asked(`POST ${PAYOUTS}`, { raw: formOf({ ...Object.fromEntries(texts), proof: PDF }) });
    expect([form.status, form.body]).toEqual([422, json.body]);
    expect(await listStoredFiles(service.dataDir)).toEqual(before);
  });

  it('is refused with a receipt that is none, and keeps nothing of it', async () => {
    const before = await listStoredFiles(service.dataDir);
    const texts = { ...made.body, amount_sar: '1' };
    const send = (parts: Parameters<typeof formOf>[0]) =>
      asked(`POST ${PAYOUTS}`, { raw: formOf({ ...texts, ...parts }) });
    const wrong = await send({ proof: Buffer.from('MZ is a program') });
    expect([wrong.status, wrong.body.details]).toEqual([422, { proof: 'The file must be pdf, jpg, png, webp or gif' }]);
    const large = await send({ proof: jpeg(10 * 1024 * 1024 + 1) });
    expect([large.status, large.body.details]).toEqual([400, { proof: 'The file is larger than 10485760 bytes' }]);
    expect((await send({ proof: [PDF, PDF] })).status).toBe(400);
    expect((await send({ proof: 'paid' })).body.details).toEqual({ proof: 'must be a file' });
    expect((await send({ amount_sar: 'ten', proof: PDF })).body.details).toEqual({ amount_sar: 'must be a number' });
    expect((await asked(`POST ${PAYOUTS}`, { body: 'nonsense' })).status).toBe(422);
    expect((await asked(`POST ${PAYOUTS}`, { raw: 'x', headers: { 'content-type': 'text/plain' } })).status).toBe(400);
    expect(await listStoredFiles(service.dataDir)).toEqual(before);
  });

  it('goes to a partner and a payee of that partner', async () => {
    const another = await dueTo('10.00');
    for (const id of [newId(), 'nonsense']) {
      const nobody = await asked(`POST ${PAYOUTS}`, { body: { ...made.body, partner_id: id } });
      expect([nobody.status, nobody.body.error]).toEqual([404, 'Partner not found']);
      const noOne = await asked(`POST ${PAYOUTS}`, { body: { ...made.body, partner_user_id: id } });
      expect([noOne.status, noOne.body.error]).toEqual([404, 'Payee not found']);
    }
    const notTheirs = { ...made.body, partner_user_id: another.payee.id };
    expect((await asked(`POST ${PAYOUTS}`, { body: notTheirs })).body.error).toBe('Payee not found');
  });

  it('is never more than is due, whoever hurries', async () => {
    const { body, partner } = await dueTo('1000.10');
    const before = await listStoredFiles(service.dataDir);
    const tooMuch = await asked(`POST ${PAYOUTS}`, { raw: formOf({ ...body, amount_sar: '100.02', proof: PDF }) });
    expect([tooMuch.status, tooMuch.body]).toEqual([
      409,
      { code: 409, error: 'More than is due', details: { partner_id: partner.id, due_sar: 100.01 } },
    ]);
    const forms = () => formOf({ ...body, amount_sar: '30', proof: PDF });
    const answers = await Promise.all(Array.from({ length: 20 }, () => asked(`POST ${PAYOUTS}`, { raw: forms() })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, ...Array(17).fill(409)]);
    expect((await rateOf(partner.id)).tenants).toEqual([expect.objectContaining({ paid_sar: 90, due_sar: 10.01 })]);
    expect(await listStoredFiles(service.dataDir)).toHaveLength(before.length + 3);
    const rest = await asked(`POST ${PAYOUTS}`, { body: { ...body, amount_sar: 10.01 } });
    expect(rest.status).toBe(201);
  });

  it('waits for one that is being recorded, and is judged by what that leaves', async () => {
    const { body } = await dueTo('1000.00');
    const asking = await inTransaction(sql, async (tx) => {
      const first = { ...body, amount_sar: '100.00', paid_at: now(), proof_key: null };
      await recordPayout(tx, first, SYSTEM_ACTOR, now());
      const second = asked(`POST ${PAYOUTS}`, { body });
      const waiting = () =>
        tx`select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`;
      await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
      return { second };
    });
    expect((await asking.second).body).toMatchObject({ code: 409, details: { due_sar: 0 } });
  });

  it('is one row and one file under one key, from twenty at once', async () => {
    const { body, partner } = await dueTo('5000.00');
    const before = (await listStoredFiles(service.dataDir)).length;
    const headers = { 'idempotency-key': newId() };
    const send = (proof: Buffer) =>
      asked(`POST ${PAYOUTS}`, { headers, raw: formOf({ ...body, amount_sar: '50', proof }) });
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(PDF)));
    expect(new Set(answers.map(({ status, body: row }) => `${status} ${row.id}`)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get('idempotency-hit') === 'true')).toHaveLength(19);
    const listed = await asked(`GET ${PAYOUTS}?partner_id=${partner.id}`);
    expect(listed.body.totalItems).toBe(1);
    expect(await listStoredFiles(service.dataDir)).toHaveLength(before + 1);
    expect((await asked(`GET ${PAYOUTS}/${answers[0]?.body.id}/proof`)).text).toBe(PDF.toString());
    expect((await send(png())).body.error).toBe('Idempotency key reused');
    expect(await listStoredFiles(service.dataDir)).toHaveLength(before + 1);
  });

  it('is spread over the tenants of the partner, and the parts add up', async () => {
    const { body, partner, tenant } = await dueTo('100.00');
    const others = [await testOrganization(sql), await testOrganization(sql)];
    for (const other of others) {
      await attach(partner.id, other.id);
      await pay(other.id, '100.00');
    }
    expect((await asked(`POST ${PAYOUTS}`, { body: { ...body, amount_sar: 10 } })).status).toBe(201);
    const { tenants } = await rateOf(partner.id);
    expect(tenants.map((one: Record<string, unknown>) => [one.organization_id, one.paid_sar, one.due_sar])).toEqual([
      [tenant.id, 3.34, 6.66],
      [others[0]?.id, 3.33, 6.67],
      [others[1]?.id, 3.33, 6.67],
    ]);
  });

  it('is listed in pages of 25, and of 100 at most', async () => {
    const { body, partner } = await dueTo('10000.00');
    for (let count = 0; count < 3; count += 1)
      await asked(`POST ${PAYOUTS}`, { body: { ...body, amount_sar: 1 + count } });
    const amounts = (answer: { body: { items: { amount_sar: number }[] } }) =>
      answer.body.items.map(({ amount_sar }) => amount_sar);
    const at = `GET ${PAYOUTS}?partner_id=${partner.id}`;
    const [first, second] = [await asked(`${at}&perPage=2`), await asked(`${at}&perPage=2&page=2`)];
    expect([amounts(first), amounts(second)]).toEqual([[3, 2], [1]]);
    expect(second.body).toMatchObject({ page: 2, perPage: 2, totalItems: 3 });
    expect((await asked(`${at}&perPage=1000`)).body).toMatchObject({ perPage: 100, totalItems: 3 });
    for (const query of ['page=0', 'perPage=0', 'perPage=x', 'page=-1']) {
      expect((await asked(`${at}&${query}`)).body, query).toMatchObject({ page: 1, perPage: 25, totalItems: 3 });
    }
    expect((await asked(`GET ${PAYOUTS}?partner_id=x`)).status).toBe(400);
  });
});
