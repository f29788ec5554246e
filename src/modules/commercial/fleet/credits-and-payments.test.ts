import { describe, expect, test } from 'vitest';
import { call, type ReplyBody } from '../../../../test/harness/index.ts';
import { newId } from '../../../platform/ids.ts';
import { bill, openShop } from './testing/fleet.ts';
import { startCommercial } from './testing/start-commercial.ts';

const { service, clock, fleet, ask, got } = await startCommercial();

describe('credits and payments', () => {
  test('a credit does what its preview showed, to the halala, once for an idempotency key', async () => {
    const shop = await openShop(fleet, 'Credited', 'دائن', 3);
    await bill(fleet, '2026-04-02T00:00:00Z');
    const owed = await got(`GET /commercial/tenant-credit/preview?organization_id=${shop.id}&amount_sar=600.37`);
    expect(owed).toEqual({
      organization_id: shop.id,
      amount_sar: 600.37,
      outstanding_sar: 862.5,
      applications: [
        expect.objectContaining({ branch_iv_id: 'BR-1', outstanding_sar: 287.5, applied_sar: 287.5 }),
        expect.objectContaining({ branch_iv_id: 'BR-2', applied_sar: 287.5, due_date: '2026-04-15' }),
        expect.objectContaining({ branch_iv_id: 'BR-3', outstanding_sar: 287.5, applied_sar: 25.37 }),
      ],
      to_wallet_sar: 0,
      wallet_balance_after_sar: 0,
    });
    const body = { organization_id: shop.id, amount_sar: 600.37, note: 'Outage' };
    const key = { 'idempotency-key': newId() };
    const applied = await ask('POST /commercial/tenant-credit', body, key);
    expect([applied.status, applied.body]).toEqual([200, owed]);
    const again = await ask('POST /commercial/tenant-credit', body, key);
    expect([again.headers.get('idempotency-hit'), again.body]).toEqual(['true', owed]);
    const reused = await ask('POST /commercial/tenant-credit', { ...body, amount_sar: 1 }, key);
    expect([reused.status, reused.body.error]).toEqual([422, 'Idempotency key reused']);

    const rest = await got(`GET /commercial/tenant-credit/preview?organization_id=${shop.id}&amount_sar=300`);
    expect(rest).toMatchObject({ outstanding_sar: 262.13, to_wallet_sar: 37.87, wallet_balance_after_sar: 37.87 });
    const { data } = await got(`GET /commercial/organizations/${shop.id}/ledger`);
    expect(data.map((row: ReplyBody) => [row.entry_type, row.direction, row.total_sar]).sort()).toEqual([
      ['branch_fee', 'debit', 25.37],
      ['branch_fee', 'debit', 287.5],
      ['branch_fee', 'debit', 287.5],
      ['credit', 'credit', 600.37],
    ]);
    const adjusted = await got('GET /commercial/balance-adjustments?perPage=1');
    expect(adjusted).toMatchObject({ page: 1, perPage: 1, items: [{ organization_id: shop.id, amount_sar: 600.37 }] });
    expect(adjusted.items[0]).toMatchObject({ entry_type: 'credit', direction: 'credit', note: 'Outage' });
    expect(adjusted.items[0].created_by).toBe(data[0].created_by);
  });

  test('a payment settles the oldest fees first, ends a suspension for unpaid fees at once, and the rest stays in the wallet', async () => {
    const shop = await openShop(fleet, 'Late', 'متأخر', 2);
    await bill(fleet, '2026-05-03T00:00:00Z');
    await bill(fleet, '2026-06-20T00:00:00Z');
    const asShop = (target: string) => call(service.baseUrl, target, { token: shop.token });
    await expect.poll(async () => (await asShop('GET /branches')).status).toBe(402);
    const owing = (await asShop('GET /billing')).body;
    expect(owing).toMatchObject({
      status: 'suspended',
      suspension: { by: 'billing', what_to_do: expect.stringContaining('1150.00 SAR') },
      fees: { outstanding_sar: 1150, overdue_sar: 1150 },
      next_charge_date: '2026-07-01',
    });

    const body = { organization_id: shop.id, amount_sar: 575, method: 'bank_transfer', reference: 'SARIE 1' };
    const paid = await ask('POST /commercial/payments', body);
    expect([paid.status, paid.body]).toEqual([
      201,
      expect.objectContaining({ status: 'succeeded', amount_sar: 575, vat_sar: 0, resumed: true, to_wallet_sar: 0 }),
    ]);
    expect(paid.body.applications.map((one: ReplyBody) => one.due_date)).toEqual(['2026-05-15', '2026-05-15']);
    expect((await asShop('GET /branches')).status).toBe(200);
    expect((await asShop('GET /billing')).body).toMatchObject({ status: 'past_due', suspension: null });
    const recent = await got('GET /commercial/recent-payments');
    expect(recent.items[0]).toMatchObject({ id: paid.body.id, organization_name_en: 'Late', reference: 'SARIE 1' });
    const fees = (await asShop('GET /billing/fees')).body;
    expect(fees.data.map((fee: ReplyBody) => fee.status)).toEqual(['overdue', 'overdue', 'paid', 'paid']);
    expect((await asShop('GET /billing/ledger')).body).toMatchObject({ total_count: 3, count: 3 });
  });

  const wrongAmounts = [0, -1, 0.001, 10.005, 1_000_000_000.01, 1e300, '10', null];
  test.each(wrongAmounts)('422, and 400 in a query: an amount of %s', async (amount_sar) => {
    const { id: organization_id } = await openShop(fleet, 'Amounts', 'مبالغ');
    const bodies = [
      ['POST /commercial/tenant-credit', { organization_id, amount_sar, note: 'why' }],
      ['POST /commercial/payments', { organization_id, amount_sar, method: 'cash', reference: 'R' }],
    ] as const;
    for (const [target, body] of bodies) {
      const refused = await ask(target, body);
      expect([refused.status, Object.keys(refused.body.details)]).toEqual([422, ['amount_sar']]);
    }
    if (amount_sar === '10') return;
    const query = `organization_id=${organization_id}&amount_sar=${amount_sar}`;
    const refused = await ask(`GET /commercial/tenant-credit/preview?${query}`);
    expect([refused.status, Object.keys(refused.body.details)]).toEqual([400, ['amount_sar']]);
    expect((await got(`GET /commercial/organizations/${organization_id}/ledger`)).total_count).toBe(0);
  });

  test('unknown organizations, invalid bodies and invalid queries are rejected', async () => {
    const { id: organization_id } = await openShop(fleet, 'Refused', 'مرفوض');
    const credit = { organization_id, amount_sar: 1, note: 'why' };
    const payment = { organization_id, amount_sar: 1, method: 'cash', reference: 'R' };
    const wrong = [
      ['POST /commercial/tenant-credit', { ...credit, note: ' ' }, 422, 'note'],
      ['POST /commercial/tenant-credit', { ...credit, note: undefined }, 422, 'note'],
      ['POST /commercial/tenant-credit', { ...credit, organization_id: newId() }, 404, 'id'],
      ['POST /commercial/tenant-credit', { ...credit, organization_id: 'x' }, 404, 'id'],
      ['POST /commercial/payments', { ...payment, method: 'barter' }, 422, 'method'],
      ['POST /commercial/payments', { ...payment, reference: '  ' }, 422, 'reference'],
      ['POST /commercial/payments', { ...payment, organization_id: newId() }, 404, 'id'],
      ['GET /commercial/tenant-credit/preview?amount_sar=1', undefined, 400, 'organization_id'],
      [`GET /commercial/tenant-credit/preview?organization_id=${newId()}&amount_sar=1`, undefined, 404, 'id'],
      [`GET /commercial/organizations/${newId()}/ledger`, undefined, 404, 'id'],
      [`GET /commercial/organizations/${organization_id}/ledger?limit=0`, undefined, 400, 'limit'],
      ['GET /commercial/audit?organization_id=x', undefined, 400, 'organization_id'],
      ['GET /commercial/audit?from=yesterday', undefined, 400, 'from'],
    ] as const;
    for (const [target, body, status, field] of wrong) {
      const refused = await ask(target, body);
      expect([target, refused.status, Object.keys(refused.body.details)]).toEqual([target, status, [field]]);
    }
  });
});

describe('the pager', () => {
  test.each([
    ['', 1, 25],
    ['page=2&perPage=3', 2, 3],
    ['perPage=100', 1, 100],
    ['perPage=101', 1, 100],
    ['perPage=99999999999999999999', 1, 100],
    ['perPage=0&page=0', 1, 25],
    ['perPage=-5&page=-1', 1, 25],
    ['perPage=many&page=first', 1, 25],
    ['perPage=&page=', 1, 25],
    ['perPage=2.5&page=1.5', 1, 25],
  ])('?%s', async (query, page, perPage) => {
    for (const list of ['recent-payments', 'balance-adjustments']) {
      const answer = await got(`GET /commercial/${list}?${query}`);
      expect(Object.keys(answer)).toEqual(['page', 'perPage', 'totalItems', 'items']);
      expect([answer.page, answer.perPage]).toEqual([page, perPage]);
      expect(answer.items.length).toBe(Math.max(0, Math.min(perPage, answer.totalItems - (page - 1) * perPage)));
    }
  });

  test('pages do not overlap, newest first', async () => {
    const { id: organization_id } = await openShop(fleet, 'Pages', 'صفحات');
    for (let number = 1; number <= 5; number += 1) {
      clock.advanceMs(1_000);
      await ask('POST /commercial/payments', { organization_id, amount_sar: number, method: 'cash', reference: 'P' });
      await ask('POST /commercial/tenant-credit', { organization_id, amount_sar: number, note: 'P' });
    }
    for (const list of ['recent-payments', 'balance-adjustments']) {
      const pages = [1, 2, 3].map((page) => got(`GET /commercial/${list}?perPage=2&page=${page}`));
      const items = (await Promise.all(pages)).flatMap((page) => page.items);
      expect(items.slice(0, 5).map((row: ReplyBody) => row.amount_sar)).toEqual([5, 4, 3, 2, 1]);
    }
  });
});
