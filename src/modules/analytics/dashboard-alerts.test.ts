import { describe, expect, test } from 'vitest';
import { call, type ReplyBody, testAccount } from '../../../test/harness/index.ts';
import { newId } from '../../platform/ids.ts';
import { issueApiKey } from '../identity/index.ts';
import { salesCaughtUp } from '../sales/testing/caught-up.ts';
import { type DashboardShop, NOON, startDashboards } from './testing/start-dashboards.ts';

const HOUR_MS = 3_600_000;
const { clock, service, sql, openShop, dashboard, place } = await startDashboards();

describe('sections of stock', () => {
  test('show fast sellers, SKUs that run out, and SKUs below their threshold', async () => {
    const shop = await openShop();
    const { token } = shop.owner;
    for (const number of [1, 2]) {
      const body = { iv_id: `P-${number}`, name_en: `Dates ${number}`, name_ar: `تمر ${number}` };
      expect((await call(service.baseUrl, 'POST /products', { token, body })).status).toBe(201);
    }
    const stock = async (iv_id: string, body: Record<string, unknown>) =>
      expect((await call(service.baseUrl, `PATCH /skus/${iv_id}`, { token, body })).status).toBe(200);
    await stock('P-1_B-0', { current_qty: 3, reorder_threshold: 10 });
    await stock('P-2_B-1', { current_qty: 0, reorder_threshold: 5 });
    await stock('P-2_B-0', { current_qty: 500, reorder_threshold: 5 });
    const line = (product: string, branch: number, quantity: number) => ({
      destination: shop.branches[branch],
      products: [{ product_id: product, sku_id: `${product}_B-${branch}`, quantity, price: 1 }],
    });
    await place(shop, line('P-1', 0, 7));
    await place(shop, line('P-2', 0, 14));
    await place(shop, line('P-9', 1, 1));
    await salesCaughtUp(sql);
    const { data } = await dashboard(token, '?range=7');
    const dates = { product_name_en: 'Dates 1', product_name_ar: 'تمر 1', branch_iv_id: 'B-0' };
    expect(data.consumption).toEqual([
      {
        ...dates,
        sku_id: 'P-2_B-0',
        product_name_en: 'Dates 2',
        product_name_ar: 'تمر 2',
        units: 14,
        daily_use: 2,
        current_qty: 500,
        days_of_cover: 250,
      },
      { ...dates, sku_id: 'P-1_B-0', units: 7, daily_use: 1, current_qty: 3, days_of_cover: 3 },
      {
        sku_id: 'P-9_B-1',
        product_name_en: null,
        product_name_ar: null,
        branch_iv_id: null,
        units: 1,
        daily_use: 0.143,
        current_qty: null,
        days_of_cover: null,
      },
    ]);
    expect(data.sensy).toEqual([
      { ...dates, sku_id: 'P-1_B-0', current_qty: 3, days_of_cover: 3, stockout_date: '2026-11-19' },
    ]);
    expect(data.products[0]).toMatchObject({ product_id: 'P-2', name_en: 'Dates 2', units: 14 });
    expect(data.alerts).toEqual([
      {
        kind: 'low_stock',
        severity: 'critical',
        message_en: 'Low stock: Dates 2 in Branch 1 has 0 left, its threshold is 5',
        message_ar: 'مخزون منخفض: تمر 2 في فرع 1 بقي منه 0، وحد إعادة الطلب 5',
        ref: 'P-2_B-1',
        at: NOON.toISOString(),
      },
      expect.objectContaining({ kind: 'low_stock', severity: 'warning', ref: 'P-1_B-0' }),
    ]);
    const counted = await call(service.baseUrl, 'GET /analytics/low-stock', { token });
    const one = { skus: 1 };
    expect(counted.body).toEqual({
      organization_id: shop.id,
      skus: 2,
      out_of_stock: 1,
      branches: [
        { branch_iv_id: 'B-0', name_en: 'Branch 0', name_ar: 'فرع 0', ...one, out_of_stock: 0 },
        { branch_iv_id: 'B-1', name_en: 'Branch 1', name_ar: 'فرع 1', ...one, out_of_stock: 1 },
      ],
    });
    const ofOne = await call(service.baseUrl, 'GET /analytics/low-stock', { token: shop.confined });
    expect(ofOne.body).toMatchObject({ skus: 1, out_of_stock: 0, branches: [{ branch_iv_id: 'B-0' }] });
    const ofBranch = (await dashboard(shop.confined, '?range=7')).data;
    expect(ofBranch.alerts.map(({ ref }: ReplyBody) => ref)).toEqual(['P-1_B-0']);
    expect(ofBranch.consumption.map(({ sku_id }: ReplyBody) => sku_id)).toEqual(['P-2_B-0', 'P-1_B-0']);

    await stock('P-1_B-0', { current_qty: 30 });
    const restocked = (await dashboard(token, '?range=7&section=alerts&section=sensy')).data;
    expect(restocked.alerts.map(({ ref }: ReplyBody) => ref)).toEqual(['P-2_B-1']);
    expect(restocked.sensy).toBeUndefined();
  });
});

describe('alerts of the organization', () => {
  test('of the whole organization are not shown to accounts confined to a branch', async () => {
    const shop = await openShop();
    const { token } = shop.owner;
    const subscribe = async (path: string) =>
      (
        await call(service.baseUrl, 'POST /webhook-subscriptions', {
          token,
          body: { url: `https://hooks.example.com/${path}` },
        })
      ).body.id;
    const [failing, disabled] = [await subscribe('failing'), await subscribe('disabled')];
    await subscribe('fine');
    await sql`update webhook_subscriptions set failing_since = ${NOON} where id = ${failing}`;
    await sql`update webhook_subscriptions set status = 'disabled', disabled_reason = 'x' where id = ${disabled}`;
    await sql`update app_installs set failures_in_a_row = 10 where id = ${shop.channel}`;
    await sql`
      insert into branch_fees (organization_id, id, branch_iv_id, period, amount_sar, vat_sar, status, due_date, created)
      values (${shop.id}, ${newId()}, 'B-0', '2026-09-01', 100, 15, 'overdue', '2026-09-15', ${NOON})`;
    const kindsOf = ({ data }: ReplyBody) => (data.alerts ?? []).map(({ kind, ref }: ReplyBody) => [kind, ref]);
    const { data } = await dashboard(token, '?section=alerts');
    expect(kindsOf({ data }).sort()).toEqual(
      [
        ['failing_webhook', failing],
        ['failing_webhook', disabled],
        ['failing_connector', shop.channel],
        ['overdue_fee', null],
      ].sort(),
    );
    expect(data.alerts.find(({ kind }: ReplyBody) => kind === 'overdue_fee')).toEqual({
      kind: 'overdue_fee',
      severity: 'critical',
      message_en: 'Fees overdue: SAR 115.00',
      message_ar: 'رسوم متأخرة السداد: 115.00 ر.س',
      ref: null,
      at: NOON.toISOString(),
    });
    expect(data.alerts.at(-1)).toMatchObject({ ref: failing, severity: 'warning' });
    expect(kindsOf(await dashboard(shop.confined, '?section=alerts'))).toEqual([]);
  });

  test('name a webhook by its host, since its path may hold a token', async () => {
    const shop = await openShop();
    const url = 'https://hooks.example.com:8443/T0KEN/path?key=S3CRET';
    await troubledWebhook(shop, url);
    const { alerts } = (await dashboard(shop.owner.token, '?section=alerts')).data;
    expect(alerts[0].message_en).toBe('Webhook failing: hooks.example.com:8443 does not take events');
    expect(JSON.stringify(alerts)).not.toMatch(/T0KEN|S3CRET/);
  });

  test('report a cancellation rate far above the usual one', async () => {
    const shop = await openShop();
    clock.moveTo(new Date(NOON.getTime() - 10 * 24 * HOUR_MS));
    const fill = async (status: string, count: number) => {
      for (let made = 0; made < count; made += 1)
        await place(shop, { order_status: status, destination: shop.branches[0] });
    };
    await fill('RECEIVED', 8);
    await fill('CANCELLED', 2);
    clock.moveTo(NOON);
    await fill('CANCELLED', 4);
    await fill('RECEIVED', 5);
    await salesCaughtUp(sql);
    expect((await dashboard(shop.owner.token, '?section=alerts')).data).toEqual({});
    await fill('CANCELLED', 1);
    await salesCaughtUp(sql);
    const spike = {
      kind: 'cancellation_spike',
      severity: 'warning',
      message_en: 'Cancellations: 50 % of the orders since yesterday, usually 20 %',
      message_ar: 'الإلغاءات: 50% من الطلبات منذ أمس، والمعتاد 20%',
      ref: null,
      at: NOON.toISOString(),
    };
    expect((await dashboard(shop.owner.token, '?section=alerts')).data).toEqual({ alerts: [spike] });
    expect((await dashboard(shop.confined, '?section=alerts&range=7')).data).toEqual({ alerts: [spike] });
  });
});

async function troubledWebhook(shop: DashboardShop, url: string): Promise<void> {
  const { body } = await call(service.baseUrl, 'POST /webhook-subscriptions', {
    token: shop.owner.token,
    body: { url },
  });
  await sql`update webhook_subscriptions set failing_since = ${NOON} where id = ${body.id}`;
}

describe('a caller who may read Analytics', () => {
  /** One alert of each kind, and one event. */
  async function troubledShop(): Promise<DashboardShop> {
    const shop = await openShop();
    const { token } = shop.owner;
    const body = { iv_id: 'P-1', name_en: 'Dates', name_ar: 'تمر' };
    expect((await call(service.baseUrl, 'POST /products', { token, body })).status).toBe(201);
    const stock = { current_qty: 1, reorder_threshold: 10 };
    expect((await call(service.baseUrl, 'PATCH /skus/P-1_B-0', { token, body: stock })).status).toBe(200);
    await troubledWebhook(shop, 'https://hooks.example.com/T0KEN');
    await sql`update app_installs set failures_in_a_row = 10 where id = ${shop.channel}`;
    await sql`
      insert into branch_fees (organization_id, id, branch_iv_id, period, amount_sar, vat_sar, status, due_date, created)
      values (${shop.id}, ${newId()}, 'B-0', '2026-09-01', 100, 15, 'overdue', '2026-09-15', ${NOON})`;
    for (let placed = 0; placed < 5; placed += 1)
      await place(shop, { order_status: 'CANCELLED', destination: shop.branches[0] });
    await salesCaughtUp(sql);
    return shop;
  }

  const SECTIONS = '?section=alerts&section=activity';
  const seen = ({ data }: ReplyBody) => ({
    kinds: (data.alerts ?? []).map(({ kind }: ReplyBody) => kind).sort(),
    hasActivity: data.activity !== undefined,
  });
  const ALL = ['cancellation_spike', 'failing_connector', 'failing_webhook', 'low_stock', 'overdue_fee'];

  test('sees alerts and events only of resources with a read grant', async () => {
    const shop = await troubledShop();
    expect(seen(await dashboard(shop.owner.token, SECTIONS))).toEqual({ kinds: ALL, hasActivity: true });
    const kindOf = {
      Orders: 'cancellation_spike',
      Apps: 'failing_connector',
      Webhooks: 'failing_webhook',
      Products: 'low_stock',
      Settings: 'overdue_fee',
    };
    for (const [resource, hidden] of Object.entries(kindOf)) {
      const { token } = await testAccount(sql, shop.id, 'viewer', { withheld: [`read:${resource}`] });
      const expected = { kinds: ALL.filter((kind) => kind !== hidden), hasActivity: resource !== 'Orders' };
      expect(seen(await dashboard(token, SECTIONS)), resource).toEqual(expected);
      // All at once, since callers of the same answer share one reading.
      const [owner, viewer] = await Promise.all([
        dashboard(shop.owner.token, SECTIONS),
        dashboard(token, SECTIONS),
        dashboard(shop.owner.token, SECTIONS),
      ]);
      expect(seen(owner).kinds).toEqual(ALL);
      expect(seen(viewer)).toEqual(expected);
    }
  });

  test('sees no alerts or events with an API key of that grant alone, and those of added grants', async () => {
    const shop = await troubledShop();
    const key = async (...grants: string[]) => {
      const fields = { organizationId: shop.id, name: 'reports', createdBy: shop.owner.userId, grants, now: NOON };
      const { apiKey } = await issueApiKey(sql, fields);
      const { body } = await call(service.baseUrl, `GET /analytics/dashboard${SECTIONS}`, { apiKey });
      return body;
    };
    expect((await key('read:Analytics')).data).toEqual({});
    expect(seen(await key('read:Analytics', 'read:Products'))).toEqual({ kinds: ['low_stock'], hasActivity: false });
    // No API key has Settings, whatever it says.
    expect(seen(await key('read:Analytics', 'read:Settings', 'read:Apps')).kinds).toEqual(['failing_connector']);
  });

  test('confined to a branch sees alerts of that branch, and none of the organization', async () => {
    const shop = await troubledShop();
    const other = await testAccount(sql, shop.id, 'member', { branchId: shop.branches[1] });
    expect(seen(await dashboard(shop.confined, SECTIONS)).kinds).toEqual(['cancellation_spike', 'low_stock']);
    expect(seen(await dashboard(other.token, SECTIONS)).kinds).toEqual([]);
    const withheld = ['read:Products'];
    const confined = await testAccount(sql, shop.id, 'member', { branchId: shop.branches[0], withheld });
    expect(seen(await dashboard(confined.token, SECTIONS)).kinds).toEqual(['cancellation_spike']);
  });
});
