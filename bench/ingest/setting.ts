import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../../src/platform/database/index.ts';
import { testOrganization } from '../../test/harness/accounts.ts';
import { call } from '../../test/harness/client.ts';
import type { BenchService } from '../frame/start-service.ts';
import type { BenchInstall } from './payloads.ts';

const TENANTS = 8;
const INSTALLS_EACH = 4;

/** Installs of several tenants, one after the other in turns: two neighbours in the list are of two tenants. */
export async function addInstalls({ baseUrl, sql }: BenchService): Promise<BenchInstall[]> {
  const shops = [];
  for (let tenant = 0; tenant < TENANTS; tenant += 1) shops.push(await testOrganization(sql));
  const installs: BenchInstall[] = [];
  for (let turn = 0; turn < INSTALLS_EACH; turn += 1) {
    for (const { id: organizationId, owner } of shops) {
      const secret = randomBytes(24).toString('base64url');
      const body = { app_slug: 'woocommerce', settings: { webhook_secret: secret } };
      const made = await call<{ data: { id: string } }>(baseUrl, 'POST /apps', { token: owner.token, body });
      if (made.status !== 201) throw new Error(made.text);
      installs.push({ id: made.body.data.id, organizationId, secret });
    }
  }
  return installs;
}

/** Two of one tenant, and one of another. */
export function chooseNeighbours(installs: BenchInstall[]) {
  const [loud] = installs;
  const sameTenant = installs.find((one) => one.organizationId === loud?.organizationId && one !== loud);
  const otherTenant = installs.find((one) => one.organizationId !== loud?.organizationId);
  if (!loud || !sameTenant || !otherTenant) throw new Error('there are too few installs');
  return { loud, sameTenant, otherTenant };
}

/** Nothing is left to read, to stamp or to add up; and what the server has to write and clear up is done. */
export async function calmDown(sql: Sql): Promise<void> {
  for (;;) {
    const [row] = await sql<{ done: boolean }[]>`
      select not exists (select 1 from staging_queue) and not exists (select 1 from order_outbox)
         and not exists (select 1 from event_followers f, event_positions p where f.position < p.last_position) as done`;
    if (row?.done) break;
    await delay(50);
  }
  await sql`vacuum analyze staging_queue, staged_payloads, staging_receipts, orders, order_outbox`;
  await checkpoint(sql);
}

export async function checkpoint(sql: Sql): Promise<void> {
  // On a server that is not ours, the account may not be allowed to.
  await sql`checkpoint`.catch(() => undefined);
}
