import { describe, expect, test } from 'vitest';
import { call, type ReplyBody } from '../../../test/harness/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { salesCaughtUp } from '../sales/testing/caught-up.ts';
import { forgetDashboardChanges } from './forget-dashboard-changes.ts';
import { NOON, startDashboards } from './testing/start-dashboards.ts';

const HOUR_MS = 3_600_000;
const { clock, service, sql, openShop, dashboard, place } = await startDashboards();

describe('a cached dashboard', () => {
  async function openSelling() {
    const shop = await openShop();
    const { token } = shop.owner;
    const body = { iv_id: 'P-1', name_en: 'Dates', name_ar: 'تمر' };
    expect((await call(service.baseUrl, 'POST /products', { token, body })).status).toBe(201);
    await sql`update skus set reorder_threshold = 5, current_qty = 2 where organization_id = ${shop.id}`;
    await place(shop, { products: [{ product_id: 'P-1', sku_id: 'P-1_B-0', quantity: 1, price: 1 }] });
    const hook = { url: 'https://hooks.example.com/one' };
    const { body: subscription } = await call(service.baseUrl, 'POST /webhook-subscriptions', { token, body: hook });
    await salesCaughtUp(sql);
    const read = async () => (await dashboard(token, '?range=7')).data;
    return { shop, id: shop.id, subscriptionId: subscription.id as string, read };
  }
  type Selling = Awaited<ReturnType<typeof openSelling>>;
  const alertsOf = ({ alerts }: ReplyBody, kind: string) => alerts.filter((alert: ReplyBody) => alert.kind === kind);

  test('has the time of its request', async () => {
    const { read, shop } = await openSelling();
    const before = await read();
    clock.advanceMs(1_000);
    const { fetched_at, data } = await dashboard(shop.owner.token, '?range=7');
    expect([fetched_at, data]).toEqual([clock.now().toISOString(), before]);
  });

  test('is answered while nothing is known to have changed', async () => {
    const { read, id } = await openSelling();
    const nameOf = async () => (await read()).products[0].name_en;
    /** Without the trigger, a rename is seen only when something else has changed, such as a forecast. */
    const isAnsweredAfterRename = async () => {
      const before = await nameOf();
      await sql`alter table products disable trigger dashboard_rows_changed`;
      await sql`update products set name_en = ${newId()} where organization_id = ${id}`;
      await sql`alter table products enable trigger dashboard_rows_changed`;
      return (await nameOf()) === before;
    };
    await expect.poll(isAnsweredAfterRename).toBe(true);
  });

  test.each<[string, (at: Selling) => Promise<unknown>, (data: ReplyBody) => unknown, unknown]>([
    [
      'of stock',
      ({ id }) => sql`update skus set current_qty = 0 where organization_id = ${id} and iv_id = 'P-1_B-0'`,
      (data) => data.alerts[0].severity,
      'critical',
    ],
    [
      'of a name of a product',
      ({ id }) => sql`update products set name_en = 'Figs' where organization_id = ${id}`,
      (data) => [data.products[0].name_en, data.consumption[0].product_name_en],
      ['Figs', 'Figs'],
    ],
    [
      'of a branch',
      ({ id }) => sql`update branches set iv_id = 'B-9' where organization_id = ${id} and iv_id = 'B-0'`,
      (data) => data.consumption[0].branch_iv_id,
      'B-9',
    ],
    [
      'of the currency',
      ({ id }) => sql`update organizations set currency = 'USD' where id = ${id}`,
      (data) => data.summary.currency,
      'USD',
    ],
    [
      'of an install',
      ({ shop }) => sql`update app_installs set failures_in_a_row = 10 where id = ${shop.channel}`,
      (data) => alertsOf(data, 'failing_connector').length,
      1,
    ],
    [
      'of a subscription',
      ({ subscriptionId }) =>
        sql`update webhook_subscriptions set failing_since = ${NOON} where id = ${subscriptionId}`,
      (data) => alertsOf(data, 'failing_webhook').length,
      1,
    ],
    [
      'of fees',
      ({ id }) => sql`
        insert into branch_fees (organization_id, id, branch_iv_id, period, amount_sar, vat_sar, status, due_date, created)
        values (${id}, ${newId()}, 'B-0', '2026-09-01', 100, 15, 'overdue', '2026-09-15', ${NOON})`,
      (data) => alertsOf(data, 'overdue_fee').length,
      1,
    ],
    [
      'of forecasts',
      ({ id }) => sql`
        insert into forecast_states (organization_id, refreshed_at) values (${id}, ${NOON})
        on conflict (organization_id) do update set refreshed_at = excluded.refreshed_at`,
      (data) => data.consumption,
      undefined,
    ],
    [
      'of orders',
      async ({ shop }) => {
        await place(shop, { total_amount: 50 });
        await salesCaughtUp(sql);
      },
      (data) => [data.summary.orders, data.activity.length],
      [2, 2],
    ],
    [
      'of posts',
      ({ id }) => addPost([id], NOON, null),
      (data) => data.posts.map((post: ReplyBody) => post.title_en),
      ['Eid'],
    ],
  ])('shows a change %s by another process at once', async (_of, change, shown, expected) => {
    const at = await openSelling();
    expect(await at.read()).toEqual(await at.read());
    await change(at);
    expect(shown(await at.read())).toEqual(expected);
  });

  test('shows and hides a post at its time', async () => {
    const { read, id } = await openSelling();
    const [from, until] = [1, 2].map((hours) => new Date(clock.now().getTime() + hours * HOUR_MS)) as [Date, Date];
    await addPost([id], from, until);
    const visible = [];
    for (const _hour of [0, 1, 2]) {
      visible.push((await read()).posts !== undefined);
      clock.advanceMs(HOUR_MS);
    }
    clock.moveTo(NOON);
    expect(visible).toEqual([false, true, false]);
  });

  test('shows a change of a transaction that began before it was read', async () => {
    const { read, id } = await openSelling();
    const [written, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = inTransaction(sql, async (tx) => {
      await tx`update products set name_en = 'Late' where organization_id = ${id}`;
      written.resolve();
      await finish.promise;
    });
    await written.promise;
    expect((await read()).products[0].name_en).toBe('Dates');
    for (const _round of [1, 2, 3]) await forgetDashboardChanges({ sql });
    finish.resolve();
    await slow;
    expect((await read()).products[0].name_en).toBe('Late');
    // A cached answer that is older than the history of changes counts as changed.
    await sql`update products set name_en = 'Again' where organization_id = ${id}`;
    const changesLeft = async () => {
      await forgetDashboardChanges({ sql });
      return sql`select from dashboard_changes`;
    };
    await expect.poll(changesLeft).toHaveLength(0);
    expect((await read()).products[0].name_en).toBe('Again');
  });

  function addPost(audience: string[], from: Date, until: Date | null) {
    return sql`
      insert into posts (id, title_en, title_ar, body_en, body_ar, visible_from, visible_until, audience, created, updated)
      values (${newId()}, 'Eid', 'عيد', 'Closed', 'مغلق', ${from}, ${until}, ${audience}::uuid[], ${NOON}, ${NOON})`;
  }
});
