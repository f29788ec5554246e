import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { atEndOfFile } from '../../../test/harness/end-of-file.ts';
import { isOnCluster, testDatabase } from '../../../test/harness/index.ts';
import type { Notifier } from '../../platform/background/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { ensureWeeks, inTransaction, type Sql } from '../../platform/database/index.ts';
import { unauthorized } from '../../platform/http/problem.ts';
import { newId } from '../../platform/ids.ts';
import type { FeedFilter } from './feed.ts';
import { createFeedHub } from './feed-hub.ts';
import { createFeedReader } from './feed-reader.ts';
import { waitForEvents } from './poll-feed.ts';
import { ORDER_FEED_WEEKS } from './publisher.ts';
import { FEED_SETTINGS, type FeedSettings } from './settings.ts';
import { stampOnGroup, stampOutbox } from './sql/stamp-outbox.ts';
import { streamFeed } from './stream-feed.ts';
import { type WrittenChange, writeChanges } from './testing/write-changes.ts';
import { createUnsentBytes } from './unsent-bytes.ts';

const POLL_OPTIONS = { interval: 20 };
const clock = systemClock();
const log = pino({ level: 'silent' });
let database: Sql;
let organizationId: string;

beforeAll(async () => {
  database = (await testDatabase()).sql;
  await ensureWeeks(database, ORDER_FEED_WEEKS, clock.now());
});
beforeEach(() => {
  organizationId = newId();
});

/** A hub whose reads of events are counted, and whose notices the test sends itself. */
function openHub(changed: Partial<FeedSettings> = {}, catchUpRights?: () => Promise<void>) {
  const settings = { ...FEED_SETTINGS, ...changed };
  const counts = { reads: 0 };
  const sql = new Proxy(database, {
    apply(target, self, args: Parameters<Sql>) {
      if (String(args[0]).includes('bytes_before <')) counts.reads += 1;
      return Reflect.apply(target, self, args);
    },
  });
  let notify: (payload: string) => void = () => undefined;
  const feed: Notifier = {
    notify: () => undefined,
    onNotify(listener) {
      notify = listener;
      return () => undefined;
    },
    start: async () => undefined,
    stop: async () => undefined,
  };
  const platform = { sql, clock, log };
  const hub = createFeedHub(platform, feed, settings, catchUpRights);
  return {
    hub,
    unsent: createUnsentBytes(settings.unsentBytesPerTenant, settings.unsentBytes),
    settings,
    counts,
    notify: (payload: string) => notify(payload),
    reader: createFeedReader(platform, settings),
  };
}

async function stamp(changes: WrittenChange[]): Promise<string[]> {
  const ids = await writeChanges(database, organizationId, changes);
  const group = database.layout.groupOf(organizationId);
  if (isOnCluster()) await stampOnGroup(database, group, clock.now(), 2_000);
  else await inTransaction(database, (tx) => stampOutbox(tx, group, clock.now(), 2_000));
  return ids;
}

const everything = (): FeedFilter => ({ organizationId, branchId: null, types: [] });
const size = { limit: 500, maxBytes: 1024 * 1024 };
const orderOf = ({ body }: { body: string }) => JSON.parse(body).order_id;

describe('a tenant read', () => {
  it('serves every waiting poll, each with its own filter', async () => {
    const branchId = newId();
    const { hub, reader, counts, notify } = openHub();
    const first = await reader.readPage(everything(), 'now', size);
    const wait = (filter: FeedFilter) => {
      const signal = new AbortController().signal;
      const tools = { hub, reader, heartbeatMs: 15_000 };
      return waitForEvents(tools, filter, first, size, 20_000, async () => undefined, signal);
    };
    const polls = Array.from({ length: 300 }, (_, index) =>
      wait({ ...everything(), branchId: index % 3 === 0 ? branchId : null }),
    );
    const joined = hub.join(organizationId);
    await expect.poll(() => joined.take(first.next, everything(), size), POLL_OPTIONS).toMatchObject({ events: [] });
    const orders = await stamp([{ branchId: newId() }, { branchId }]);
    counts.reads = 0;
    notify(organizationId);
    const pages = await Promise.all(polls);
    expect(counts.reads).toBe(1);
    for (const [index, page] of pages.entries()) {
      expect(page.events.map(orderOf)).toEqual(index % 3 === 0 ? orders.slice(1) : orders);
    }
    joined.leave();
  });

  it('is cached within its bounds; a reader that needs older events reads the database', async () => {
    const { hub, notify } = openHub({ cachedBytesPerTenant: 80_000 });
    const tenantFeed = hub.join(organizationId);
    const start = { position: 0, stampedSeconds: 0 };
    await expect.poll(() => tenantFeed.take(start, everything(), size), POLL_OPTIONS).toMatchObject({ events: [] });
    const orders = await stamp(Array.from({ length: 12 }, () => ({ bytes: 9_000 })));
    notify(organizationId);
    const lastTwo = { position: 10, stampedSeconds: 0 };
    await expect
      .poll(() => tenantFeed.take(lastTwo, everything(), size)?.events.map(orderOf), POLL_OPTIONS)
      .toEqual(orders.slice(10));
    expect(tenantFeed.take(start, everything(), size)).toBeUndefined();
    tenantFeed.leave();
  });
});

describe('streams', () => {
  /** Streams over real HTTP, from the beginning of the feed, without the gate before them. */
  async function serve(
    changed: Partial<FeedSettings>,
    admitAgain: () => Promise<void> = async () => undefined,
    catchUpRights?: () => Promise<void>,
  ) {
    const opened = openHub(changed, catchUpRights);
    const written: unknown[][] = [];
    const pageSize = { limit: 500, maxBytes: opened.settings.streamBytes };
    const closing = new AbortController();
    let closed = 0;
    const answer = async (_request: IncomingMessage, response: ServerResponse) => {
      const first = await opened.reader.readPage(everything(), 'now', pageSize);
      const gone = new AbortController();
      const chunks: unknown[] = [];
      written.push(chunks);
      const write = response.write.bind(response) as (chunk: unknown) => boolean;
      response.write = (chunk: unknown) => {
        chunks.push(chunk);
        return write(chunk);
      };
      response.once('close', () => {
        closed += 1;
        gone.abort();
      });
      const stream = { filter: everything(), first, size: pageSize, headers: {}, admitAgain };
      const signal = AbortSignal.any([gone.signal, closing.signal]);
      await streamFeed({ ...opened, log }, { ...stream, signal }, response);
    };
    const server = createServer((request, response) => void answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    atEndOfFile(() => {
      closing.abort();
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    return { ...opened, url: `http://127.0.0.1:${port}/`, closed: () => closed, written };
  }

  async function connect(url: string): Promise<IncomingMessage> {
    const request = get(url, { agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => undefined);
    return response;
  }

  function readAlong(response: IncomingMessage): () => string {
    let text = '';
    response.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    return () => text;
  }

  const orderIds = (text: string) => [...text.matchAll(/"order_id":"([^"]+)"/g)].map((match) => match[1]);
  const LARGE = 200_000;

  it('a stalled reader delays no other, and gets everything in order once it reads', async () => {
    const { url, notify } = await serve({ cachedBytesPerTenant: 1_000_000 });
    const slow = await connect(url);
    slow.pause();
    const quick = readAlong(await connect(url));
    await expect.poll(quick, POLL_OPTIONS).toContain(': connected');
    const orders: string[] = [];
    // Some ten megabytes: more than sockets of both sides hold.
    for (let round = 0; round < 12; round += 1) {
      orders.push(...(await stamp(Array.from({ length: 4 }, () => ({ bytes: LARGE })))));
      notify(organizationId);
      await expect.poll(() => orderIds(quick()), POLL_OPTIONS).toEqual(orders);
    }
    const slowText = readAlong(slow);
    slow.resume();
    await expect.poll(() => orderIds(slowText()), POLL_OPTIONS).toEqual(orders);
  });

  it('closes a reader that takes nothing for too long', async () => {
    const { url, notify, closed } = await serve({ stalledReaderMs: 300 });
    const stalled = await connect(url);
    stalled.pause();
    const quick = readAlong(await connect(url));
    await expect.poll(quick, POLL_OPTIONS).toContain(': connected');
    const orders: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      orders.push(...(await stamp(Array.from({ length: 4 }, () => ({ bytes: LARGE })))));
      notify(organizationId);
      await expect.poll(() => orderIds(quick()), POLL_OPTIONS).toEqual(orders);
    }
    await expect.poll(closed, POLL_OPTIONS).toBe(1);
    const text = readAlong(stalled);
    stalled.resume();
    await expect.poll(() => stalled.destroyed, POLL_OPTIONS).toBe(true);
    expect(stalled.complete).toBe(false);
    expect(orderIds(text()).length).toBeLessThan(orders.length);
  });

  it('checks rights at every heartbeat, also without events', async () => {
    let admitted = true;
    const { url } = await serve({ heartbeatMs: 20 }, async () => {
      if (!admitted) throw unauthorized('The token was revoked');
    });
    const response = await connect(url);
    const text = readAlong(response);
    await expect.poll(text, POLL_OPTIONS).toContain(': still here');
    admitted = false;
    await once(response, 'end');
    expect(text()).toMatch(/: closed 401 Valid API key required\n\n$/);
  });

  it('recovers from a lost notification', async () => {
    const { url } = await serve({ heartbeatMs: 20, refreshAfterMs: 0 });
    const text = readAlong(await connect(url));
    await expect.poll(text, POLL_OPTIONS).toContain(': connected');
    const orders = await stamp([{}, {}]);
    await expect.poll(() => orderIds(text()), POLL_OPTIONS).toEqual(orders);
  });

  it('feeds many streams from one read', async () => {
    const { url, counts, notify } = await serve({});
    const texts = await Promise.all(Array.from({ length: 60 }, async () => readAlong(await connect(url))));
    await expect.poll(() => texts.every((text) => text().includes(': connected')), POLL_OPTIONS).toBe(true);
    const orders = await stamp([{}, {}, {}]);
    counts.reads = 0;
    notify(organizationId);
    await expect.poll(() => texts.every((text) => orderIds(text()).length === 3), POLL_OPTIONS).toBe(true);
    expect(counts.reads).toBe(1);
    expect(orderIds(texts[0]?.() ?? '')).toEqual(orders);
  });

  it('sends a batch as one write of bytes that all streams share', async () => {
    const { url, notify, written } = await serve({});
    const texts = await Promise.all(Array.from({ length: 40 }, async () => readAlong(await connect(url))));
    await expect.poll(() => texts.every((text) => text().includes(': connected')), POLL_OPTIONS).toBe(true);
    const orders = await stamp([{}, {}, {}]);
    notify(organizationId);
    await expect.poll(() => texts.every((text) => orderIds(text()).length === 3), POLL_OPTIONS).toBe(true);
    expect(orderIds(texts[0]?.() ?? '')).toEqual(orders);
    expect(written.map((chunks) => chunks.length)).toEqual(Array.from({ length: 40 }, () => 2));
    expect(new Set(written.map((chunks) => chunks[1])).size).toBe(1);
  });

  it('delivers events only after changes of rights are applied, and not to a reader without rights', async () => {
    let isAdmitted = true;
    const followed = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const { url, notify } = await serve(
      {},
      async () => {
        if (!isAdmitted) throw unauthorized('The token was revoked');
      },
      () => {
        asked.resolve();
        return followed.promise;
      },
    );
    const response = await connect(url);
    const text = readAlong(response);
    await expect.poll(text, POLL_OPTIONS).toContain(': connected');
    await stamp([{}]);
    notify(organizationId);
    await asked.promise;
    isAdmitted = false;
    followed.resolve();
    await once(response, 'end');
    expect(orderIds(text())).toEqual([]);
    expect(text()).toMatch(/: closed 401 Valid API key required\n\n$/);
  });

  it('closes the slowest reader when unsent bytes reach their limit; what it got is in order and without a gap', async () => {
    const { url, notify, closed, unsent } = await serve({ unsentBytesPerTenant: 700_000, streamBytes: 250_000 });
    const slow = await connect(url);
    slow.pause();
    const quick = readAlong(await connect(url));
    await expect.poll(quick, POLL_OPTIONS).toContain(': connected');
    const orders: string[] = [];
    const writeMore = async () => {
      orders.push(...(await stamp(Array.from({ length: 4 }, () => ({ bytes: LARGE })))));
      notify(organizationId);
      await expect.poll(() => orderIds(quick()), POLL_OPTIONS).toEqual(orders);
    };
    while (unsent.total() === 0) await writeMore();
    const later = await connect(url);
    later.pause();
    // The later one has more in hand than is left: the one that has waited longer goes.
    while (closed() === 0) await writeMore();
    const text = readAlong(slow);
    slow.resume();
    await expect.poll(() => slow.destroyed, POLL_OPTIONS).toBe(true);
    expect(orderIds(text())).toEqual(orders.slice(0, orderIds(text()).length));
    expect(later.destroyed).toBe(false);
  });
});
