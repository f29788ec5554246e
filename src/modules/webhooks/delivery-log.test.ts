import { beforeAll, describe, expect, it } from 'vitest';
import { publishedAnswers } from '../../../test/harness/published-answers.ts';
import { weekStart } from '../../platform/database/index.ts';
import { type DeliveryBody, openWebhookService, POLL_OPTIONS, type WebhookService } from './testing/webhook-service.ts';

const DAY = 86_400_000;
let stage: WebhookService;

beforeAll(async () => {
  stage = await openWebhookService({ settings: { METRICS_TOKEN: 'scrape me' } });
});

type Page = {
  data: DeliveryBody[];
  count: number;
  total_count: number;
  page: number;
  limit: number;
  has_next: boolean;
};

describe('the delivery log', () => {
  it('pages newest first in the list envelope, and filters by status', async () => {
    const answers = [200, 200, 500, 200, 500];
    const receiver = await stage.receiver((_request, response) => response.writeHead(answers.shift() ?? 200).end());
    const { id } = await stage.subscribe(receiver);
    const expected: string[] = [];
    for (let count = 1; count <= 5; count += 1) {
      stage.clock.advanceMs(1);
      await stage.call(`POST /webhook-subscriptions/${id}/test`);
      await expect.poll(async () => (await stage.log(id))[0]?.attempts, POLL_OPTIONS).toBe(1);
      expected.unshift((await stage.log(id))[0]?.id ?? '');
    }
    const read = async (query: string) =>
      (await stage.call<Page>(`GET /webhook-subscriptions/${id}/deliveries${query}`)).body;
    const all = await read('');
    expect(Object.keys(all)).toEqual(['data', 'count', 'total_count', 'page', 'limit', 'has_next', 'meta']);
    expect(all).toMatchObject({ count: 5, total_count: 5, page: 1, limit: 20, has_next: false, meta: {} });
    expect(all.data.map((row) => row.id)).toEqual(expected);

    const pages = [await read('?limit=2'), await read('?limit=2&page=2'), await read('?limit=2&page=3')];
    expect(pages.flatMap((page) => page.data.map((row) => row.id))).toEqual(expected);
    expect(pages.map((page) => [page.count, page.total_count, page.has_next])).toEqual([
      [2, 5, true],
      [2, 5, true],
      [1, 5, false],
    ]);

    expect(await read('?status=delivered&limit=1')).toMatchObject({ count: 1, total_count: 3, has_next: true });
    expect(await read('?status=pending')).toMatchObject({ count: 2, total_count: 2 });
    expect(await read('?status=dead')).toMatchObject({ data: [], count: 0, total_count: 0 });
    expect(await read('?status=skipped')).toMatchObject({ data: [] });
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });

  it.each(['?status=lost', '?page=0', '?limit=101', '?page=x'])('refuses %s', async (query) => {
    const { id } = await stage.subscribe('https://hooks.example.com/');
    expect((await stage.call(`GET /webhook-subscriptions/${id}/deliveries${query}`)).status).toBe(400);
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });

  it('keeps the last hundred attempts of a delivery that is replayed without end', async () => {
    const receiver = await stage.receiver();
    const { id } = await stage.subscribe(receiver);
    const { body } = await stage.call<{ id: string }>(`POST /webhook-subscriptions/${id}/test`);
    await stage.logOf(id, ['delivered']);
    await stage.service.sql`
      update webhook_deliveries set attempts = 100,
        attempt_log = (select jsonb_agg(jsonb_build_object('at', n::text, 'status_code', 200, 'error', '',
                         'duration_ms', 1, 'response_excerpt', '')) from generate_series(1, 100) n)
      where id = ${body.id}`;
    await stage.call(`POST /webhook-subscriptions/${id}/deliveries/${body.id}/replay`);
    await expect.poll(async () => (await stage.log(id))[0], POLL_OPTIONS).toMatchObject({ attempts: 101 });
    const [row] = await stage.log(id);
    expect(row?.attempt_log).toHaveLength(100);
    expect(row?.attempt_log[0]?.at).toBe('2');
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });
});

describe('one delivery', () => {
  type Whole = DeliveryBody & { headers: Record<string, string>; payload: Record<string, unknown> | null };
  const read = async (id: string, delivery: string) => {
    const target = `GET /webhook-subscriptions/${id}/deliveries/${delivery}`;
    const reply = await stage.call<Whole>(target);
    expect([reply.status, reply.text]).toEqual([200, expect.anything()]);
    const check = await publishedAnswers(stage.service.baseUrl);
    expect(check(target, reply)).toEqual([]);
    return reply;
  };
  const bytesOf = (text: string) => text.slice(text.indexOf(',"payload":') + ',"payload":'.length, -1);

  it('returns the log row and the payload byte for byte, without secret and signature', async () => {
    const receiver = await stage.receiver();
    const { id, secret } = await stage.subscribe(receiver);
    await stage.placeOrder();
    const [row] = await stage.logOf(id, ['delivered']);
    const [sent] = receiver.requests;
    const { body: whole, text } = await read(id, row?.id ?? '');
    expect(bytesOf(text)).toBe(sent?.rawBody.toString());
    const { headers: shown, payload, ...rest } = whole;
    expect(rest).toEqual(row);
    expect(payload).toMatchObject({ id: row?.event_id, type: 'order.created', order: { status: 'received' } });
    expect(sent?.headers).toMatchObject(shown);
    expect(Object.keys(shown)).toEqual([
      'content-type',
      'user-agent',
      'webhook-id',
      'x-svc-event-type',
      'x-svc-organization-id',
    ]);
    for (const hidden of [secret, secret.slice(6), String(sent?.headers['webhook-signature']).slice(3)]) {
      expect(text).not.toContain(hidden);
    }
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });

  it('shows pending, dead and skipped deliveries, and tests', async () => {
    const receiver = await stage.receiver((_request, response) => response.writeHead(500).end());
    const { id } = await stage.subscribe(receiver);
    const test = await stage.call<DeliveryBody>(`POST /webhook-subscriptions/${id}/test`);
    await expect.poll(async () => (await read(id, test.body.id)).body.attempts, POLL_OPTIONS).toBe(1);
    const { body: tried, text } = await read(id, test.body.id);
    expect(tried).toMatchObject({ status: 'pending', payload: { type: 'webhook.test', change: 'test' } });
    expect(bytesOf(text)).toBe(receiver.requests[0]?.rawBody.toString());

    await stage.change(id, { status: 'paused' });
    await stage.placeOrder();
    const [held] = await stage.logOf(id, ['pending', 'pending']);
    if (held === undefined) throw new Error('nothing is held back');
    const seen = async () => (await read(id, held.id)).body;
    expect(await seen()).toMatchObject({ status: 'pending', attempts: 0, payload: { type: 'order.created' } });
    for (const status of ['skipped', 'dead']) {
      await stage.service.sql`update webhook_deliveries set status = ${status} where id = ${held.id}`;
      expect(await seen()).toMatchObject({ status, payload: { id: held.event_id } });
    }
    await stage.service.sql`
      delete from order_feed e using webhook_deliveries d
      where d.id = ${held.id} and e.organization_id = d.organization_id and e.position = d.event_position`;
    expect(await seen()).toMatchObject({ status: 'dead', payload: null });
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });
});

describe('retention', () => {
  it('shows thirty days, and drops a week once all of it is older', async () => {
    const receiver = await stage.receiver();
    const { id } = await stage.subscribe(receiver);
    await stage.placeOrder();
    const [old] = await stage.logOf(id, ['delivered']);
    const firstDay = stage.clock.now();

    stage.clock.advanceMs(30 * DAY);
    expect(await stage.log(id)).toHaveLength(1);
    await stage.placeOrder();
    await stage.logOf(id, ['delivered', 'delivered']);
    stage.clock.advanceMs(1);
    expect(await stage.log(id)).toHaveLength(1);
    const replay = `POST /webhook-subscriptions/${id}/deliveries/${old?.id}/replay`;
    expect((await stage.call(replay)).status).toBe(404);
    const alone = await stage.call(`GET /webhook-subscriptions/${id}/deliveries/${old?.id}`);
    expect(alone.body).toEqual({ code: 404, error: 'Webhook delivery not found', details: { id: old?.id } });

    const kept = async () =>
      (
        await stage.service.sql<{ name: string }[]>`
          select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
          where i.inhparent = 'webhook_deliveries'::regclass order by 1`
      ).map((row) => row.name);
    const nameOf = (day: Date) => `webhook_deliveries_${weekStart(day).toISOString().slice(0, 10).replaceAll('-', '')}`;
    const clean = async () => {
      const { platform } = stage.service;
      await platform.jobs.enqueue(platform.sql, 'webhook-housekeeping', {});
    };
    expect(await kept()).toContain(nameOf(firstDay));
    stage.clock.moveTo(new Date(weekStart(firstDay).getTime() + 37 * DAY - 1));
    await clean();
    // The next week's part is made ahead by the same run.
    await expect.poll(kept, POLL_OPTIONS).toContain(nameOf(new Date(stage.clock.now().getTime() + 7 * DAY)));
    expect(await kept()).toContain(nameOf(firstDay));
    stage.clock.advanceMs(1);
    await expect
      .poll(async () => {
        await clean();
        return kept();
      }, POLL_OPTIONS)
      .not.toContain(nameOf(firstDay));
    expect(await stage.log(id)).toHaveLength(1);
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });

  it('marks a delivery dead, without counting a failure, when its event is older than thirty days', async () => {
    const receiver = await stage.receiver();
    const { id } = await stage.subscribe(receiver);
    await stage.change(id, { status: 'paused' });
    await stage.placeOrder();
    await stage.logOf(id, ['pending']);
    await stage.service.sql`
      delete from order_feed e using webhook_deliveries d
      where d.subscription_id = ${id} and e.organization_id = d.organization_id and e.position = d.event_position`;
    // Texts of the last minute are sent from memory.
    stage.clock.advanceMs(60_000);
    await stage.change(id, { status: 'active' });
    const [row] = await stage.logOf(id, ['dead']);
    expect(row).toMatchObject({ attempts: 0, last_error: 'not sent: the event is no longer kept' });
    expect(await stage.find(id)).toMatchObject({ status: 'active', last_failure_at: '' });
    expect(receiver.requests).toHaveLength(0);
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });
});

describe('figures', () => {
  it('are in telemetry and on the metrics page', async () => {
    const receiver = await stage.receiver((_request, response) => response.writeHead(500).end());
    const { id } = await stage.subscribe(receiver);
    const before = await figures();
    await stage.call(`POST /webhook-subscriptions/${id}/test`);
    await expect.poll(async () => (await figures()).failed, POLL_OPTIONS).toBe((before.failed ?? 0) + 1);
    await expect.poll(figures, POLL_OPTIONS).toMatchObject({
      attempts: (before.attempts ?? 0) + 1,
      pending: (before.pending ?? 0) + 1,
      in_flight: 0,
      claimed: 0,
      dead: expect.any(Number),
      disabled: 0,
      oldest_due_seconds: 0,
    });
    await stage.change(id, { status: 'paused' });
    stage.clock.advanceMs(60_000);
    expect(await figures()).toMatchObject({ oldest_due_seconds: 0 });
    const page = await fetch(`${stage.service.baseUrl}/metrics`, { headers: { authorization: 'Bearer scrape me' } });
    const text = await page.text();
    for (const name of ['attempts', 'delivered', 'pending', 'dead', 'oldest_due_seconds']) {
      expect(text).toMatch(new RegExp(`dukkan_section\\{section="webhooks",name="${name}"\\} \\d`));
    }
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });

  async function figures(): Promise<Record<string, number>> {
    const reply = await stage.call<{ sections: { webhooks: Record<string, number> } }>('GET /telemetry');
    return reply.body.sections.webhooks;
  }
});
