import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../../../test/harness/index.ts';
import { openShop, type Shop } from '../testing/shop.ts';
import { applyDuePrices } from './apply-due-prices.ts';

let setting: Shop;
beforeAll(async () => {
  setting = await openShop();
});

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(setting.clock.now().getTime() + hours * HOUR_MS).toISOString();
type Answer = { details: Record<string, unknown>; data: Record<string, unknown> & { id: string } & [] };
const ask = (target: string, body?: unknown, token = setting.shop.owner.token, headers?: Record<string, string>) =>
  call<Answer>(setting.service.baseUrl, target, { token, body, headers });
const schedule = (fields: object) =>
  ask('POST /skus/scheduled-prices', {
    sku_iv_ids: ['PAN-500_RUH-01'],
    percent: -20,
    starts_at: inHours(1),
    ...fields,
  });
/** Three processes at once, as many as may run the job. */
const apply = async () => {
  const tools = { sql: setting.service.sql, clock: setting.clock };
  const counts = await Promise.all([applyDuePrices(tools), applyDuePrices(tools), applyDuePrices(tools)]);
  return counts.reduce((sum, count) => sum + count, 0);
};
const priceOf = async (ivId: string) =>
  ((await setting.get(`/skus/${ivId}`)).body as unknown as { price: number | null }).price;
const passHours = (hours: number) => setting.clock.advanceMs(hours * HOUR_MS);

describe('scheduled prices', () => {
  it('start and end at their time, once across processes, and restore what was before', async () => {
    await setting.patch('PAN-500_JED-01', { price: 10 });
    const sku_iv_ids = ['PAN-500_RUH-01', 'PAN-500_JED-01', 'PAN-500_RUH-01'];
    const created = await schedule({ sku_iv_ids, ends_at: inHours(3) });
    expect(created.status, created.text).toBe(201);
    expect(created.body.data).toEqual({ id: expect.any(String), skus: 2 });
    expect(await apply()).toBe(0);
    passHours(1);
    expect(await apply()).toBe(1);
    expect([await priceOf('PAN-500_RUH-01'), await priceOf('PAN-500_JED-01')]).toEqual([7, 8]);
    expect((await ask('GET /skus/scheduled-prices?status=active')).body.data).toMatchObject([
      { percent: -20, price: null, status: 'active', skus: 2, first_sku_iv_ids: ['PAN-500_JED-01', 'PAN-500_RUH-01'] },
    ]);
    passHours(2);
    expect(await apply()).toBe(1);
    expect([await priceOf('PAN-500_RUH-01'), await priceOf('PAN-500_JED-01')]).toEqual([null, 10]);
    expect(await apply()).toBe(0);
    await setting.patch('PAN-500_JED-01', { price: null });
  });

  it('keep a price that was changed by hand meanwhile, and stay without an end', async () => {
    await schedule({ sku_iv_ids: ['MILK_1L_RUH-01'], percent: undefined, price: 5, ends_at: inHours(2) });
    await schedule({ sku_iv_ids: ['MILK_1L_JED-01'], percent: undefined, price: 4 });
    passHours(1);
    await apply();
    expect([await priceOf('MILK_1L_RUH-01'), await priceOf('MILK_1L_JED-01')]).toEqual([5, 4]);
    await setting.patch('MILK_1L_RUH-01', { price: 5.5 });
    passHours(5);
    await apply();
    expect([await priceOf('MILK_1L_RUH-01'), await priceOf('MILK_1L_JED-01')]).toEqual([5.5, 4]);
  });

  it('refuse an overlap on one SKU with 409, also for requests at the same moment, and allow the time after it', async () => {
    const period = { sku_iv_ids: ['DATES_RUH-01'], starts_at: inHours(1), ends_at: inHours(2) };
    const replies = await Promise.all(Array.from({ length: 4 }, () => schedule(period)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const refused = replies.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({
      error: 'Prices are already scheduled',
      details: { sku_iv_ids: ['DATES_RUH-01'] },
    });
    expect((await schedule({ sku_iv_ids: ['DATES_RUH-01'], starts_at: inHours(2) })).status).toBe(201);
    expect((await schedule({ sku_iv_ids: ['DATES_RUH-01'], starts_at: inHours(9) })).status).toBe(409);
  });

  it('end before the next one of the SKU starts at the same moment, also after an interruption', async () => {
    const ivId = 'DATES_DMM_02';
    const periods = [1, 2, 3].map((hour) => ({ starts_at: inHours(hour), ends_at: inHours(hour + 1) }));
    for (const period of periods) expect((await schedule({ sku_iv_ids: [ivId], ...period })).status).toBe(201);
    const usual = await priceOf(ivId);
    const prices: (number | null)[] = [];
    for (let hour = 1; hour <= 4; hour += 1) {
      passHours(1);
      await apply();
      prices.push(await priceOf(ivId));
    }
    expect(prices).toEqual([prices[0], prices[0], prices[0], usual]);
    expect(prices[0]).not.toBe(usual);

    for (const hour of [1, 2, 3]) {
      await schedule({ sku_iv_ids: [ivId], starts_at: inHours(hour), ends_at: inHours(hour + 1) });
    }
    passHours(10);
    expect(await apply()).toBe(6);
    expect(await priceOf(ivId)).toBe(usual);
  });

  it('raise no price above the highest that a price may be', async () => {
    await setting.patch('MILK_1L_DMM_02', { price: 1e12 });
    await schedule({ sku_iv_ids: ['MILK_1L_DMM_02'], percent: 500, ends_at: inHours(2) });
    passHours(1);
    await apply();
    expect(await priceOf('MILK_1L_DMM_02')).toBe(1e12);
  });

  it('are cancelled before the start without a change, and end at once when active', async () => {
    const waiting = await schedule({ sku_iv_ids: ['DATES_JED-01'] });
    const at = (id: string) => `DELETE /skus/scheduled-prices/${id}`;
    expect((await ask(at(waiting.body.data.id))).status).toBe(204);
    expect((await ask(at(waiting.body.data.id))).status).toBe(404);
    expect((await ask(at('nothing'))).status).toBe(404);
    const active = await schedule({ sku_iv_ids: ['DATES_JED-01'], ends_at: inHours(4) });
    passHours(1);
    await apply();
    expect(await priceOf('DATES_JED-01')).toBe(44);
    expect((await ask(at(active.body.data.id), undefined, setting.other.owner.token)).status).toBe(404);
    expect((await ask(at(active.body.data.id))).status).toBe(204);
    expect(await priceOf('DATES_JED-01')).toBeNull();
  });

  it('return 422 by field for invalid input, 401 and 403 to callers without the right', async () => {
    for (const [fields, field] of [
      [{ price: 3 }, 'price'],
      [{ percent: undefined }, 'price'],
      [{ percent: -91 }, 'percent'],
      [{ starts_at: 'tomorrow' }, 'starts_at'],
      [{ ends_at: inHours(1) }, 'ends_at'],
      [{ starts_at: inHours(-3), ends_at: inHours(-1) }, 'ends_at'],
      [{ sku_iv_ids: [] }, 'sku_iv_ids'],
      [{ sku_iv_ids: ['NONE'] }, 'sku_iv_ids'],
    ] as const) {
      const { status, body } = await schedule(fields);
      expect([status, Object.keys(body.details)], JSON.stringify(fields)).toEqual([422, [field]]);
    }
    const body = { sku_iv_ids: ['PAN-500_RUH-01'], price: 1, starts_at: inHours(50) };
    for (const [token, status] of [
      ['none', 401],
      [setting.viewer.token, 403],
      [setting.confined.token, 403],
    ] as const) {
      expect((await ask('POST /skus/scheduled-prices', body, token)).status).toBe(status);
    }
    const headers = { 'idempotency-key': 'schedule-1' };
    const first = await ask('POST /skus/scheduled-prices', body, undefined, headers);
    expect((await ask('POST /skus/scheduled-prices', body, undefined, headers)).body).toEqual(first.body);
  });
});
