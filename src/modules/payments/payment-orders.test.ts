import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type ReplyBody, TEST_SECRET } from '../../../test/harness/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { secretBox } from '../../platform/secret-box.ts';
import type { PaymentContext } from './payment-context.ts';
import { sweepPaylinks } from './sweep-paylinks.ts';
import { ORDER, openBnplShop, paylinks, SLUGS } from './testing/bnpl-shop.ts';

const { at, installed, made, agree, capture } = await openBnplShop();
afterEach(() => at.vendors.clearFaults());
afterAll(() => at.vendors.close());

describe('a payment order', () => {
  test.each([
    ['no provider that makes links', { providers: ['moyasar', 'paypal'], order: ORDER }, 422],
    ['no provider', { providers: [], order: ORDER }, 422],
    ['no lines', { providers: ['tabby'], order: { ...ORDER, line_items: [] } }, 422],
    [
      'half an item',
      { providers: ['tabby'], order: { ...ORDER, line_items: [{ ...ORDER.line_items[0], qty: 0.5 }] } },
      422,
    ],
    ['no order', { providers: ['tabby'] }, 422],
  ])('with %s is refused', async (_name, body, status) => {
    expect((await at.ask('POST /payments/orders', { body })).status).toBe(status);
  });

  test('is confirmed by an accepted provider only', async () => {
    const { data } = (await at.ask('POST /payments/orders', { body: { providers: ['tabby', 'tamara'], order: ORDER } }))
      .body;
    const confirm = (provider: string) =>
      at.ask(`POST /payments/orders/${data.order_id}/confirm`, { body: { provider } });
    expect((await confirm('mispay')).status).toBe(422);
    // Accepted, and asked by the execute endpoint of its own.
    expect((await confirm('tamara')).body.error).toBe('Payment not authorised');
    const row = await made('tamara', { order_id: data.order_id });
    agree('tamara', row);
    at.vendors.addFault({ vendor: SLUGS.tamara, kind: 'fail', times: 20 });
    expect((await confirm('tamara')).status).toBe(502);
    expect((await at.orderNow(data.order_id)).order_status).toBe('pending');
    at.vendors.clearFaults();
    expect((await confirm('tamara')).body.data).toMatchObject({ status: 'completed', confirmed_app: SLUGS.tamara });
    const plain = await at.order(5);
    expect((await at.ask(`GET /payments/orders/${plain}`)).status).toBe(404);
  });

  test('needs an app that is installed and enabled', async () => {
    const { id } = installed.mispay;
    await at.ask(`PATCH /apps/${id}`, { body: { enabled: false } });
    const body = { providers: ['mispay'], order: ORDER };
    const disabled = await at.ask('POST /payments/orders', { body });
    expect([disabled.status, disabled.body.error]).toEqual([409, 'App not enabled']);
    const { data } = (await at.ask('GET /providers')).body;
    expect(data).toHaveLength(9);
    expect(data[2]).toMatchObject({ id: 'mispay', type: 'bnpl', installed: true, enabled: false });
    expect(data[3]).toMatchObject({ id: 'moyasar', type: 'gateway_sync', installed: false, enabled: false });
    await at.ask(`DELETE /apps/${id}`);
    const gone = await at.ask('POST /payments/orders', { body });
    expect([gone.status, gone.body.error]).toEqual([409, 'App not installed']);
  });
});

describe('the sandbox', () => {
  test('authorises with the button of the page, and not after the page has expired', async () => {
    await at.ask(`DELETE /apps/${installed.tabby.id}`);
    const reply = await at.ask('POST /apps', { body: { app_slug: SLUGS.tabby, settings: { sandbox: true } } });
    expect(reply.status, reply.text).toBe(201);
    const { data } = (await at.ask('POST /payments/orders', { body: { providers: ['tabby'], order: ORDER } })).body;
    const { url } = data.next_action;
    const page = await fetch(url);
    const html = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).toContain('70.50 SAR');
    expect(html).toContain('Agree to pay');
    const confirm = () => at.ask(`POST /payments/orders/${data.order_id}/confirm`, { body: { provider: 'tabby' } });
    expect((await confirm()).status).toBe(409);
    expect((await fetch(url, { method: 'POST' })).status).toBe(200);
    const form = {
      method: 'POST',
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    };
    expect(await (await fetch(url, form)).text()).toContain('Payment authorised');
    expect((await confirm()).body.data.status).toBe('completed');
    expect((await at.orderNow(data.order_id)).order_status).toBe('confirmed');
    expect((await fetch(`${url}x`)).status).toBe(404);
    expect((await fetch(`${url}x`, { method: 'POST' })).status).toBe(404);

    const late = await made('tabby', { amount: 5, currency: 'SAR' });
    await at.service.sql`update sandbox_payments set expires_at = now() - interval '1 second' where id = ${late.id}`;
    expect((await fetch(late.url, { method: 'POST' })).status).toBe(409);
    expect((await capture('tabby', late)).status).toBe(409);
    expect((await at.ask(`GET ${paylinks('tabby')}/${late.id}`)).body.status).toBe('expired');
    const given = await made('tabby', { amount: 5, currency: 'SAR' });
    expect((await at.ask(`POST ${paylinks('tabby')}/${given.id}/cancel`)).body.data.status).toBe('cancelled');
    expect((await fetch(given.url, { method: 'POST' })).status).toBe(409);

    const [over, pending] = [
      await made('tabby', { amount: 5, currency: 'SAR' }),
      await made('tabby', { amount: 5, currency: 'SAR' }),
    ];
    const { sql } = at.service;
    await sql`update sandbox_payments set expires_at = now() - interval '1 second' where id = ${over.id}`;
    await sql`update paylinks set look_at = now() - interval '1 second' where id = ${over.id}`;
    await sql`update paylinks set status = 'creating' where id = ${pending.id}`;
    await sql`
      insert into external_operations (organization_id, kind, subject_id, id, input, lease_until, created)
      values (${at.shop.id}, 'paylink', ${pending.id}, ${pending.id}, ${JSON.stringify({ action: 'create' })},
              now() - interval '1 second', now())`;
    const payments: PaymentContext = {
      sql,
      clock: systemClock(),
      box: secretBox(TEST_SECRET),
      ordering: { clock: systemClock(), outbox: { notify: () => undefined } } as never,
      clientFor: () => ({ call: () => Promise.reject(new Error('no vendor is called')) }),
      allowsSandbox: true,
    };
    await sweepPaylinks(payments, { warn: () => undefined } as never, new AbortController().signal);
    expect((await at.ask(`GET ${paylinks('tabby')}/${over.id}`)).body.status).toBe('expired');
    const isLeft = async () => (await sql`select from paylinks where id = ${pending.id}`).length;
    await expect.poll(isLeft).toBe(0);
    expect(await sql`select from external_operations where subject_id = ${pending.id}`).toHaveLength(0);

    const audited = await at.ask(`GET /audit?resource_id=${given.id}`);
    expect(audited.body.data.map(({ action }: ReplyBody) => action)).toEqual(['cancel', 'create']);
  });
});
