import { expect } from 'vitest';
import {
  call,
  type ReplyBody,
  type TestOrganization,
  testAccount,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { movableClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { newOrder } from '../../orders/testing/new-order.ts';

/** Half past noon in Riyadh, whose days begin at 21:00 UTC. */
export const NOON = new Date('2026-11-16T09:30:00Z');

export type DashboardShop = TestOrganization & { branches: [string, string]; channel: string; confined: string };

/** A service with a movable clock at noon, and functions that create shops with two branches and a channel. */
export async function startDashboards() {
  const clock = movableClock(NOON);
  const service = await testService({}, { clock });
  const { sql } = service;
  // At seven minutes past the hour this job makes forecasts of every shop that sells, and `consumption` then comes from them and no longer
  // from sales.
  await sql`delete from pgboss.schedule where name = 'find-old-forecasts'`;

  async function openShop(): Promise<DashboardShop> {
    const shop = await testOrganization(sql);
    const branches: [string, string] = [newId(), newId()];
    const channel = newId();
    for (const [index, id] of branches.entries()) {
      await sql`insert into branches (organization_id, id, iv_id, name_en, name_ar, created, updated)
                values (${shop.id}, ${id}, ${`B-${index}`}, ${`Branch ${index}`}, ${`فرع ${index}`}, ${NOON}, ${NOON})`;
    }
    await sql`insert into app_installs (organization_id, id, app_slug, name_en, name_ar, family, kind, created, updated)
              values (${shop.id}, ${channel}, 'app-0', 'App', 'تطبيق', 'delivery_app', 'app', ${NOON}, ${NOON})`;
    const { token } = await testAccount(sql, shop.id, 'member', { branchId: branches[0] });
    return { ...shop, branches, channel, confined: token };
  }

  async function dashboard(token: string, query = ''): Promise<ReplyBody> {
    const { status, body, text } = await call(service.baseUrl, `GET /analytics/dashboard${query}`, { token });
    expect(status, text).toBe(200);
    return body;
  }

  async function place(shop: DashboardShop, fields: Record<string, unknown>): Promise<string> {
    const { status, body, text } = await call(service.baseUrl, 'POST /orders', {
      token: shop.owner.token,
      body: newOrder(fields),
    });
    expect(status, text).toBe(201);
    return body.data.id;
  }

  return { clock, service, sql, openShop, dashboard, place };
}
