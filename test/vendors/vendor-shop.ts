import { expect, vi } from 'vitest';
import { atEndOfFile } from '../harness/end-of-file.ts';
import { type ReplyBody, type TestShop, testShop } from '../harness/index.ts';
import { patienceMs } from '../harness/patience.ts';
import { MADE_ORDERS, type MadeOrder, type OrderingSlug } from './made-orders.ts';
import { startVendors, type VendorSimulator } from './simulator.ts';
import type { VendorRecord } from './vendor.ts';

export type Installed = { slug: OrderingSlug; id: string; ingest_url: string; ingest_token: string; secret: string };

/** Deviations from the vendor's default. */
type Sending = { secret?: string; token?: string; notice?: VendorRecord; method?: string; path?: string };

export type Sent = { status: number; stagingId: string };

/** One service with one shop, two branches and all simulated vendors. */
export async function testVendorShop() {
  const vendors: VendorSimulator = await startVendors();
  atEndOfFile(() => vendors.close());
  // Transient errors are retried soon.
  const shop: TestShop = await testShop({ ...vendors.settings, STAGING_RETRY_DELAYS: '1,1,1,1,1,1' });
  const { ask } = shop;
  let number = 0;
  const branches: Record<string, string> = {};
  for (const iv_id of ['RUH', 'JED']) {
    const made = await ask('POST /branches', { body: { iv_id, name_en: iv_id } });
    expect(made.status, made.text).toBe(201);
    branches[iv_id] = made.body.data.id;
  }

  async function install(slug: OrderingSlug, more: VendorRecord = {}): Promise<Installed> {
    const { vendor, settings }: MadeOrder = MADE_ORDERS[slug];
    const whole: VendorRecord = { ...settings, ...(vendor && { api_base_url: vendors.baseUrlOf(vendor) }), ...more };
    const made = await ask('POST /apps', { body: { app_slug: slug, settings: whole } });
    expect(made.status, made.text).toBe(201);
    return { slug, ...made.body.data, secret: whole.webhook_secret ?? '' };
  }

  /** A new order at the vendor that is not sent yet. */
  function make(slug: OrderingSlug, change: VendorRecord = {}): { id: string; order: VendorRecord } {
    const made: MadeOrder = MADE_ORDERS[slug];
    number += 1;
    const id = made.idOf(number);
    const order = { ...made.order(id), ...change };
    if (made.vendor !== undefined) vendors.shop(made.vendor).orders.set(id, order);
    return { id, order };
  }

  async function send(
    installed: Installed,
    { id, order }: { id: string; order: VendorRecord },
    more: Sending = {},
  ): Promise<Sent> {
    const made: MadeOrder = MADE_ORDERS[installed.slug];
    const body = JSON.stringify(more.notice ?? made.notice?.(order, id) ?? order);
    const credentials = {
      secret: more.secret ?? installed.secret,
      token: more.token ?? installed.ingest_token,
      url: installed.ingest_url,
    };
    const response = await fetch(`${installed.ingest_url}${more.path ?? made.path ?? ''}`, {
      method: more.method ?? 'POST',
      headers: { 'content-type': 'application/json', ...made.headers(body, credentials) },
      body,
    });
    const answer = (await response.json()) as { data?: { staging_id: string } };
    return { status: response.status, stagingId: answer.data?.staging_id ?? '' };
  }

  /** The staging row once it is no longer pending. */
  function settled(stagingId: string): Promise<ReplyBody> {
    const find = async () => {
      const { body } = await ask(`GET /staging/${stagingId}`);
      expect(body.status).not.toBe('pending');
      return body;
    };
    // Files send hundreds of payloads, one after the other, and mostly wait here.
    return vi.waitFor(find, { timeout: patienceMs(), interval: 25 });
  }

  /** A new order of the vendor, sent and stored. */
  async function take(
    installed: Installed,
    change: VendorRecord = {},
  ): Promise<{ id: string; order: VendorRecord; ownId: string }> {
    const made = make(installed.slug, change);
    const { stagingId } = await send(installed, made);
    const row = await settled(stagingId);
    expect(row, JSON.stringify(row)).toMatchObject({ status: 'processed', outcome: 'created' });
    return { ...made, ownId: row.order_id };
  }

  const move = (ownId: string, order_status: string, more: VendorRecord = {}) =>
    ask(`PATCH /orders/${ownId}/status`, { body: { order_status, ...more } });
  const statusOf = async (ownId: string): Promise<string> =>
    (await ask(`GET /orders/${ownId}?format=canonical`)).body.order.status_raw;
  const eventsOf = async (ownId: string): Promise<string[]> =>
    (await ask(`GET /orders/${ownId}/timeline`)).body.events.map((event: { type: string }) => event.type);

  return { ...shop, vendors, branches, install, make, send, settled, take, move, statusOf, eventsOf };
}

export type VendorShop = Awaited<ReturnType<typeof testVendorShop>>;
