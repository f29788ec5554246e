import { describe, expect, it } from 'vitest';
import { testOrganization } from '../../../../test/harness/index.ts';
import { newId } from '../../../platform/ids.ts';
import { listChargeableAssignments } from './index.ts';
import { BASE, startBillableServices } from './testing/start-billable-services.ts';

const { sql, shop, ask, asked, newService, install, auditOf } = await startBillableServices();
const app = await install();

describe('assignments', () => {
  const assign = (body: unknown, headers?: Record<string, string>) => asked(`POST ${BASE}/assign`, { body, headers });

  it('give an install one service, which can be changed and ended', async () => {
    const [one, other] = [await newService({ price_sar: 20.25 }), await newService({ price_sar: 30 })];
    const made = await assign({ organization_app_id: app, service_id: one.id });
    const row = {
      organization_app_id: app,
      organization_id: shop.id,
      service_id: one.id,
      price_sar: 20.25,
      quantity: 1,
      status: 'active',
      starts_at: expect.any(String),
      created: expect.any(String),
      updated: expect.any(String),
    };
    expect([made.status, made.body]).toEqual([201, row]);
    const second = await assign({ organization_app_id: app, service_id: other.id });
    expect([second.status, second.body.error]).toEqual([409, 'App already has a service']);

    const at = `${BASE}/assignments/${app}`;
    const changed = await asked(`PATCH ${at}`, { body: { quantity: 3, starts_at: '2026-12-01T00:00:00+03:00' } });
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...row, quantity: 3, starts_at: '2026-11-30T21:00:00.000Z' },
    ]);
    const moved = await asked(`PATCH ${at}`, { body: { service_id: other.id } });
    expect(moved.body).toMatchObject({ service_id: other.id, price_sar: 30, quantity: 3 });
    // A catalog price is where an assignment begins; it does not follow.
    await asked(`PATCH ${BASE}/${other.id}`, { body: { price_sar: 31 } });
    const { body: listed } = await asked(`GET ${BASE}/assignments`);
    expect(listed).toEqual({ items: [moved.body], total_items: 1 });
    const priced = await asked(`PATCH ${at}`, { body: { price_sar: 25.5, status: 'paused' } });
    expect(priced.body).toMatchObject({ price_sar: 25.5, status: 'paused' });
    expect(await listChargeableAssignments(sql, shop.id)).toEqual([]);

    const ended = await asked(`DELETE ${at}`);
    expect([ended.status, ended.body]).toEqual([200, priced.body]);
    expect((await asked(`DELETE ${at}`)).status).toBe(404);
    expect((await asked(`PATCH ${at}`, { body: { quantity: 1 } })).body.error).toBe('Assignment not found');
    expect((await auditOf(app)).slice(1)).toEqual([
      expect.objectContaining({ organization_id: shop.id, actor_kind: 'operator', action: 'assign-service' }),
      expect.objectContaining({ action: 'update-service', changed_fields: ['quantity', 'starts_at'] }),
      expect.objectContaining({ action: 'update-service', changed_fields: ['service_id', 'price_sar'] }),
      expect.objectContaining({ action: 'update-service', changed_fields: ['price_sar', 'status'] }),
      expect.objectContaining({ action: 'unassign-service', resource: 'Apps' }),
    ]);
  });

  it('reject unknown installs and services, inactive services and invalid values', async () => {
    const offered = await newService();
    const gone = await newService({ is_active: false });
    const body = { organization_app_id: app, service_id: offered.id };
    for (const id of [newId(), 'nonsense']) {
      expect((await assign({ ...body, organization_app_id: id })).body).toMatchObject({
        code: 404,
        error: 'App not found',
      });
      expect((await assign({ ...body, service_id: id })).body).toMatchObject({ code: 404, error: 'Service not found' });
      expect((await asked(`PATCH ${BASE}/assignments/${id}`, { body: { quantity: 1 } })).status).toBe(404);
      expect((await asked(`DELETE ${BASE}/assignments/${id}`)).status).toBe(404);
    }
    const inactive = await assign({ ...body, service_id: gone.id });
    expect([inactive.status, inactive.body.details]).toEqual([422, { service_id: 'is a service that is not active' }]);
    for (const wrong of [
      { quantity: 0 },
      { quantity: 1.5 },
      { price_sar: 0 },
      { price_sar: 0.001 },
      { starts_at: 'soon' },
      { service_id: undefined },
    ]) {
      expect((await assign({ ...body, ...wrong })).status, JSON.stringify(wrong)).toBe(422);
    }
    expect((await asked(`GET ${BASE}/assignments?organization_id=x`)).status).toBe(400);
  });

  it('are created once by concurrent requests', async () => {
    const { id } = await newService();
    const body = { organization_app_id: await install(), service_id: id };
    const answers = await Promise.all(Array.from({ length: 20 }, () => assign(body)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(409)]);
    const key = { 'idempotency-key': newId() };
    const another = { organization_app_id: await install(), service_id: id };
    const repeated = await Promise.all(Array.from({ length: 20 }, () => assign(another, key)));
    expect(new Set(repeated.map(({ status }) => status))).toEqual(new Set([201]));
  });

  it('are charged while they are active and their app is installed', async () => {
    const other = await testOrganization(sql);
    const yearly = await newService({ billing_cycle: 'yearly', price_sar: 1800, vat_percent: 5 });
    const [active, removed, paused] = [
      await install(other.owner.token),
      await install(other.owner.token),
      await install(other.owner.token),
    ];
    const starts_at = '2026-01-01T00:00:00.000Z';
    for (const organization_app_id of [active, removed, paused]) {
      await assign({ organization_app_id, service_id: yearly.id, quantity: 2, price_sar: 1700.5, starts_at });
    }
    await asked(`PATCH ${BASE}/assignments/${paused}`, { body: { status: 'paused' } });
    await ask(`DELETE /apps/${removed}`, { token: other.owner.token });
    // No longer offered, and still paid for by who has it.
    await asked(`PATCH ${BASE}/${yearly.id}`, { body: { is_active: false } });
    expect(await listChargeableAssignments(sql, other.id)).toEqual([
      {
        organizationAppId: active,
        serviceId: yearly.id,
        serviceCode: yearly.code,
        priceSar: '1700.50',
        vatPercent: '5.00',
        quantity: 2,
        billingCycle: 'yearly',
        startsAt: new Date(starts_at),
        created: expect.any(Date),
      },
    ]);
    const { body } = await asked(`GET ${BASE}/assignments?organization_id=${other.id}&service_id=${yearly.id}`);
    expect(body.total_items).toBe(3);
    expect((await asked(`GET ${BASE}/assignments?organization_id=${newId()}`)).body).toEqual({
      items: [],
      total_items: 0,
    });
  });
});
