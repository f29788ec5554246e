import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { call, type ReplyBody, testAccount } from '../../../test/harness/index.ts';
import { BNPL, type Bnpl, ORDER, openBnplShop, paylinks, SECRET, SLUGS } from './testing/bnpl-shop.ts';
import { type Installed, tamaraToken } from './testing/pay-shop.ts';

const { at, installed, made, agree, capture } = await openBnplShop();
afterEach(() => at.vendors.clearFaults());
afterAll(() => at.vendors.close());

const capturesAt = (provider: Bnpl) =>
  at.vendors.calls(SLUGS[provider]).filter(({ path }) => /captures?$|\/end$/.test(path)).length;

describe.each(BNPL)('%s', (provider) => {
  test('confirms a payment order, and returns the same response when it is confirmed again', async () => {
    const created = await at.ask('POST /payments/orders', {
      body: { providers: ['paypal', 'moyasar', provider], order: ORDER },
    });
    expect(created.status, created.text).toBe(201);
    const { order_id, next_action, ...routed } = created.body.data;
    expect(routed).toEqual({
      accepted_gateways: [provider],
      active_gateway: provider,
      app_slug: SLUGS[provider],
      execute_endpoint: `/api/v1/providers/${provider}/paylinks`,
      execute_method: 'POST',
    });
    expect(next_action).toEqual({ type: 'redirect', url: expect.stringContaining('/pay/') });
    const snapshot = await at.ask(`GET /payments/orders/${order_id}`);
    expect(snapshot.body).toMatchObject({
      event_type: 'order.snapshot',
      app_slug: SLUGS[provider],
      organization_app_id: installed[provider]?.id,
      order: { order_status: 'pending', payment_status: 'pending', fulfillment_status: 'none', total_amount: 70.5 },
    });

    const confirm = () => at.ask(`POST /payments/orders/${order_id}/confirm`, { body: { provider } });
    const tooSoon = await confirm();
    expect([tooSoon.status, tooSoon.body.error]).toEqual([409, 'Payment not authorised']);
    expect((await at.orderNow(order_id)).order_status).toBe('pending');

    const { data } = (await at.ask(`GET ${paylinks(provider)}?order_id=${order_id}`)).body;
    expect(data).toHaveLength(1);
    agree(provider, data[0]);
    const before = capturesAt(provider);
    const both = await Promise.all([confirm(), confirm()]);
    both.push(await confirm());
    expect(both.map(({ status, text }) => [status, status === 200 ? '' : text])).toEqual(both.map(() => [200, '']));
    expect(both.map(({ body }) => body.data)).toEqual(
      both.map(() => ({
        order_id,
        provider,
        status: 'completed',
        confirmed_app: SLUGS[provider],
        confirm_endpoint: `/api/v1/providers/${provider}/paylinks/${data[0].id}/capture`,
        confirm_method: 'POST',
        requires_qr_sms: false,
      })),
    );
    expect(capturesAt(provider) - before).toBe(1);
    expect(await at.orderNow(order_id)).toMatchObject({ order_status: 'confirmed', payment_status: 'completed' });
  });

  test('captures a paylink once for twenty concurrent requests, and the order is paid', async () => {
    const orderId = await at.order(120);
    const row = await made(provider, { order_id: orderId });
    expect(row).toMatchObject({ provider, order_id: orderId, status: 'created', amount: 120, captured_amount: 0 });
    expect((await capture(provider, row)).status).toBe(409);
    agree(provider, row);
    const before = capturesAt(provider);
    const answers = await Promise.all(Array.from({ length: 20 }, () => capture(provider, row)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers[7]?.body.data).toMatchObject({ status: 'captured', captured_amount: 120 });
    expect(capturesAt(provider) - before).toBe(1);
    expect(await at.orderNow(orderId)).toMatchObject({ order_status: 'RECEIVED', payment_status: 'completed' });
    const again = await at.ask(`POST ${paylinks(provider)}`, { body: { order_id: orderId } });
    expect([again.status, again.body.error]).toEqual([409, 'Order is settled']);
    expect((await at.ask(`POST ${paylinks(provider)}/${row.id}/cancel`)).status).toBe(409);
  });

  test('returns 502 while the provider is down, creates nothing, and succeeds when repeated', async () => {
    const orderId = await at.order(10);
    const stop = at.vendors.addFault({ vendor: SLUGS[provider], method: 'POST', kind: 'fail' });
    const down = await at.ask(`POST ${paylinks(provider)}`, { body: { order_id: orderId } });
    expect([down.status, down.body.error, down.body.details.app_slug]).toEqual([
      502,
      'Vendor unavailable',
      SLUGS[provider],
    ]);
    const noOrder = await at.ask('POST /payments/orders', { body: { providers: [provider], order: ORDER } });
    expect(noOrder.status).toBe(502);
    stop();
    expect((await at.ask(`GET ${paylinks(provider)}?order_id=${orderId}`)).body.total_count).toBe(0);
    at.vendors.addFault({ vendor: SLUGS[provider], method: 'POST', kind: 'refuse', times: 1, message: 'No thanks' });
    const refused = await at.ask(`POST ${paylinks(provider)}`, { body: { order_id: orderId } });
    expect([refused.status, refused.body.error, refused.body.details.vendor_status]).toEqual([
      502,
      'Vendor refused',
      422,
    ]);
    await made(provider, { order_id: orderId });
  });

  test('captures nothing twice after a lost response', async () => {
    const row = await made(provider, { order_id: await at.order(33) });
    agree(provider, row);
    const path = provider === 'mispay' ? /\/end$/ : /captures?$/;
    at.vendors.addFault({ vendor: SLUGS[provider], path, kind: 'lose', times: 2 });
    // Whether or not what became of it can be seen, asking again ends well.
    const first = await capture(provider, row);
    expect([200, 502]).toContain(first.status);
    const second = await capture(provider, row);
    expect([second.status, second.body.data?.captured_amount], second.text).toEqual([200, 33]);
    const payment = at.vendors.shop(SLUGS[provider]).payments.get(row.provider_reference);
    if (provider === 'tabby') expect(payment?.captures).toHaveLength(1);
    if (provider === 'tamara') expect(payment?.captured_amount.amount).toBe(33);
  });

  test('applies a webhook after a read-back, and ignores webhooks about other payments', async () => {
    const orderId = await at.order(45);
    const row = await made(provider, { order_id: orderId });
    const install = installed[provider] as Installed;
    const notice = {
      tabby: { id: row.provider_reference, status: 'closed', currency: 'SAR', amount: '45' },
      tamara: { order_id: row.provider_reference, event_type: 'order_captured', data: [] },
      mispay: { code: 'MP00', checkoutId: row.provider_reference, orderId: row.id },
    }[provider];
    const headers: Record<string, string> = {
      tabby: { 'x-webhook-token': SECRET },
      tamara: { authorization: `Bearer ${tamaraToken(SECRET)}` },
      mispay: { 'x-ingest-token': install.ingest_token },
    }[provider];
    const forged = await call(at.service.baseUrl, `POST /ingest/${install.id}`, { body: notice });
    expect(forged.status).toBe(401);
    const early = await at.deliver(install, { ...notice, n: 1 }, headers);
    expect([early.status, early.outcome]).toEqual(['processed', 'unchanged']);
    agree(provider, row);
    const agreed = await at.deliver(install, { ...notice, n: 2 }, headers);
    expect([agreed.status, agreed.outcome, agreed.order_id]).toEqual(['processed', 'updated', orderId]);
    expect((await at.ask(`GET ${paylinks(provider)}/${row.id}`)).body.status).toBe('authorized');
    expect((await at.orderNow(orderId)).payment_status).toBe('pending');

    const payment = at.vendors.shop(SLUGS[provider]).payments.get(row.provider_reference) as ReplyBody;
    if (provider === 'tabby') payment.amount = '1.00';
    if (provider === 'tamara') payment.total_amount = { amount: 1, currency: 'SAR' };
    if (provider === 'mispay') payment.purchaseAmount = 1;
    const other = await at.deliver(install, { ...notice, n: 3 }, headers);
    expect([other.status, other.error.code]).toEqual(['failed', 'amount_mismatch']);
    const unknown = await at.deliver(
      install,
      JSON.parse(
        JSON.stringify({ ...notice, n: 4 })
          .replaceAll(row.provider_reference, 'unknown')
          .replaceAll(row.id, 'x'),
      ),
      headers,
    );
    expect([unknown.status, unknown.outcome]).toEqual(['processed', 'ignored']);
  });
});

test('retries a webhook that arrives while its paylink is being created', async () => {
  const row = await made('tabby', { amount: 5, currency: 'SAR' });
  const { sql } = at.service;
  await sql`update paylinks set status = 'creating' where id = ${row.id}`;
  const report = at.deliver(
    installed.tabby as Installed,
    { id: 'not-yet-known', status: 'created', currency: 'SAR', order: { reference_id: row.id } },
    { 'x-webhook-token': SECRET },
  );
  const attempts = async () => {
    const { data } = (await at.ask('GET /staging?app_slug=tabby-pos-paylinks')).body;
    return data[0].error?.code;
  };
  await expect.poll(attempts).toBe('vendor_unavailable');
  await sql`update paylinks set status = 'created' where id = ${row.id}`;
  expect(await report).toMatchObject({ status: 'processed', outcome: 'unchanged' });
});

test('a refund at the provider marks the paylink and its order refunded', async () => {
  const orderId = await at.order(60);
  const row = await made('tamara', { order_id: orderId });
  agree('tamara', row);
  expect((await capture('tamara', row)).status).toBe(200);
  const payment = at.vendors.shop(SLUGS.tamara).payments.get(row.provider_reference) as ReplyBody;
  Object.assign(payment, { status: 'fully_refunded', refunded_amount: { amount: 60, currency: 'SAR' } });
  const notice = { order_id: row.provider_reference, event_type: 'order_refunded', data: [] };
  await at.deliver(installed.tamara as Installed, notice, { authorization: `Bearer ${tamaraToken(SECRET)}` });
  const after = (await at.ask(`GET ${paylinks('tamara')}/${row.id}`)).body;
  expect(after).toMatchObject({ status: 'refunded', captured_amount: 60, refunded_amount: 60 });
  expect((await at.orderNow(orderId)).payment_status).toBe('refunded');
});

test('of two authorised links of one order that are captured at once, one is', async () => {
  const orderId = await at.order(55);
  const [one, two] = [await made('tabby', { order_id: orderId }), await made('tamara', { order_id: orderId })];
  agree('tabby', one);
  agree('tamara', two);
  await at.service.sql`update paylinks set status = 'authorized' where order_id = ${orderId}`;
  const before = { tabby: capturesAt('tabby'), tamara: capturesAt('tamara') };
  const letGo = at.vendors.holdBack(SLUGS.tabby);
  const first = capture('tabby', one);
  await expect.poll(() => capturesAt('tabby')).toBe(before.tabby + 1);
  const second = capture('tamara', two);
  // Time for it to be sent, if it does not wait.
  for (let asked = 0; asked < 10; asked += 1) await at.ask(`GET ${paylinks('tamara')}/${two.id}`);
  const sentMeanwhile = capturesAt('tamara') - before.tamara;
  letGo();
  expect(sentMeanwhile).toBe(0);
  expect((await first).status).toBe(200);
  expect([(await second).status, (await second).body.error]).toEqual([409, 'Order is settled']);
  expect(capturesAt('tamara')).toBe(before.tamara);
});

describe('captures in parts', () => {
  test('add up; a repeat under the same key captures once, and an amount above the rest is refused', async () => {
    const orderId = await at.order(100);
    const row = await made('tabby', { order_id: orderId });
    agree('tabby', row);
    const headers = { 'idempotency-key': `part-${row.id}` };
    const parts = await Promise.all(Array.from({ length: 5 }, () => capture('tabby', row, { amount: 30.1 }, headers)));
    expect(parts.map(({ status, body }) => [status, body.data.captured_amount])).toEqual(parts.map(() => [200, 30.1]));
    expect((await capture('tabby', row, { amount: 70 })).status).toBe(422);
    expect((await capture('tabby', row, { amount: 1.001 })).status).toBe(422);
    expect((await capture('tabby', row, { amount: 0 })).status).toBe(422);
    expect((await capture('tabby', row, { amount: 9 }, headers)).body.error).toBe('Idempotency key reused');
    expect((await at.orderNow(orderId)).payment_status).toBe('pending');
    const rest = await capture('tabby', row);
    expect(rest.body.data).toMatchObject({ status: 'captured', captured_amount: 100 });
    expect((await at.orderNow(orderId)).payment_status).toBe('completed');
    const whole = await made('mispay', { amount: 20, currency: 'SAR' });
    agree('mispay', whole);
    expect((await capture('mispay', whole, { amount: 5 })).status).toBe(422);
  });

  test('settle the operation of a dead process by reading back, without repeating the call', async () => {
    const row = await made('tabby', { amount: 40, currency: 'SAR' });
    agree('tabby', row);
    const payment = at.vendors.shop(SLUGS.tabby).payments.get(row.provider_reference) as ReplyBody;
    payment.captures.push({ id: 'c', amount: '15.00', reference_id: '0193a1f0-7c00-7000-8000-00000000dead' });
    const { sql } = at.service;
    await sql`update paylinks set status = 'authorized' where id = ${row.id}`;
    const input = { action: 'capture', amount: 15, capturedBefore: 0, requestKey: null, sentAt: new Date() };
    await sql`
      insert into external_operations (organization_id, kind, subject_id, id, input, lease_until, created)
      values (${at.shop.id}, 'paylink', ${row.id}, '0193a1f0-7c00-7000-8000-00000000dead', ${JSON.stringify(input)},
              now() - interval '1 minute', now() - interval '2 minutes')`;
    const before = capturesAt('tabby');
    const rest = await capture('tabby', row);
    expect([rest.status, rest.body.data?.captured_amount], rest.text).toEqual([200, 40]);
    expect(capturesAt('tabby') - before).toBe(1);
    expect(payment.captures.map(({ amount }: ReplyBody) => Number(amount))).toEqual([15, 25]);
  });
});

describe('a paylink', () => {
  test('is created once for concurrent requests under one key', async () => {
    const headers = { 'idempotency-key': 'one-paylink' };
    const body = { amount: 12.5, currency: 'sar', line_items: ORDER.line_items, customer: { name: 'Sara' } };
    const before = at.vendors.shop(SLUGS.tabby).payments.size;
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => at.ask(`POST ${paylinks('tabby')}`, { body, headers })),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
    expect(new Set(replies.map((reply) => reply.body.data.id)).size).toBe(1);
    expect(at.vendors.shop(SLUGS.tabby).payments.size - before).toBe(1);
  });

  test('can be cancelled before the capture, idempotently, and not be captured afterwards', async () => {
    for (const provider of BNPL) {
      const row = await made(provider, { amount: 9, currency: 'SAR' });
      if (provider === 'tamara') agree(provider, row);
      const cancelled = await at.ask(`POST ${paylinks(provider)}/${row.id}/cancel`);
      expect([cancelled.status, cancelled.body.data?.status], cancelled.text).toEqual([200, 'cancelled']);
      expect((await at.ask(`POST ${paylinks(provider)}/${row.id}/cancel`)).status).toBe(200);
      expect((await capture(provider, row)).status).toBe(409);
    }
  });

  test.each([
    ['an unknown provider', 'paypal', { amount: 5, currency: 'SAR' }, 404],
    ['a gateway', 'moyasar', { amount: 5, currency: 'SAR' }, 422],
    ['no amount', 'tabby', { currency: 'SAR' }, 422],
    ['no money', 'tabby', { amount: 0, currency: 'SAR' }, 422],
    ['an odd currency', 'tabby', { amount: 5, currency: 'ZZZ' }, 422],
    ['too many digits', 'tabby', { amount: 5.001, currency: 'SAR' }, 422],
    ['an order that does not exist', 'tabby', { order_id: '0193a1f0-7c00-7000-8000-00000000dead' }, 422],
  ])('of %s is refused', async (_name, provider, body, status) => {
    expect((await at.ask(`POST /providers/${provider}/paylinks`, { body })).status).toBe(status);
  });

  test('of an order whose total is less than the smallest coin is refused', async () => {
    const reply = await at.ask(`POST ${paylinks('tabby')}`, { body: { order_id: await at.order(0.004) } });
    expect([reply.status, reply.body.details]).toEqual([422, { order_id: 'costs nothing' }]);
  });

  test('returns 404 to an account of another branch', async () => {
    const branch = (await at.ask('POST /branches', { body: { iv_id: 'PAY-1' } })).body.data.id;
    const other = (await at.ask('POST /branches', { body: { iv_id: 'PAY-2' } })).body.data.id;
    const [own, blind] = await Promise.all([
      testAccount(at.service.sql, at.shop.id, 'member', { branchId: branch }),
      testAccount(at.service.sql, at.shop.id, 'member', { branchId: other }),
    ]);
    const orderId = await at.order(15, { destination: branch });
    const row = await made('tabby', { order_id: orderId });
    const asked = async (token: string) => [
      (await at.ask(`GET ${paylinks('tabby')}/${row.id}`, { token })).status,
      (await at.ask(`GET ${paylinks('tabby')}?order_id=${orderId}`, { token })).body.total_count,
      (await at.ask(`POST ${paylinks('tabby')}`, { token, body: { order_id: orderId } })).status,
      (await at.ask(`POST ${paylinks('tabby')}`, { token, body: { amount: 5, currency: 'SAR' } })).status,
      (await at.ask(`POST ${paylinks('tabby')}/${row.id}/capture`, { token })).status,
    ];
    expect(await asked(own.token)).toEqual([200, 1, 201, 403, 409]);
    expect(await asked(blind.token)).toEqual([404, 0, 422, 403, 404]);
    const placed = await at.ask('POST /payments/orders', {
      token: own.token,
      body: { providers: ['tabby'], order: ORDER },
    });
    expect((await at.orderNow(placed.body.data.order_id)).destination_id).toBe(branch);
    expect((await at.ask(`GET /payments/orders/${placed.body.data.order_id}`, { token: blind.token })).status).toBe(
      404,
    );
  });
});
