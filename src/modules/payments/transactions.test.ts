import { afterAll, describe, expect, test } from 'vitest';
import type { ReplyBody } from '../../../test/harness/index.ts';
import type { VendorSlug } from '../../../test/vendors/simulator.ts';
import { openGatewayShop } from './testing/gateway-shop.ts';
import { GATEWAYS, hmac, KEY } from './testing/gateway-webhooks.ts';
import type { Installed } from './testing/pay-shop.ts';

const { at, installs, nextReference, transactions, find, reportPaid } = await openGatewayShop();
afterAll(() => at.vendors.close());

describe.each(Object.keys(GATEWAYS))('%s', (provider) => {
  test('matches a transaction to the order whose id, code or number it names', async () => {
    const amount = Number(nextReference());
    const orderId = await at.order(amount, { source_reference: `web-${provider}` });
    const { order_code } = await at.orderNow(orderId);
    const named = { moyasar: orderId, hyperpay: order_code, paytabs: `web-${provider}` }[provider] ?? orderId;
    const { row, reference } = await reportPaid(provider, { order: named, amount });
    expect([row.status, row.outcome, row.order_id, row.error]).toEqual(['processed', 'created', orderId, null]);
    expect(await find(reference)).toMatchObject({
      provider,
      order_id: orderId,
      amount,
      currency: 'SAR',
      status: 'paid',
      matched_by: 'reference',
    });
    expect((await at.orderNow(orderId)).payment_status).toBe('completed');
    // The signature is not shown, even if the payload cannot be parsed without it.
    const headers = Object.keys((await at.ask(`GET /staging/${row.id}`)).body.headers);
    expect(headers.filter((name) => /signature|secret|token|vector|tag|hash/.test(name))).toEqual([]);
  });

  test('leaves a transaction without a known reference to be matched by hand', async () => {
    const far = new Date(Date.now() - 3_600_000);
    const orderId = await at.order(7.77);
    // Out of the way of those who look by amount, before there is a transaction that they look for.
    await at.service.sql`update orders set created_at = ${far} where id = ${orderId}`;
    const { row, reference } = await reportPaid(provider, { order: 'unknown-order', amount: 7.77 });
    expect([row.status, row.order_id]).toEqual(['processed', null]);
    const found = await find(reference);
    expect([found.order_id, found.matched_by]).toEqual([null, null]);
    const unmatched = await transactions(`&unmatched=true&provider=${provider}&status=paid`);
    expect(unmatched.data.map((one: ReplyBody) => one.id)).toEqual([found.id]);
    const match = (body: object) => at.ask(`POST /payments/transactions/${found.id}/match`, { body });
    expect((await match({ order_id: 'x' })).status).toBe(422);
    const other = await at.order(8.88);
    const differs = await match({ order_id: other });
    expect([differs.status, differs.body.error]).toEqual([409, 'Amount differs']);
    const matched = await match({ order_id: orderId });
    expect(matched.body.data).toMatchObject({ id: found.id, order_id: orderId, matched_by: 'hand' });
    expect((await at.orderNow(orderId)).payment_status).toBe('completed');
    expect((await match({ order_id: orderId })).status).toBe(200);
    expect((await match({ order_id: other })).status).toBe(409);
  });
});

test('matches a transaction without a reference to the only order of its amount within ten minutes', async () => {
  const orderId = await at.order(311.25);
  const { reference } = await reportPaid('tap', { order: 'x-1', amount: 311.25 });
  expect(await find(reference)).toMatchObject({ order_id: orderId, matched_by: 'amount_and_time' });
  await at.order(312);
  await at.order(312);
  const two = await reportPaid('tap', { order: 'x-2', amount: 312 });
  expect((await find(two.reference)).order_id).toBeNull();
  await at.order(313);
  const late = await reportPaid('tap', { order: 'x-3', amount: 313, at: new Date(Date.now() - 11 * 60_000) });
  expect((await find(late.reference)).order_id).toBeNull();
});

test('does not match a transaction by its amount to an order that another has paid', async () => {
  const orderId = await at.order(317.75);
  await reportPaid('tap', { order: orderId, amount: 317.75 });
  const { row, reference } = await reportPaid('paytabs', { order: 'at-the-counter', amount: 317.75 });
  expect(row.status).toBe('processed');
  expect(await find(reference)).toMatchObject({ status: 'paid', order_id: null, matched_by: null });
});

test('does not apply a payment of another amount than the order, and lists it as unmatched', async () => {
  const orderId = await at.order(64);
  const { row, reference } = await reportPaid('paytabs', { order: orderId, amount: 46 });
  expect([row.status, row.error.code]).toEqual(['failed', 'amount_mismatch']);
  expect(await find(reference)).toMatchObject({ status: 'paid', amount: 46, order_id: null });
  expect((await at.orderNow(orderId)).payment_status).toBe('pending');
});

test('sums partial refunds, and marks the order refunded once they cover its total', async () => {
  const orderId = await at.order(50);
  const { reference } = await reportPaid('paytabs', { order: orderId, amount: 50 });
  const refund = async (amount: string) => {
    const body = JSON.stringify({
      tran_ref: nextReference(),
      tran_type: 'Refund',
      previous_tran_ref: reference,
      cart_id: orderId,
      cart_amount: '50.00',
      cart_currency: 'SAR',
      tran_total: amount,
      tran_currency: 'SAR',
      payment_result: { response_status: 'A', transaction_time: new Date().toISOString() },
    });
    return at.deliver(installs.paytabs as Installed, body, { signature: hmac(body, 'hex') });
  };
  expect((await refund('20.00')).status).toBe('processed');
  expect((await at.orderNow(orderId)).payment_status).toBe('completed');
  expect((await refund('30.00')).order_id).toBe(orderId);
  expect((await at.orderNow(orderId)).payment_status).toBe('refunded');
  // Late news of the payment is old news.
  await reportPaid('paytabs', { order: orderId, amount: 50, reference: nextReference() });
  expect((await at.orderNow(orderId)).payment_status).toBe('refunded');
});

test('with credentials, trusts the transaction that the gateway returns and not the webhook', async () => {
  const orderId = await at.order(90);
  const unknown = await reportPaid('moyasar', { order: orderId, amount: 90, isUnknown: true });
  expect([unknown.row.status, unknown.row.error?.code]).toEqual(['failed', 'vendor_refused']);
  expect(await find(unknown.reference)).toBeUndefined();
  const reference = nextReference();
  const payment = {
    id: reference,
    status: 'failed',
    amount: 9000,
    fee: 0,
    currency: 'SAR',
    refunded: 0,
    created_at: new Date().toISOString(),
    metadata: { order_id: orderId },
  };
  at.vendors.shop('moyasar-sync').payments.set(reference, payment);
  const lied = await reportPaid('moyasar', { order: orderId, amount: 90, reference });
  expect(lied.row.status).toBe('processed');
  expect((await find(reference)).status).toBe('failed');
  expect((await at.orderNow(orderId)).payment_status).toBe('pending');
});

describe.each(['moyasar', 'tap', 'myfatoorah', 'geidea'])(
  '%s, whose signature covers a part of the fields',
  (provider) => {
    test('trusts the payment that was read back, not the webhook', async () => {
      const amount = 700 + Number(nextReference());
      const [paid, other] = [await at.order(amount), await at.order(amount + 1)];
      const reference = nextReference();
      const gateway = GATEWAYS[provider];
      const kept = gateway?.paid({ reference, order: paid, amount, at: new Date() }).kept ?? {};
      at.vendors.shop(gateway?.slug as VendorSlug).payments.set(reference, kept);
      const { row } = await reportPaid(provider, { reference, order: other, amount: amount + 1 });
      expect([row.status, row.order_id]).toEqual(['processed', paid]);
      expect((await at.orderNow(other)).payment_status).toBe('pending');
      expect((await at.orderNow(paid)).payment_status).toBe('completed');
    });

    // Last: an install is not called for some seconds after its vendor has failed.
    test('changes no order if the read-back is refused or gets no response', async () => {
      const amount = 600 + Number(nextReference());
      const orderId = await at.order(amount);
      const refused = await reportPaid(provider, { order: orderId, amount, isUnknown: true });
      expect([refused.row.status, refused.row.error.code]).toEqual(['failed', 'vendor_refused']);
      const end = at.vendors.addFault({ vendor: GATEWAYS[provider]?.slug as VendorSlug, kind: 'fail' });
      const failed = await reportPaid(provider, { order: orderId, amount });
      end();
      expect([failed.row.status, failed.row.error.code]).toEqual(['failed', 'vendor_unavailable']);
      for (const { reference } of [refused, failed]) expect(await find(reference)).toBeUndefined();
      expect((await at.orderNow(orderId)).payment_status).toBe('pending');
    });
  },
);

test.each(['moyasar', 'myfatoorah'])(
  '%s without credentials: records the transaction, changes no order and names the missing setting',
  async (provider) => {
    const gateway = GATEWAYS[provider];
    const install = await at.install(gateway?.slug as VendorSlug, { webhook_secret: KEY });
    const amount = 800 + Number(nextReference());
    const orderId = await at.order(amount);
    const { row, reference } = await reportPaid(provider, { order: orderId, amount, install });
    expect([row.status, row.error.code, row.order_id]).toEqual(['failed', 'read_back_required', null]);
    expect(row.error.message).toContain('the setting access_token');
    expect(await find(reference)).toMatchObject({ status: 'paid', amount, order_id: null });
    expect((await at.orderNow(orderId)).payment_status).toBe('pending');
    // A newer order of the same amount does not make it trusted.
    await at.order(amount);
    await at.ask(`PATCH /apps/${install.id}`, { body: { settings: { access_token: 'sk' } } });
    expect((await at.ask(`POST /staging/${row.id}/retry`)).status).toBe(202);
    await expect.poll(async () => (await at.ask(`GET /staging/${row.id}`)).body.status).toBe('processed');
    expect(await find(reference)).toMatchObject({ order_id: orderId, matched_by: 'reference' });
    expect((await at.orderNow(orderId)).payment_status).toBe('completed');
  },
);

describe('geidea', () => {
  test('cannot be installed without merchant_code', async () => {
    const body = { app_slug: 'geidea-sync', settings: { webhook_secret: KEY } };
    const refused = await at.ask('POST /apps', { body });
    expect([refused.status, Object.keys(refused.body.details)]).toEqual([422, ['settings.merchant_code']]);
    const kept = await at.ask(`PATCH /apps/${installs.geidea?.id}`, { body: { settings: { merchant_code: null } } });
    expect(kept.status).toBe(422);
  });

  test('changes no order by a forged copy of a genuine callback', async () => {
    const orderId = await at.order(50);
    const reference = nextReference();
    // Of its own: calls for an install whose vendor has just failed pause, twice as long after each failure.
    const install = await at.install('geidea-sync', { webhook_secret: KEY, ...GATEWAYS.geidea?.settings });
    const unpaid = { order: orderId, amount: 50, reference, install };
    const { sent } = await reportPaid('geidea', { ...unpaid, isUnknown: true });
    // The gateway itself knows it as failed.
    const known = { ...(sent.kept as object), status: 'Failed', detailedStatus: 'Failed' };
    at.vendors.shop('geidea-sync').payments.set(reference, known);
    const callback = sent.body as { order: object };
    for (const detailedStatus of ['Paid', 'Refunded']) {
      const order = { ...callback.order, detailedStatus };
      await at.deliver(install, { ...callback, order, transactions: [detailedStatus] });
      expect((await at.orderNow(orderId)).payment_status).toBe('pending');
    }
    expect((await find(reference)).status).toBe('failed');
  });

  test('does not trust webhooks of an install without merchant_code, and names the setting', async () => {
    const old = await at.install('geidea-sync', { webhook_secret: KEY, merchant_code: 'public' });
    const { box } = at.service.platform;
    const settings = box.seal(
      JSON.stringify({ webhook_secret: KEY, api_base_url: at.vendors.baseUrlOf('geidea-sync') }),
    );
    await at.service.sql`update app_installs set settings = ${settings}, version = version + 1 where id = ${old.id}`;
    const orderId = await at.order(51);
    const { row } = await reportPaid('geidea', { order: orderId, amount: 51, install: old });
    expect([row.status, row.error.code]).toEqual(['failed', 'read_back_required']);
    expect(row.error.message).toContain('merchant_code');
    expect((await at.orderNow(orderId)).payment_status).toBe('pending');
  });
});

test.each(['moyasar', 'geidea'])('%s: staging masks the secret and the signature of a call', async (provider) => {
  const orderId = await at.order(52);
  const { row, sent } = await reportPaid(provider, { order: orderId, amount: 52 });
  const { payload } = (await at.ask(`GET /staging/${row.id}`)).body;
  const { secret_token, signature } = sent.body as { secret_token?: string; signature?: string };
  expect(payload).not.toContain(secret_token ?? signature);
  expect(payload).toContain('"***"');
});

test('a payment whose refund the gateway reverses is paid again', async () => {
  const orderId = await at.order(53);
  const { reference } = await reportPaid('moyasar', { order: orderId, amount: 53 });
  const { payments } = at.vendors.shop('moyasar-sync');
  const again = async (more: object) => {
    const kept = { ...payments.get(reference), ...more };
    payments.set(reference, kept);
    const body = { id: `evt-${nextReference()}`, type: 'payment_updated', secret_token: KEY, data: kept };
    expect((await at.deliver(installs.moyasar as Installed, body)).status).toBe('processed');
    return (await at.orderNow(orderId)).payment_status;
  };
  expect(await again({ status: 'refunded', refunded: 5300 })).toBe('refunded');
  expect(await again({ status: 'paid', refunded: 0 })).toBe('completed');
  expect((await find(reference)).status).toBe('paid');
});

test('reads a MyFatoorah refund back by its own id, and its invoice for the currency', async () => {
  const orderId = await at.order(54);
  const { reference } = await reportPaid('myfatoorah', { order: orderId, amount: 54 });
  const id = nextReference();
  const refund = { RefundId: Number(id), RefundStatus: 'Refunded', InvoiceId: Number(reference), Amount: 54 };
  at.vendors.shop('myfatoorah-sync').payments.set(`refund-${id}`, refund);
  const body = {
    Event: { Code: 2, Name: 'REFUND_STATUS_CHANGED', Reference: `WH-${id}`, CreationDate: new Date().toISOString() },
    Data: {
      Refund: { Id: id, Status: 'REFUNDED' },
      // More than was refunded, in what is not signed.
      Amount: { BaseCurrency: 'USD', ValueInBaseCurrency: '54' },
      ReferencedInvoice: { Id: reference },
    },
  };
  const signed = `Refund.Id=${id},Refund.Status=REFUNDED,Amount.ValueInBaseCurrency=54,ReferencedInvoice.Id=${reference}`;
  const row = await at.deliver(installs.myfatoorah as Installed, body, {
    'myfatoorah-signature': hmac(signed, 'base64'),
  });
  expect([row.status, row.order_id, row.error]).toEqual(['processed', orderId, null]);
  expect(await find(id)).toMatchObject({ currency: 'SAR', status: 'refunded' });
  expect((await at.orderNow(orderId)).payment_status).toBe('refunded');
});

test("sets the payment status of a channel order in the channel's words", async () => {
  const generic = await at.ask('POST /apps', { body: { app_slug: 'generic', settings: {} } });
  const orderId = await at.order(22, { source: generic.body.data.id });
  await reportPaid('geidea', { order: orderId, amount: 22 });
  expect((await at.orderNow(orderId)).payment_status).toBe('paid');
});
