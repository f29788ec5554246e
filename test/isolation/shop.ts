import { createHmac } from 'node:crypto';
import { expect, vi } from 'vitest';
import { formOf, png } from '../../src/modules/branches/testing/images.ts';
import { ACTIONS, issueApiKey, RESOURCES } from '../../src/modules/identity/index.ts';
import { foldCounts } from '../../src/modules/orders/counters/fold-counts.ts';
import {
  call,
  patienceMs,
  type TestAccount,
  type TestService,
  testAccount,
  testOrganization,
} from '../harness/index.ts';
import type { ShopIds } from './shop-ids.ts';
import { openBilling, openOperators, openPayments, openSupport } from './shop-money.ts';

export type Shop = {
  ids: ShopIds;
  owner: TestAccount;
  viewer: TestAccount;
  /** Confined to a branch in which nothing of the above is. */
  confined: TestAccount;
  /** Without grants, as keys were before there were any. */
  apiKeyText: string;
  /** With every grant there is. */
  fullKeyText: string;
  /** With a grant, and none that could open anything. */
  uselessKeyText: string;
};

/** Each under a unique name, made through the API as its owner would. */
export async function openShop(service: TestService, mark: string): Promise<Shop> {
  const { id: organization, owner, apiKey: apiKeyText } = await testOrganization(service.sql);
  const made = async <Body>(target: string, body: unknown, headers?: Record<string, string>) => {
    const reply = await call<Body>(service.baseUrl, target, { token: owner.token, body, headers });
    if (reply.status > 299) throw new Error(`${target} answered ${reply.status} ${reply.text}`);
    return reply.body;
  };
  const got = async <Body>(target: string) => (await call<Body>(service.baseUrl, target, { token: owner.token })).body;
  type Made = { data: { id: string; hero_image?: string } };

  const branch = `${mark}-BR`;
  const form = new FormData();
  for (const [name, value] of Object.entries({ iv_id: branch, name_en: `${mark} branch` })) form.append(name, value);
  form.append('hero_image', new Blob([png()]), 'hero.png');
  const withImage = await call<Made>(service.baseUrl, 'POST /branches', { token: owner.token, raw: form });
  expect(withImage.status, withImage.text).toBe(201);
  const other = await made<Made>('POST /branches', { iv_id: `${mark}-OTHER` });
  const closed = { from: '2098-03-09', until: '2098-03-12' };
  const closure = (await made<Made>(`POST /branches/${branch}/closures`, closed)).data.id;
  const { hero_image = '' } = await got<{ hero_image?: string }>(`GET /branches/${branch}`);
  const [fileOwner = '', fileName = ''] = hero_image.split('/').slice(-2);

  const named = { name_en: `${mark} brand`, name_ar: 'ماركة' };
  const brand = (await made<Made>('POST /brands', named)).data.id;
  const category = (await made<Made>('POST /categories', named)).data.id;
  const spareBrand = (await made<Made>('POST /brands', named)).data.id;
  const spareCategory = (await made<Made>('POST /categories', named)).data.id;
  const product = `${mark}-P`;
  const barcode = mark.replace(/\D/g, '').padStart(13, '7');
  await made('POST /products', {
    iv_id: product,
    name_en: `${mark} product`,
    barcode,
    brand_id: brand,
    category_id: category,
  });
  const sku = `${product}_${branch}`;
  const pictured = await call<{ data: { images: { id: string }[] } }>(
    service.baseUrl,
    `POST /products/code/${product}/images`,
    { token: owner.token, raw: formOf({ file: png() }) },
  );
  const priceSchedule = (
    await made<Made>('POST /skus/scheduled-prices', {
      sku_iv_ids: [sku],
      price: 4,
      starts_at: new Date(Date.now() + 30 * 86_400_000).toISOString(),
      ends_at: new Date(Date.now() + 31 * 86_400_000).toISOString(),
    })
  ).data.id;
  const productImage = pictured.body.data.images[0]?.id ?? '';

  const url = 'https://127.0.0.1:9/hook';
  const subscription = (await made<{ id: string }>('POST /webhook-subscriptions', { url, description: mark })).id;
  await made(`POST /webhook-subscriptions/${subscription}/test`, undefined);
  const transaction = `${mark}-T`;
  const order = (
    await made<Made>('POST /orders', orderOf({ branchId: withImage.body.data.id, sku, product, transaction }))
  ).data.id;
  const note = (await made<Made>(`POST /orders/${order}/notes`, { body: transaction })).data.id;
  await made(`PUT /orders/${order}/tags`, { tags: [transaction] });
  await made('PATCH /organization', { vat_number: '300000000000003' });
  await made(`POST /orders/${order}/invoice`, undefined);
  const queued = await made<{ data: { job_id: string } }>(
    'POST /orders',
    orderOf({ branchId: withImage.body.data.id, sku, product, transaction: `${mark}-T2` }),
    { 'x-async': 'true' },
  );
  const job = queued.data.job_id;
  const sessionToken = (await made<{ id: string }>('POST /auth/session-tokens', { name: mark })).id;
  await made('POST /auth/login', { email: owner.email, password: owner.password });
  const loginSession = (await got<{ data: { id: string }[] }>('GET /auth/sessions')).data[0]?.id ?? '';
  const apiKey = (await made<{ id: string }>('POST /auth/api-keys', { name: mark })).id;

  const webhook_secret = `${mark} signs with this`;
  const installed = await made<Made>('POST /apps', {
    app_slug: 'woocommerce',
    settings: { webhook_secret, branch_iv_id: branch, branches: { W: branch } },
  });
  const install = installed.data.id;
  const receive = async (raw: string) => {
    const signature = createHmac('sha256', webhook_secret).update(raw).digest('base64');
    const received = await call<{ data: { staging_id: string } }>(service.baseUrl, `POST /ingest/${install}`, {
      raw,
      headers: { 'x-wc-webhook-signature': signature },
    });
    expect(received.status, received.text).toBe(202);
    return received.body.data.staging_id;
  };
  const [payload, failedPayload] = [await receive('no order'), await receive('no order either')];

  const invited = { email: `${transaction}@tests.example`, role: 'member' };
  const member = (await made<Made>('POST /members', invited)).data.id;

  const { userId } = await testAccount(service.sql, organization, 'member');
  const [joined] = await service.sql<{ id: string }[]>`select id from memberships where user_id = ${userId}`;
  const teammate = joined?.id ?? '';

  const payments = await openPayments(service, organization, order, made);
  const uploaded = await call<{ data: { job_id: string } }>(service.baseUrl, 'POST /analytics/sensy/upload', {
    token: owner.token,
    headers: { 'content-type': 'text/csv' },
    raw: demandOf({ sku }),
  });
  expect(uploaded.status, uploaded.text).toBe(202);
  const operators = await openOperators(service, organization, mark);
  const support = await openSupport(service, organization);
  const billing = await openBilling(service, organization, branch);

  // Background work must have ended before a snapshot of the tenant is taken.
  const patience = { timeout: patienceMs(), interval: 100 };
  type Listed = { data: { id: string; attempts?: number }[] };
  await vi.waitUntil(async () => (await got<{ status: string }>(`GET /jobs/${job}`)).status === 'succeeded', patience);
  for (const id of [payload, failedPayload]) {
    await vi.waitUntil(async () => (await got<{ status: string }>(`GET /staging/${id}`)).status === 'failed', patience);
  }
  await vi.waitUntil(async () => {
    const { result } = await got<{ result: { forecasts: string } | null }>(`GET /jobs/${uploaded.body.data.job_id}`);
    return result?.forecasts === 'refreshed';
  }, patience);
  const customers = await vi.waitUntil(async () => {
    const { data } = await got<Listed>('GET /customers');
    return data.length > 0 ? data : undefined;
  }, patience);
  const deliveries = await vi.waitUntil(async () => {
    const { data } = await got<Listed>(`GET /webhook-subscriptions/${subscription}/deliveries`);
    return data.length >= 4 && data.every(({ attempts }) => attempts === 1) ? data : undefined;
  }, patience);
  await vi.waitUntil(async () => {
    await foldCounts(service.sql);
    return (await service.sql`select 1 from order_count_deltas limit 1`).length === 0;
  }, patience);

  const keyWith = async (grants: string[]) =>
    (
      await issueApiKey(service.sql, {
        organizationId: organization,
        name: mark,
        grants,
        createdBy: null,
        now: new Date(),
      })
    ).apiKey;

  return {
    owner,
    apiKeyText,
    fullKeyText: await keyWith(ACTIONS.flatMap((action) => RESOURCES.map((resource) => `${action}:${resource}`))),
    uselessKeyText: await keyWith(['export:Settings']),
    viewer: await testAccount(service.sql, organization, 'viewer'),
    confined: await testAccount(service.sql, organization, 'member', { branchId: other.data.id }),
    ids: {
      organization,
      branch,
      branchId: withImage.body.data.id,
      closure,
      product,
      barcode,
      productImage,
      priceSchedule,
      sku,
      brand,
      category,
      spareBrand,
      spareCategory,
      order,
      transaction,
      note,
      customer: customers[0]?.id ?? '',
      subscription,
      delivery: deliveries[0]?.id ?? '',
      job,
      install,
      payload,
      failedPayload,
      sessionToken,
      loginSession,
      apiKey,
      member,
      teammate,
      fileOwner,
      fileName,
      ...payments,
      ...operators,
      ...support,
      ...billing,
    },
  };
}

export function orderOf(at: { branchId: string; sku: string; product: string; transaction: string }) {
  return {
    source_transaction_id: at.transaction,
    destination: at.branchId,
    order_status: 'RECEIVED',
    payment_status: 'pending',
    fulfillment_status: 'None',
    customer_name: `buyer of ${at.product}`,
    customer_phone: '+966500000001',
    skus: [at.sku],
    products: [{ product_id: at.product, sku_id: at.sku, name: 'Dates', quantity: 1, price: 5 }],
    total_amount: 5,
    currency: 'SAR',
  };
}

/** What one of its SKUs sold on two days of the past. */
export function demandOf({ sku }: { sku: string }): string {
  return `sku_id,sale_date,qty,current_qty\n${sku},2024-01-05,3,7\n${sku},2024-01-06,4,7\n`;
}
