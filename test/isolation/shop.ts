import { createHmac } from 'node:crypto';
import { expect, vi } from 'vitest';
import { SYSTEM_ACTOR } from '../../src/modules/audit/index.ts';
import { formOf, png } from '../../src/modules/branches/testing/images.ts';
import { takePayment } from '../../src/modules/commercial/billing/index.ts';
import {
  accrueCommission,
  attachTenant,
  createPartner,
  savePayee,
} from '../../src/modules/commercial/partners/index.ts';
import { ACTIONS, issueApiKey, RESOURCES } from '../../src/modules/identity/index.ts';
import { inTransaction } from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids.ts';
import {
  type Call,
  call,
  commercialAccount,
  patienceMs,
  type TestAccount,
  type TestService,
  testAccount,
  testOrganization,
} from '../harness/index.ts';

/** One row of everything that a tenant can own, by the key that routes take. */
export type ShopIds = {
  organization: string;
  /** Where the order and the SKU are. */
  branch: string;
  branchId: string;
  product: string;
  barcode: string;
  sku: string;
  brand: string;
  category: string;
  /** Used by no product, so that they can be deleted. */
  spareBrand: string;
  spareCategory: string;
  order: string;
  transaction: string;
  customer: string;
  subscription: string;
  delivery: string;
  job: string;
  /** An installed app, and something that it was sent and could not read. */
  install: string;
  payload: string;
  sessionToken: string;
  apiKey: string;
  /** Invited under an address with `transaction` in it. */
  member: string;
  fileOwner: string;
  fileName: string;
  /** Of `order`, agreed to by its customer. */
  paylink: string;
  /** Of no order. */
  sparePaylink: string;
  /** Agreed to by its customer. */
  paymentOrder: string;
  /** Of `order`'s amount, and matched to none. */
  gatewayTransaction: string;
  /** An installed app that its owner keeps. */
  lastingInstall: string;
  /** The operator's own, which no tenant may see: a service with a file, a partner whose tenant the shop is, a post. */
  billableService: string;
  asset: string;
  partner: string;
  payee: string;
  payout: string;
  post: string;
  /** What it paid to the operator, and what it owes. */
  billingPayment: string;
  fee: string;
};

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

  const url = 'https://127.0.0.1:9/hook';
  const subscription = (await made<{ id: string }>('POST /webhook-subscriptions', { url, description: mark })).id;
  await made(`POST /webhook-subscriptions/${subscription}/test`, undefined);
  const transaction = `${mark}-T`;
  const order = (
    await made<Made>('POST /orders', orderOf({ branchId: withImage.body.data.id, sku, product, transaction }))
  ).data.id;
  await made('PATCH /organization', { vat_number: '300000000000003' });
  await made(`POST /orders/${order}/invoice`, undefined);
  const queued = await made<{ data: { job_id: string } }>(
    'POST /orders',
    orderOf({ branchId: withImage.body.data.id, sku, product, transaction: `${mark}-T2` }),
    { 'x-async': 'true' },
  );
  const job = queued.data.job_id;
  const sessionToken = (await made<{ id: string }>('POST /auth/session-tokens', { name: mark })).id;
  const apiKey = (await made<{ id: string }>('POST /auth/api-keys', { name: mark })).id;

  const webhook_secret = `${mark} signs with this`;
  const installed = await made<Made>('POST /apps', {
    app_slug: 'woocommerce',
    settings: { webhook_secret, branch_iv_id: branch, branches: { W: branch } },
  });
  const install = installed.data.id;
  const signature = createHmac('sha256', webhook_secret).update('no order').digest('base64');
  const received = await call<{ data: { staging_id: string } }>(service.baseUrl, `POST /ingest/${install}`, {
    raw: 'no order',
    headers: { 'x-wc-webhook-signature': signature },
  });
  expect(received.status, received.text).toBe(202);
  const payload = received.body.data.staging_id;

  const invited = { email: `${transaction}@tests.example`, role: 'member' };
  const member = (await made<Made>('POST /members', invited)).data.id;

  const payments = await openPayments(service, organization, order, made);
  const uploaded = await call<{ data: { job_id: string } }>(service.baseUrl, 'POST /analytics/sensy/upload', {
    token: owner.token,
    headers: { 'content-type': 'text/csv' },
    raw: demandOf({ sku }),
  });
  expect(uploaded.status, uploaded.text).toBe(202);
  const operators = await openOperators(service, organization, mark);
  const billing = await openBilling(service, organization, branch);

  // The workers have to have done their part before anyone can watch for changes.
  const patience = { timeout: patienceMs(), interval: 100 };
  type Listed = { data: { id: string; attempts?: number }[] };
  await vi.waitUntil(async () => (await got<{ status: string }>(`GET /jobs/${job}`)).status === 'succeeded', patience);
  await vi.waitUntil(
    async () => (await got<{ status: string }>(`GET /staging/${payload}`)).status === 'failed',
    patience,
  );
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
      product,
      barcode,
      sku,
      brand,
      category,
      spareBrand,
      spareCategory,
      order,
      transaction,
      customer: customers[0]?.id ?? '',
      subscription,
      delivery: deliveries[0]?.id ?? '',
      job,
      install,
      payload,
      sessionToken,
      apiKey,
      member,
      fileOwner,
      fileName,
      ...payments,
      ...operators,
      ...billing,
    },
  };
}

type Made = <Body>(target: string, body: unknown) => Promise<Body>;

/** Through the pretended provider: its customers agree on a page of this service. */
async function openPayments({ sql }: TestService, organization: string, order: string, made: Made) {
  const app = { app_slug: 'tabby-pos-paylinks', settings: { sandbox: true } };
  const install = await made<{ data: { id: string } }>('POST /apps', app);
  type Paylink = { data: { id: string; url: string } };
  const paylink = (await made<Paylink>('POST /providers/tabby/paylinks', { order_id: order })).data;
  const spare = { amount: 5, currency: 'SAR' };
  const sparePaylink = (await made<Paylink>('POST /providers/tabby/paylinks', spare)).data;
  type PaymentOrder = { data: { order_id: string; next_action: { url: string } } };
  const line_items = [{ sku: 'S', name: 'Dates', qty: 1, price: 5 }];
  const paymentOrder = await made<PaymentOrder>('POST /payments/orders', {
    providers: ['tabby'],
    order: { total_amount: 5, currency: 'SAR', line_items },
  });
  for (const url of [paylink.url, paymentOrder.data.next_action.url]) {
    expect((await fetch(url, { method: 'POST' })).status).toBe(200);
  }
  const gatewayTransaction = newId();
  const now = new Date();
  // Too long ago to be matched by amount and time.
  const hourAgo = new Date(now.getTime() - 3_600_000);
  await sql`
    insert into gateway_transactions (organization_id, id, provider, organization_app_id, provider_reference, amount, currency,
                                      status, occurred_at, created, updated)
    values (${organization}, ${gatewayTransaction}, 'moyasar', ${install.data.id}, ${newId()}, 5, 'SAR', 'paid', ${hourAgo}, ${now},
            ${now})`;
  return {
    paylink: paylink.id,
    sparePaylink: sparePaylink.id,
    paymentOrder: paymentOrder.data.order_id,
    gatewayTransaction,
    lastingInstall: install.data.id,
  };
}

/** What the operator has of it. */
async function openOperators({ sql, baseUrl, platform }: TestService, organization: string, mark: string) {
  const { token } = await commercialAccount(sql);
  const made = async (target: string, options: Call) => {
    const reply = await call<{ id: string }>(baseUrl, target, { token, ...options });
    expect(reply.status, reply.text).toBe(201);
    return reply.body.id;
  };
  const now = new Date();
  const { partner, payee } = await inTransaction(sql, async (tx) => {
    const input = { name: `${mark} partner`, erp: 'Odoo', ratePercent: '10' };
    const { id } = await createPartner(tx, input, SYSTEM_ACTOR, now);
    await attachTenant(tx, id, organization, SYSTEM_ACTOR, now);
    const account = { partnerId: id, name: 'Payee', email: 'payee@tests.example', iban: 'SA0380000000608010167519' };
    const saved = await savePayee(tx, platform.box, account, SYSTEM_ACTOR, now);
    const paymentId = newId();
    await tx`
      insert into billing_payments (organization_id, id, amount_sar, method, status, created)
      values (${organization}, ${paymentId}, 100, 'cash', 'succeeded', ${now})`;
    await accrueCommission(tx, { organizationId: organization, paymentId, totalSar: '100', now });
    return { partner: id, payee: saved.id };
  });
  const service = { code: mark, name_en: 'Sync', price_sar: 1 };
  const billableService = await made('POST /commercial/billable-services', { body: service });
  const asset = await made(`POST /commercial/billable-services/${billableService}/assets`, {
    raw: formOf({ file: png() }),
  });
  const transfer = {
    partner_id: partner,
    partner_user_id: payee,
    amount_sar: '1',
    period: '2026-10',
    bank_reference: mark,
  };
  const payout = await made('POST /commercial/partner-commissions', {
    raw: formOf({ ...transfer, proof: png() }),
  });
  const post = await made('POST /commercial/posts', {
    // Not shown yet: what everybody of the organization may see is no secret between its branches.
    body: { title_en: mark, title_ar: mark, audience: [organization], from: '2999-01-01T00:00:00Z' },
  });
  return { billableService, asset, partner, payee, payout, post };
}

/** What it paid to the operator, and what it owes. */
async function openBilling({ sql }: TestService, organizationId: string, branch: string) {
  const now = new Date();
  const { payment } = await inTransaction(sql, (tx) =>
    takePayment(tx, { organizationId, amountSar: '5.00', method: 'cash', reference: 'R', createdBy: 'tests', now }),
  );
  const fee = newId();
  await sql`
    insert into branch_fees (organization_id, id, branch_iv_id, period, amount_sar, vat_sar, paid_sar, status, due_date, created)
    values (${organizationId}, ${fee}, ${branch}, '2026-01-01', 100, 15, 0, 'pending', '2999-01-15', ${now})`;
  return { billingPayment: payment.id, fee };
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

/** The same keys with values that never existed, of the same form. */
export function ghostOf(ids: ShopIds): ShopIds {
  const ghost: Record<string, string> = {};
  for (const [name, value] of Object.entries(ids)) ghost[name] = unusedLike(value);
  const { product = '', branch = '' } = ghost;
  return { ...ids, ...ghost, sku: `${product}_${branch}` };
}

function unusedLike(value: string): string {
  const [stem = '', extension] = value.split('.');
  if (/^[0-9a-f]{8}-/.test(stem)) return extension === undefined ? newId() : `${newId()}.${extension}`;
  if (/^\d+$/.test(value)) return String(10 ** (value.length - 1) + Math.floor(Math.random() * 10 ** 9));
  return `GHOST${Math.floor(Math.random() * 1e9)}`.padEnd(value.length, 'X').slice(0, value.length);
}
