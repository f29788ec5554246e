import { afterAll, describe, expect, test } from 'vitest';
import { openGatewayShop } from './testing/gateway-shop.ts';
import { hmac } from './testing/gateway-webhooks.ts';
import type { Installed } from './testing/pay-shop.ts';

const { at, installs, nextReference, find, reportPaid } = await openGatewayShop();
afterAll(() => at.vendors.close());

describe('a payment that is voided', () => {
  /** PayTabs voids by a transaction of its own. */
  const followUp = (tran_type: string, parent: string, orderId: string, amount: string) => {
    const body = JSON.stringify({
      tran_ref: nextReference(),
      tran_type,
      previous_tran_ref: parent,
      cart_id: orderId,
      cart_amount: amount,
      cart_currency: 'SAR',
      tran_total: amount,
      tran_currency: 'SAR',
      payment_result: { response_status: 'A', transaction_time: new Date().toISOString() },
    });
    return at.deliver(installs.paytabs as Installed, body, { signature: hmac(body, 'hex') });
  };
  const statusOf = async (orderId: string) => (await at.orderNow(orderId)).payment_status;

  test('no longer pays its order, also when the webhook of the payment comes again or late', async () => {
    const orderId = await at.order(61);
    const { reference, sent } = await reportPaid('paytabs', { order: orderId, amount: 61 });
    expect((await followUp('Void', reference, orderId, '30.00')).status).toBe('processed');
    expect(await statusOf(orderId)).toBe('completed');
    expect((await followUp('Void', reference, orderId, '61.00')).status).toBe('processed');
    expect(await statusOf(orderId)).toBe('cancelled');
    const again = JSON.stringify({ ...JSON.parse(sent.body as string), again: true });
    await at.deliver(installs.paytabs as Installed, again, { signature: hmac(again, 'hex') });
    expect(await statusOf(orderId)).toBe('cancelled');
    // The customer pays again.
    await reportPaid('paytabs', { order: orderId, amount: 61 });
    expect(await statusOf(orderId)).toBe('completed');

    const other = await at.order(62);
    const late = nextReference();
    await followUp('Void', late, other, '62.00');
    await reportPaid('paytabs', { order: other, amount: 62, reference: late });
    expect(await statusOf(other)).toBe('pending');
  });

  test('changes nothing while another payment of the order stands', async () => {
    const orderId = await at.order(63);
    const first = await reportPaid('moyasar', { order: orderId, amount: 63 });
    const second = await reportPaid('moyasar', { order: orderId, amount: 63 });
    const voided = async ({ reference, sent }: typeof first) => {
      at.vendors.shop('moyasar-sync').payments.set(reference, { ...sent.kept, status: 'voided' });
      const body = { ...(sent.body as object), id: `evt-void-${reference}`, type: 'payment_voided' };
      await at.deliver(installs.moyasar as Installed, body);
      expect(await find(reference)).toMatchObject({ status: 'cancelled', order_id: orderId });
    };
    await voided(second);
    expect(await statusOf(orderId)).toBe('completed');
    await voided(first);
    expect(await statusOf(orderId)).toBe('cancelled');
  });
});
