import { describe, expect, test } from 'vitest';
import { testAccount, testOrganization, testService } from '../../../test/harness/index.ts';
import { publishedAnswers } from '../../../test/harness/published-answers.ts';
import { movableClock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { vendorOf, wooOrder } from './testing/vendor.ts';

const clock = movableClock(new Date('2026-11-15T10:00:00Z'));
const service = await testService({}, { clock });
const shop = await testOrganization(service.sql);
const check = await publishedAnswers(service.baseUrl);
const { ask, install, send, sendOrder, staged, settled } = vendorOf(service, shop);
const mend = async (id: string, payload: unknown, options = {}) => {
  const target = `PUT /staging/${id}/payload`;
  const reply = await ask(target, { body: { payload }, ...options });
  expect(check(target, reply)).toEqual([]);
  return reply;
};
const TOPIC = { 'content-type': 'application/json', 'x-wc-webhook-topic': 'order.updated' };

describe('PUT /staging/{id}/payload', () => {
  test('mends a failed payload, which a retry makes an order of, and keeps what the vendor sent', async () => {
    const installId = await install();
    const broken = '{"id": 41, "total": ';
    const id = (await send({ installId, body: broken, headers: TOPIC })).body.data.staging_id;
    expect(await settled(id)).toMatchObject({ status: 'failed', original_payload: null, mended_by: null });
    const whole = JSON.stringify(wooOrder({ id: 41 })).replace(
      '"number":"1042"',
      '"number":"1042","long":12345678901234567890',
    );
    expect((await mend(id, '{"id": 41}')).status).toBe(200);
    expect((await mend(id, whole)).body.data).toMatchObject({ id, status: 'failed' });
    expect(await staged(id)).toMatchObject({
      payload: whole,
      original_payload: broken,
      mended_by: shop.owner.email,
      mended_at: clock.now().toISOString(),
    });
    expect((await ask(`POST /staging/${id}/retry`)).status).toBe(202);
    expect(await settled(id)).toMatchObject({ status: 'processed', outcome: 'created', external_order_id: '41' });
    const entries = (await ask(`GET /audit?resource_id=${id}`)).body.data;
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(['retry', 'update', 'update']);
  });

  test('returns 409 for a payload that did not fail, 422 for text that is no JSON, 404 for an unknown one', async () => {
    const installId = await install();
    const processed = await sendOrder(installId, wooOrder({ id: 42 }));
    await settled(processed);
    const refused = await mend(processed, '{}');
    expect([refused.status, refused.body.details]).toEqual([409, { id: processed, status: 'processed' }]);
    const failed = (await send({ installId, body: 'no order' })).body.data.staging_id;
    await settled(failed);
    for (const text of ['', '{', 'no order', '{"a":1} x']) expect((await mend(failed, text)).status).toBe(422);
    expect((await mend(failed, '{"a":"\0"}')).status).toBe(400);
    expect((await mend(failed, { id: 1 })).status).toBe(422);
    expect((await staged(failed)).payload).toBe('no order');
    for (const id of [newId(), 'nonsense']) expect((await mend(id, '{}')).status).toBe(404);
    const foreign = (await testOrganization(service.sql)).owner.token;
    expect((await mend(failed, '{}', { token: foreign })).status).toBe(404);
    const viewer = await testAccount(service.sql, shop.id, 'viewer');
    expect((await mend(failed, '{}', { token: viewer.token })).status).toBe(403);
  });
});

describe('GET /apps/{id}/health', () => {
  const health = async (id: string, query = '', options = {}) => {
    const target = `GET /apps/${id}/health${query}`;
    const reply = await ask(target, options);
    expect(check(target, reply)).toEqual([]);
    return reply;
  };

  test('counts payloads by the days of the organization, days without one included', async () => {
    const [installId, other] = [await install(), await install()];
    const receive = async (receivedAt: string, status: string) => {
      await service.sql`
        insert into staged_payloads (organization_id, organization_app_id, id, app_slug, method, path, query, headers, payload,
                                     status, received_at)
        values (${shop.id}, ${installId}, ${newId()}, 'woocommerce', 'POST', '', '{}', '{}', '', ${status}, ${receivedAt})`;
    };
    await receive('2026-11-15T08:00:00Z', 'processed');
    await receive('2026-11-14T22:00:00Z', 'failed');
    // In Riyadh still the 14th.
    await receive('2026-11-14T20:59:59Z', 'pending');
    const { body } = await health(installId, '?days=3');
    expect(body).toEqual({
      data: [
        { date: '2026-11-13', received: 0, processed: 0, failed: 0 },
        { date: '2026-11-14', received: 1, processed: 0, failed: 0 },
        { date: '2026-11-15', received: 2, processed: 1, failed: 1 },
      ],
      count: 3,
    });
    expect((await health(installId)).body.count).toBe(30);
    expect((await health(other, '?days=1')).body.data).toMatchObject([{ received: 0 }]);
  });

  test('returns 400 for other numbers of days, 404 for an install of another organization', async () => {
    const installId = await install();
    for (const days of ['0', '31', 'x', '1.5']) expect((await health(installId, `?days=${days}`)).status).toBe(400);
    for (const id of [newId(), 'nonsense']) expect((await health(id)).status).toBe(404);
    const foreign = (await testOrganization(service.sql)).owner.token;
    expect((await health(installId, '', { token: foreign })).status).toBe(404);
  });
});
