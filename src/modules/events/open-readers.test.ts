import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  call,
  exchange,
  type ReplyBody,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { issueSessionToken } from '../identity/index.ts';
import { FEED_SETTINGS } from './settings.ts';
import { writeChanges } from './testing/write-changes.ts';

const POLL_OPTIONS = { interval: 20 };
const DAY_MS = 86_400_000;
const clock = movableClock(new Date());
let service: TestService;
let shop: TestOrganization;

beforeAll(async () => {
  service = await testService({}, { clock });
});
beforeEach(async () => {
  shop = await testOrganization(service.sql);
});

const as = (target: string, options: Parameters<typeof call>[2] = {}) =>
  call(service.baseUrl, target, { token: shop.owner.token, ...options });

/** A poll that has its place is past the gate. */
const openPolls = async () => (await as('GET /telemetry')).body.sections.feed.polls;

type OpenStream = { status: number; retryAfter: string | null; text(): string; ended(): boolean; leave(): void };

/** Reads along in the background. */
async function openStream(token: string): Promise<OpenStream> {
  const stop = new AbortController();
  const response = await fetch(`${service.baseUrl}/api/v1/orders/changes/stream`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  });
  let text = '';
  let ended = false;
  const read = async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  };
  void read()
    .catch(() => undefined)
    .finally(() => {
      ended = true;
    });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    text: () => text,
    ended: () => ended,
    leave: () => stop.abort(),
  };
}

describe('limits of open requests', () => {
  it('bound the streams of a tenant, not those of others, and free the slot of a closed one', async () => {
    const { token } = shop.owner;
    const all = FEED_SETTINGS.streamsPerTenant;
    const streams = await Promise.all(Array.from({ length: all }, () => openStream(token)));
    expect(new Set(streams.map((stream) => stream.status))).toEqual(new Set([200]));
    const refused = await openStream(token);
    expect([refused.status, refused.retryAfter]).toEqual([429, '5']);

    const neighbour = await testOrganization(service.sql);
    const other = await openStream(neighbour.owner.token);
    expect(other.status).toBe(200);

    // All of them get the event.
    const [orderId = ''] = await writeChanges(service.sql, shop.id, [{}]);
    await expect
      .poll(() => streams.filter((stream) => stream.text().includes(`"order_id":"${orderId}"`)).length, POLL_OPTIONS)
      .toBe(all);
    expect(other.text()).not.toContain(orderId);

    streams[0]?.leave();
    await expect
      .poll(async () => {
        const again = await openStream(token);
        again.leave();
        return again.status;
      }, POLL_OPTIONS)
      .toBe(200);
    for (const stream of [...streams, other]) stream.leave();
  });

  it('bound the polls of a tenant', async () => {
    const all = FEED_SETTINGS.pollsPerTenant;
    // From a cursor that is known before: a poll holds its slot a moment before it would have read where now is.
    const { next_cursor } = (await as('GET /orders/changes?cursor=now')).body;
    const waiting = Array.from({ length: all }, () => as(`GET /orders/changes?cursor=${next_cursor}&wait=30`));
    // Not by polling until one is refused: each poll takes a slot, and a poll that should wait would find none.
    await expect.poll(openPolls, POLL_OPTIONS).toBe(all);
    const refused = await as('GET /orders/changes?cursor=now');
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.body).toEqual({
      code: 429,
      error: 'Too many requests',
      details: { limit: all, retry_after_seconds: 5 },
    });
    const neighbour = await testOrganization(service.sql);
    expect((await as('GET /orders/changes', { token: neighbour.owner.token })).status).toBe(200);

    const [orderId] = await writeChanges(service.sql, shop.id, [{}]);
    for (const answer of await Promise.all(waiting)) {
      expect(answer.body.events.map((event: ReplyBody) => event.order_id)).toEqual([orderId]);
    }
    expect((await as('GET /orders/changes?cursor=now')).status).toBe(200);
  });
});

describe('HEAD', () => {
  it('of the stream returns the headers and ends', async () => {
    const { host } = new URL(service.baseUrl);
    const answer = await exchange(
      service.baseUrl,
      `HEAD /api/v1/orders/changes/stream HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${shop.owner.token}\r\nconnection: close\r\n\r\n`,
    );
    expect(answer.status).toBe(200);
    expect(answer.head).toMatch(/^content-type: text\/event-stream/im);
    expect(answer.body).toBe('');
  });

  it('of a stream with an invalid cursor returns 400', async () => {
    expect((await as('HEAD /orders/changes/stream?cursor=garbage')).status).toBe(400);
  });
});

describe('a caller who may no longer read, with a request open', () => {
  type Standing = { token: string; userId: string };

  async function expiring(): Promise<Standing> {
    const { userId } = await testAccount(service.sql, shop.id, 'member');
    const now = clock.now();
    const { token } = await issueSessionToken(service.sql, {
      userId,
      organizationId: shop.id,
      name: 'test',
      expiresInDays: 1,
      now,
    });
    return { token, userId };
  }

  const cases: [string, number, (standing: Standing) => Promise<unknown>][] = [
    [
      'revoked',
      401,
      ({ userId }) =>
        service.sql`update session_tokens set revoked_at = ${clock.now()} where user_id = ${userId} and revoked_at is null`,
    ],
    ['expired', 401, async () => clock.advanceMs(2 * DAY_MS)],
    ['suspended', 402, () => service.sql`update organizations set suspended_at = ${clock.now()} where id = ${shop.id}`],
    [
      'without the grant',
      403,
      ({ userId }) =>
        service.sql`update memberships set grants_withheld = '{read:Orders}' where user_id = ${userId} and organization_id = ${shop.id}`,
    ],
    [
      'no longer a member',
      403,
      ({ userId }) => service.sql`delete from memberships where user_id = ${userId} and organization_id = ${shop.id}`,
    ],
  ];

  it.each(cases)('%s: the stream ends with %i, and the next event is not in it', async (_what, status, end) => {
    const standing = await expiring();
    const stream = await openStream(standing.token);
    const [before = ''] = await writeChanges(service.sql, shop.id, [{}]);
    await expect.poll(() => stream.text(), POLL_OPTIONS).toContain(before);
    await end(standing);
    await expect.poll(async () => (await as('GET /orders/changes', standing)).status, POLL_OPTIONS).toBe(status);
    const [after = ''] = await writeChanges(service.sql, shop.id, [{}]);
    await expect.poll(() => stream.ended(), POLL_OPTIONS).toBe(true);
    expect(stream.text()).toMatch(new RegExp(`: closed ${status} [^\n]+\n\n$`));
    expect(stream.text()).not.toContain(after);
  });

  it.each(cases)('%s: the poll is answered %i', async (_what, status, end) => {
    const standing = await expiring();
    const poll = as('GET /orders/changes?cursor=now&wait=30', standing);
    await expect.poll(openPolls, POLL_OPTIONS).toBe(1);
    await end(standing);
    await expect.poll(async () => (await as('GET /orders/changes', standing)).status, POLL_OPTIONS).toBe(status);
    await writeChanges(service.sql, shop.id, [{}]);
    const answer = await poll;
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain('"events"');
  });

  it('confined to a branch meanwhile: the stream ends, the poll is 403', async () => {
    const standing = await expiring();
    const branchId = newId();
    const stream = await openStream(standing.token);
    const [before = ''] = await writeChanges(service.sql, shop.id, [{}]);
    await expect.poll(() => stream.text(), POLL_OPTIONS).toContain(before);
    const waiting = as('GET /orders/changes?cursor=now&wait=30', standing);
    await expect.poll(openPolls, POLL_OPTIONS).toBe(1);
    await service.sql`update memberships set branch_id = ${branchId} where user_id = ${standing.userId}`;
    await expect.poll(async () => (await as('GET /webhook-subscriptions', standing)).status, POLL_OPTIONS).toBe(403);
    await writeChanges(service.sql, shop.id, [{}]);
    await expect.poll(() => stream.ended(), POLL_OPTIONS).toBe(true);
    expect(stream.text()).toContain(': closed 403');
    expect((await waiting).status).toBe(403);
  });
});
