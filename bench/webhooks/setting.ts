import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { newSecret, signatureHeader } from '../../src/modules/webhooks/signature.ts';
import { lockQueues, updateQueues } from '../../src/modules/webhooks/sql/subscription-queues.ts';
import { inTransaction, type Sql, weekStart } from '../../src/platform/database/index.ts';
import { testOrganization } from '../../test/harness/accounts.ts';
import { call } from '../../test/harness/client.ts';
import type { Frame } from '../frame/frame.ts';
import type { BenchService } from '../frame/start-service.ts';
import { newOrderBody } from '../orders/fill.ts';
import { openReceiver, type Receiver } from './receiver.ts';

export type Tenant = {
  id: string;
  token: string;
  subscriptionId: string;
  /** An event of theirs without its id and its place, as an order leaves it in the outbox. */
  event: { orderId: string; tail: string };
};

export type WebhookSetting = Pick<Receiver, 'takeFigures' | 'readFigures' | 'received'> & {
  service: BenchService;
  poster: { baseUrl: string };
  /** A tenant whose events go to one path of the receiver. */
  addTenant(target: string): Promise<Tenant>;
};

/** The service, its receiver and the baseline, each in a process of its own, all on the loopback over TLS. */
export async function openSetting(frame: Frame): Promise<WebhookSetting> {
  const { folder, origin, tlsCa, serviceEnv, ...receiver } = await openReceiver(frame);
  const lettersFile = path.join(folder, 'letters.json');
  await writeFile(lettersFile, JSON.stringify(signedLetters()));
  const poster = await frame.startBaseline('undici-poster.ts', {
    TARGET: `${origin}/fast`,
    TLS_CA: tlsCa,
    LETTERS: lettersFile,
  });
  const service = await frame.startService({ env: serviceEnv });

  return {
    service,
    poster,
    ...receiver,
    async addTenant(target) {
      const { id, owner } = await testOrganization(service.sql);
      const { token } = owner;
      // Before there is a subscription: it is a pattern for others, and is not itself delivered.
      const event = await makeEvent(service, id, token);
      const body = { url: `${origin}${target}` };
      const made = await call<{ id: string }>(service.baseUrl, 'POST /webhook-subscriptions', { token, body });
      if (made.status !== 201) throw new Error(made.text);
      return { id, token, subscriptionId: made.body.id, event };
    },
  };
}

/** What the baseline posts: as large as an order's event, signed as we sign. */
function signedLetters(): { body: string; headers: Record<string, string> }[] {
  const secret = newSecret();
  const timestampSeconds = Math.floor(Date.now() / 1000);
  return Array.from({ length: 500 }, (_, index) => {
    const id = `evt_${timestampSeconds}000000_${index}`;
    const body = eventBody(id);
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'dukkan-webhooks',
        'webhook-id': id,
        'webhook-timestamp': String(timestampSeconds),
        'webhook-signature': signatureHeader({ id, timestampSeconds, body, secrets: [secret] }),
        'x-svc-event-type': 'order.created',
        'x-svc-organization-id': '0193a1f0-7c00-7000-8000-000000000001',
      },
    };
  });
}

const EVENT_BYTES = 1400;

function eventBody(id: string): string {
  const head = `{"spec_version":"2026-09-29","id":"${id}","type":"order.created","order":{"comment":"`;
  return `${head}${'x'.repeat(EVENT_BYTES - head.length)}"}}`;
}

/** Real, by way of a real order: other readers of the feed read it too. */
async function makeEvent(
  { baseUrl, sql }: BenchService,
  organizationId: string,
  token: string,
): Promise<Tenant['event']> {
  const placed = await call(baseUrl, 'POST /orders', { token, body: newOrderBody() });
  if (placed.status !== 201) throw new Error(placed.text);
  for (;;) {
    const [row] = await sql<{ order_id: string; body: string }[]>`
      select order_id, body from order_events where organization_id = ${organizationId}`;
    if (row === undefined) {
      await delay(10);
      continue;
    }
    const [, tail = ''] = /^.+?"cursor":"[^"]*(".+)$/.exec(row.body) ?? [];
    return { orderId: row.order_id, tail };
  }
}

/** Events as orders would leave them in the outbox, spread over tenants, all committed at once. */
export async function leaveEvents(sql: Sql, tenants: Tenant[], count: number): Promise<void> {
  await sql`
    with changes as (
    insert into order_changes (organization_id, week, order_id, type, occurred_us, tail)
    select t.id, ${weekStart(new Date())}::date, t.order_id, 'order.created', ${Date.now() * 1000}::bigint, t.tail
    from generate_series(0, ${count - 1}) n
    join unnest(${tenants.map((tenant) => tenant.id)}::uuid[], ${tenants.map(({ event }) => event.orderId)}::uuid[],
                ${tenants.map(({ event }) => event.tail)}::text[])
         with ordinality as t (id, order_id, tail, place) on t.place = 1 + n % ${tenants.length}
    order by n
    returning id, organization_id, order_id, week)
    insert into order_outbox (id, organization_id, order_id, week) overriding system value
    select id, organization_id, order_id, week from changes`;
  await sql`select pg_notify('order_outbox', '')`;
}

/** What the server still has to write and to clear up after the case before would be felt in the one to come. */
export async function calmDown(sql: Sql): Promise<void> {
  await sql`vacuum`;
  // On a server that is not ours, the account may not be allowed to.
  await sql`checkpoint`.catch(() => undefined);
}

/** Pauses or resumes, as the route would, any number at once. */
export function setStatus(sql: Sql, tenants: Tenant[], status: 'active' | 'paused'): Promise<void> {
  const ids = tenants.map((tenant) => tenant.subscriptionId);
  return inTransaction(sql, async (tx) => {
    await lockQueues(tx, ids);
    for (const id of ids) await updateQueues(tx, id, status, false);
    await tx`select pg_notify('webhook_queue', '')`;
  });
}

/** Until every event has become deliveries and all of theirs are sent and settled. */
export async function settled(sql: Sql, tenants: Tenant[]): Promise<void> {
  const ids = tenants.map((tenant) => tenant.subscriptionId);
  for (;;) {
    const [row] = await sql<{ done: boolean }[]>`
      select not exists (select 1 from order_outbox) and not exists (select 1 from webhook_queued_deliveries where subscription_id = any(${ids}::uuid[]))
         and (select f.position = p.last_position from event_followers f, event_positions p where f.name = 'webhooks')
         as done`;
    if (row?.done) return;
    await delay(10);
  }
}
