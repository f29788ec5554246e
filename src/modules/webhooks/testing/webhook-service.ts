import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { atEndOfFile } from '../../../../test/harness/end-of-file.ts';
import {
  type Call,
  call,
  type Reply,
  type TestOrganization,
  type TestService,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { type MovableClock, movableClock } from '../../../platform/clock.ts';
import type { Sql } from '../../../platform/database/index.ts';
import { createLoopback, type Loopback } from '../../../platform/outbound/testing/loopback.ts';
import { type Receiver, type Respond, startReceiver } from '../../../platform/outbound/testing/receiver.ts';

export type SubscriptionBody = {
  id: string;
  url: string;
  description: string;
  event_types: string[];
  status: string;
  disabled_reason: string;
  secret_hint: string;
  rotating: boolean;
  updated: string;
  last_success_at: string;
  last_failure_at: string;
  secret: string;
};

export type AttemptBody = {
  at: string;
  status_code: number | null;
  error: string;
  duration_ms: number;
  response_excerpt: string;
};

export type DeliveryBody = {
  id: string;
  event_id: string;
  event_type: string;
  status: string;
  attempts: number;
  next_attempt_at: string | null;
  last_status_code: number | null;
  last_error: string;
  created: string;
  delivered_at: string | null;
  attempt_log: AttemptBody[];
};

/** The service, a tenant in it, and receivers of its webhooks, all on the loopback over real TLS. */
export type WebhookService = {
  service: TestService;
  clock: MovableClock;
  organization: TestOrganization;
  loopback: Loopback;
  /** As the owner, unless another token is given. */
  call<Body = Record<string, unknown>>(target: string, options?: Call): Promise<Reply<Body>>;
  receiver(respond?: Respond): Promise<Receiver>;
  subscribe(target: Receiver | string, body?: object): Promise<SubscriptionBody>;
  find(subscriptionId: string): Promise<SubscriptionBody>;
  change(subscriptionId: string, body: object): Promise<SubscriptionBody>;
  placeOrder(): Promise<string>;
  /** Newest first. */
  log(subscriptionId: string, query?: string): Promise<DeliveryBody[]>;
  /** The log once it says so. */
  logOf(subscriptionId: string, statuses: string[]): Promise<DeliveryBody[]>;
};

export async function openWebhookService(
  options: { settings?: Record<string, string>; database?: { url: string; sql: Sql } } = {},
): Promise<WebhookService> {
  const { loopback, settings } = await loopbackSettings();
  const clock = movableClock(new Date());
  const service = await testService({ ...settings, ...options.settings }, { clock, database: options.database });
  return { ...(await actAs(service, await testOrganization(service.sql), loopback)), clock };
}

/** What a service needs to call receivers of the loopback, and trust them. */
export async function loopbackSettings(): Promise<{ loopback: Loopback; settings: Record<string, string> }> {
  const loopback = await createLoopback();
  const folder = await mkdtemp(path.join(tmpdir(), 'dukkan-ca-'));
  const caFile = path.join(folder, 'ca.pem');
  await writeFile(caFile, loopback.authority.cert);
  atEndOfFile(async () => {
    await loopback.closeAll();
    await rm(folder, { recursive: true, force: true });
  });
  return { loopback, settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_CA_FILE: caFile } };
}

export async function actAs(
  service: TestService,
  organization: TestOrganization,
  loopback: Loopback,
): Promise<Omit<WebhookService, 'clock'>> {
  const ask = <Body>(target: string, given: Call = {}) =>
    call<Body>(service.baseUrl, target, { token: organization.owner.token, ...given });

  async function get<Body>(target: string, given: Call, status: number): Promise<Body> {
    const reply = await ask<Body>(target, given);
    expect(reply.status, reply.text).toBe(status);
    return reply.body;
  }

  async function log(id: string, query = ''): Promise<DeliveryBody[]> {
    return (await get<{ data: DeliveryBody[] }>(`GET /webhook-subscriptions/${id}/deliveries${query}`, {}, 200)).data;
  }

  return {
    service,
    organization,
    loopback,
    call: ask,
    log,
    receiver: async (respond) => loopback.keep(await startReceiver(loopback.certificate, respond)),
    subscribe: (target, body = {}) => {
      const url = typeof target === 'string' ? target : `https://127.0.0.1:${target.port}/in`;
      return get('POST /webhook-subscriptions', { body: { url, ...body } }, 201);
    },
    find: (id) => get(`GET /webhook-subscriptions/${id}`, {}, 200),
    change: (id, body) => get(`PATCH /webhook-subscriptions/${id}`, { body }, 200),
    async placeOrder() {
      const { data } = await get<{ data: { id: string } }>('POST /orders', { body: newOrder }, 201);
      return data.id;
    },
    async logOf(id, statuses) {
      await expect.poll(async () => (await log(id)).map((row) => row.status), POLL_OPTIONS).toEqual(statuses);
      return log(id);
    },
  };
}

/** For polls: nothing takes this long when it is well, and the machine may be busy. */
export const POLL_OPTIONS = { interval: 20 };

export const newOrder = {
  order_status: 'RECEIVED',
  fulfillment_status: 'None',
  customer_name: 'نورة العتيبي',
  skus: ['P-1_RUH'],
  products: [{ product_id: 'P-1', sku_id: 'P-1_RUH', name: 'باراسيتامول', quantity: 2, price: 12.5 }],
  total_amount: 25,
};
