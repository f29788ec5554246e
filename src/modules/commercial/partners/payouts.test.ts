import { beforeAll, describe, expect, it } from 'vitest';
import { testOrganization } from '../../../../test/harness/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import { SYSTEM_ACTOR } from '../../audit/index.ts';
import { formOf, jpeg, listStoredFiles, png } from '../../branches/testing/images.ts';
import { recordPayout } from './index.ts';
import { NO_USER, now, PAYOUTS, type PartnerFixture, startPartners } from './testing/start-partners.ts';

const { service, sql, ask, asked, attach, pay, dueTo, rateOf, auditOf } = await startPartners();
const PDF = Buffer.from('%PDF-1.7\nthe receipt\n%%EOF\n');

describe('a payout', () => {
  let made: Awaited<ReturnType<PartnerFixture['dueTo']>>;
  beforeAll(async () => {
    made = await dueTo('10000.00');
  });

  it('is recorded as JSON, listed, and reduces the amount due', async () => {
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
    expect(await auditOf(paid.body.id)).toEqual([[NO_USER, 'operator', 'create', []]]);
    await expect(sql`delete from partner_commissions`).rejects.toThrow('append-only');
  });

  it('is recorded with its receipt, which only operators can download', async () => {
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
  ])('is rejected with %s, as JSON and as a form', async (_what, fields, field) => {
    const before = await listStoredFiles(service.dataDir);
    const body = { ...made.body, ...fields };
    const json = await asked(`POST ${PAYOUTS}`, { body });
    expect([json.status, json.body.error, Object.keys(json.body.details)]).toEqual([422, 'Validation failed', [field]]);
    const texts = Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
    const form = await asked(`POST ${PAYOUTS}`, { raw: formOf({ ...Object.fromEntries(texts), proof: PDF }) });
    expect([form.status, form.body]).toEqual([422, json.body]);
    expect(await listStoredFiles(service.dataDir)).toEqual(before);
  });

  it('is rejected with an invalid receipt, and stores no file', async () => {
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

  it('returns 404 for an unknown partner or a payee of another one', async () => {
    const another = await dueTo('10.00');
    for (const id of [newId(), 'nonsense']) {
      const unknownPartner = await asked(`POST ${PAYOUTS}`, { body: { ...made.body, partner_id: id } });
      expect([unknownPartner.status, unknownPartner.body.error]).toEqual([404, 'Partner not found']);
      const noOne = await asked(`POST ${PAYOUTS}`, { body: { ...made.body, partner_user_id: id } });
      expect([noOne.status, noOne.body.error]).toEqual([404, 'Payee not found']);
    }
    const notTheirs = { ...made.body, partner_user_id: another.payee.id };
    expect((await asked(`POST ${PAYOUTS}`, { body: notTheirs })).body.error).toBe('Payee not found');
  });

  it('is never more than is due, also under concurrency', async () => {
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

  it('waits for a concurrent payout and is checked against what that leaves', async () => {
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

  it('is one row and one file for an idempotency key, from twenty concurrent requests', async () => {
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

  it('is apportioned to the tenants of the partner, and the parts add up', async () => {
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
