import { beforeAll, describe, expect, test } from 'vitest';
import { call, testAccount, testOrganization, testService } from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { vendorOf } from './testing/vendor.ts';

const DAY_MS = 86_400_000;
const clock = movableClock(new Date('2026-11-15T10:00:00Z'));
// Nothing reads what is received here: rows stay as a test has made them.
const service = await testService({ DUKKAN_ROLES: 'api' }, { clock });
const shop = await testOrganization(service.sql);
const { sql } = service;
const { ask, install, send } = vendorOf(service, shop);

describe('GET /staging', () => {
  let one: string;
  let other: string;
  const ids: string[] = [];
  const listed = async (query: string) =>
    (await ask(`GET /staging?${query}`)).body.data.map(({ id }: { id: string }) => ids.indexOf(id));

  beforeAll(async () => {
    [one, other] = [await install(), await install()];
    for (const [number, to] of [one, other, one, one].entries()) {
      clock.advanceMs(1_000);
      ids.push((await send({ installId: to, body: `list ${number}` })).body.data.staging_id);
    }
    await sql`
      update staged_payloads set status = 'failed', error_code = 'not_json', error_message = 'The payload is not 100% JSON',
        event = 'order.created', external_order_id = 'EXT_1' where id = ${ids[0] ?? ''}`;
    await sql`
      update staged_payloads set status = 'processed', outcome = 'created', order_id = ${one}, external_order_id = 'EXTX1'
      where id = ${ids[2] ?? ''}`;
  });

  test('returns the list envelope, newest first, without payloads', async () => {
    const { status, body } = await ask(`GET /staging?organization_app_id=${one}&limit=2`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ total_count: 3, page: 1, limit: 2 });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([ids[3], ids[2]]);
    expect(body.data[0]).toEqual({
      id: ids[3],
      organization_app_id: one,
      app_slug: 'woocommerce',
      event: null,
      external_order_id: null,
      status: 'pending',
      outcome: '',
      attempts: 0,
      error: null,
      order_id: null,
      received_at: clock.now().toISOString(),
      processed_at: null,
    });
    expect(await listed(`organization_app_id=${one}&limit=2&page=2`)).toEqual([0]);
  });

  test('applies filters alone and together', async () => {
    expect(await listed(`organization_app_id=${other}`)).toEqual([1]);
    expect(await listed('limit=4&app_slug=woocommerce')).toEqual([3, 2, 1, 0]);
    expect(await listed('app_slug=salla')).toEqual([]);
    expect(await listed(`status=failed&organization_app_id=${one}`)).toEqual([0]);
    expect(await listed(`status=processed&organization_app_id=${one}`)).toEqual([2]);
    expect(await listed(`status=pending&organization_app_id=${one}`)).toEqual([3]);
    expect(await listed('organization_app_id=not-an-id')).toEqual([]);
    expect(await listed('organization_app_id=&app_slug=&search=&limit=4')).toEqual([3, 2, 1, 0]);
  });

  test('searches ids, events and messages, without wildcards', async () => {
    expect(await listed('search=EXT_1')).toEqual([0]);
    expect(await listed('search=ext')).toEqual([2, 0]);
    expect(await listed('search=order.cr')).toEqual([0]);
    expect(await listed('search=100%25')).toEqual([0]);
    expect(await listed('search=not_json')).toEqual([0]);
    expect(await listed(`search=${ids[1]}`)).toEqual([1]);
    expect(await listed(`search=${one}`)).toEqual([2]);
    expect(await listed('search=%25%25%25')).toEqual([]);
  });

  test('returns 400 for an unknown status', async () => {
    const { status, body } = await ask('GET /staging?status=lost');
    expect([status, Object.keys(body.details)]).toEqual([400, ['status']]);
  });

  test("returns 404 for an invalid id, an unknown one, another tenant's, and one older than thirty days", async () => {
    const foreign = await testOrganization(sql);
    const target = ids[0] ?? '';
    for (const verb of ['GET /staging/*', 'POST /staging/*/retry', 'DELETE /staging/*']) {
      for (const id of ['not-an-id', newId()]) {
        const { status, body } = await ask(verb.replace('*', id));
        expect([status, body]).toEqual([404, { code: 404, error: 'Staged payload not found', details: { id } }]);
      }
      const { token } = foreign.owner;
      expect((await call(service.baseUrl, verb.replace('*', target), { token })).status).toBe(404);
    }
    expect((await call(service.baseUrl, 'GET /staging', { token: foreign.owner.token })).body.total_count).toBe(0);
    const at = clock.now();
    clock.advanceMs(31 * DAY_MS);
    expect((await ask(`GET /staging/${target}`)).status).toBe(404);
    expect((await ask(`POST /staging/${target}/retry`)).status).toBe(404);
    expect((await ask('GET /staging')).body.total_count).toBe(0);
    clock.moveTo(at);
    expect((await ask(`GET /staging/${target}`)).status).toBe(200);
  });

  test('returns 403 to viewers who write and to branch-confined members', async () => {
    const [branch] = await sql<{ id: string }[]>`
      insert into branches (organization_id, id, iv_id, created, updated)
      values (${shop.id}, ${newId()}, 'BR-1', now(), now()) returning id`;
    const viewer = await testAccount(sql, shop.id, 'viewer');
    const confined = await testAccount(sql, shop.id, 'member', { branchId: branch?.id ?? '' });
    const statuses = async (token: string) =>
      Promise.all(
        ['GET /staging', `GET /staging/${ids[0]}`, `POST /staging/${ids[0]}/retry`, `DELETE /staging/${ids[0]}`].map(
          async (target) => (await ask(target, { token })).status,
        ),
      );
    expect(await statuses(viewer.token)).toEqual([200, 200, 403, 403]);
    expect(await statuses(confined.token)).toEqual([403, 403, 403, 403]);
  });

  test('returns 202 for a retry and records it, and a deletion, in the audit', async () => {
    const [id = ''] = ids;
    const { status, body } = await ask(`POST /staging/${id}/retry`);
    expect(status).toBe(202);
    expect(body.data).toMatchObject({
      id,
      status: 'pending',
      outcome: '',
      attempts: 0,
      error: null,
      processed_at: null,
    });
    expect(await sql`select from staging_queue where staging_id = ${id}`).toHaveLength(1);
    expect((await ask(`DELETE /staging/${id}`)).status).toBe(200);
    const { body: audit } = await ask('GET /audit?resource=Apps&limit=100');
    const actions = audit.data
      .filter((row: { resource_id: string }) => row.resource_id === id)
      .map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['delete', 'retry']);
  });
});
