import { afterEach, describe, expect, test, vi } from 'vitest';
import { openJobs, stopOpenedJobs } from '../../src/platform/jobs/testing/opened-jobs.ts';
import { atEndOfFile } from '../harness/end-of-file.ts';
import { patienceMs, TEST_SECRET } from '../harness/index.ts';
import { startProcess } from '../start/service-process.ts';
import { testVendorShop } from '../vendors/vendor-shop.ts';

const shop = await testVendorShop();
const { service, ask, vendors, install, make, take, move, statusOf } = shop;
const { sql } = service;

afterEach(() => {
  vendors.clearFaults();
  vendors.forgetCalls();
});

const operations = () => sql<{ subject_id: string }[]>`select subject_id from external_operations`;

describe('two changes of one order at once', () => {
  test.each(['salla', 'woocommerce', 'deliverect'] as const)(
    '%s: the vendor and the service end with the same status, and only what the vendor accepted is stored',
    async (slug) => {
      const installed = await install(slug);
      for (let round = 0; round < 5; round += 1) {
        const { ownId } = await take(installed);
        vendors.forgetCalls();
        const wanted = ['CANCELLED', 'DELIVERED'];
        const answers = await Promise.all(wanted.map((status) => move(ownId, status)));
        // Both are final: one was first, the other was judged by it.
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
        const winner = wanted[answers.findIndex(({ status }) => status === 200)];
        expect(await statusOf(ownId)).toBe(winner);
        const pushed = vendors.calls(slug).filter(({ method, path }) => method !== 'GET' && !path.endsWith('token'));
        expect(pushed).toHaveLength(1);
        expect(await operations()).toEqual([]);
      }
    },
  );

  test('in bulk as well: one is made, the other refused, and the vendor hears of one', async () => {
    const installed = await install('salla');
    const { ownId } = await take(installed);
    vendors.forgetCalls();
    const bulk = (order_status: string) =>
      ask('PATCH /orders/bulk/status', { body: { updates: [{ id: ownId, order_status }] } });
    const answers = await Promise.all([bulk('CANCELLED'), bulk('DELIVERED')]);
    expect(answers.map(({ body }) => body.data.succeeded).toSorted()).toEqual([0, 1]);
    expect(vendors.calls('salla').filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('a PUT waits until the vendor has answered, and is judged by the outcome', async () => {
    const installed = await install('salla');
    const { ownId } = await take(installed);
    const letGo = vendors.holdBack('salla');
    const moving = move(ownId, 'DELIVERED');
    await vi.waitFor(async () => expect(await operations()).toHaveLength(1), { timeout: patienceMs() });
    const { body } = await ask(`GET /orders/${ownId}`);
    const { order } = body;
    const replaced = ask(`PUT /orders/${ownId}`, {
      body: {
        order_status: 'CANCELLED',
        fulfillment_status: 'None',
        skus: order.skus,
        products: order.products,
        total_amount: order.total_amount,
        payment_status: order.payment_status,
      },
    });
    letGo();
    expect((await moving).status).toBe(200);
    expect((await replaced).status).toBe(422);
    expect(await statusOf(ownId)).toBe('DELIVERED');
  });
});

describe('a process that dies between the vendor and the write', () => {
  test.each([
    ['salla', 'asked'],
    ['deliverect', 'called again'],
  ] as const)('%s is %s, and the order follows', async (slug, _how) => {
    const installed = await install(slug);
    const { ownId } = await take(installed);
    vendors.forgetCalls();
    const settings = {
      ...vendors.settings,
      DATABASE_URL: service.databaseUrl,
      DUKKAN_SECRET: TEST_SECRET,
      DUKKAN_DATA_DIR: service.dataDir,
      DUKKAN_ROLES: 'api',
      METRICS_PORT: 'off',
      DUKKAN_DEMO: 'false',
    };
    const doomed = await startProcess(settings);
    // The vendor does it and answers nothing; the process is killed while it waits.
    vendors.addFault({ vendor: slug, method: 'POST', kind: 'hang', times: 1 });
    const cut = fetch(`${doomed.baseUrl}/api/v1/orders/${ownId}/status`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${shop.shop.owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ order_status: 'DISPATCHED' }),
    }).catch(() => undefined);
    await vi.waitFor(() => expect(vendors.calls(slug).some(({ method }) => method === 'POST')).toBe(true), {
      timeout: patienceMs(),
    });
    await doomed.stop('SIGKILL');
    await cut;
    if (slug === 'salla') {
      const order = vendors.shop('salla').orders;
      for (const kept of order.values()) kept.status = { ...kept.status, slug: 'delivering' };
    }
    expect(await statusOf(ownId)).toBe('RECEIVED');
    // Its lease ends.
    await sql`update external_operations set lease_until = now() - interval '1 second' where subject_id = ${ownId}`;
    await expect.poll(() => statusOf(ownId)).toBe('DISPATCHED');
    expect(await operations()).toEqual([]);
    // The timeline shows an event once it has its position, a moment after the commit.
    const changes = async () => (await shop.eventsOf(ownId)).filter((type) => type === 'order.status_changed').length;
    await expect.poll(changes).toBe(1);
  });
});

describe('an install that is changed while it is polled', () => {
  const jobs = openJobs(sql, false);
  jobs.every('poll-vendors', '*/5 * * * *', async () => undefined);
  atEndOfFile(stopOpenedJobs);

  test('loses no order: what came by the old settings is asked for again', async () => {
    await jobs.start();
    vendors.shop('magento2').orders.clear();
    const at = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    const made = make('magento2', { updated_at: at });
    const installed = await install('magento2', { access_token: 'polled' });
    const letGo = vendors.holdBack('magento2');
    await jobs.enqueue(sql, 'poll-vendors', {});
    await vi.waitFor(() => expect(vendors.calls('magento2').length).toBeGreaterThan(0), { timeout: patienceMs() });
    const changed = await ask(`PATCH /apps/${installed.id}`, { body: { settings: { branch_iv_id: 'JED' } } });
    expect(changed.status, changed.text).toBe(200);
    letGo();
    const staged = async () => (await ask(`GET /staging?organization_app_id=${installed.id}`)).body.total_count;
    await expect.poll(staged).toBe(1);
    await expect
      .poll(async () => (await ask(`GET /orders?source=${installed.id}&format=canonical`)).body.orders.length)
      .toBe(1);
    const { body } = await ask(`GET /orders?source=${installed.id}&format=canonical`);
    expect(body.orders[0].external.order_id).toBe(made.id);
  });
});
