import { writeFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { call, testOrganization, testService } from '../../../test/harness/index.ts';
import { createLoopback } from '../../platform/outbound/testing/loopback.ts';
import { startReceiver } from '../../platform/outbound/testing/receiver.ts';

it('smoke', async () => {
  const loopback = await createLoopback();
  const ca = path.join(await mkdtemp(path.join(tmpdir(), 'ca-')), 'ca.pem');
  await writeFile(ca, loopback.authority.cert);
  const service = await testService({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_CA_FILE: ca });
  const receiver = await startReceiver(loopback.certificate, (r, res) => { res.statusCode = r.path === '/bad' ? 500 : 200; res.end('ok'); });
  const { owner } = await testOrganization(service.sql);
  const token = owner.token;
  const made = await call(service.baseUrl, 'POST /webhook-subscriptions', { token, body: { url: `https://127.0.0.1:${receiver.port}/in` } });
  console.log(made.status, made.text);
  const id = String(made.body.id);
  const bad = await call(service.baseUrl, 'POST /webhook-subscriptions', { token, body: { url: `https://127.0.0.1:${receiver.port}/bad`, event_types: ['order.updated', 'order.created'] } });
  console.log(bad.status, bad.text);
  const t = await call(service.baseUrl, `POST /webhook-subscriptions/${id}/test`, { token });
  console.log(t.status, t.text);
  const o = await call(service.baseUrl, 'POST /orders', { token, body: { order_status: 'RECEIVED', fulfillment_status: 'None', skus: ['a'], products: [{ product_id: 'p', sku_id: 'a' }] } });
  console.log(o.status, o.text);
  await expect.poll(() => receiver.requests.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(3);
  console.log(receiver.requests.map((r) => [r.path, r.headers, r.rawBody.toString()]));
  await new Promise((r) => setTimeout(r, 1000));
  for (const p of ['', `/${id}`, `/${id}/deliveries`, `/${bad.body.id}/deliveries`]) {
    const l = await call(service.baseUrl, `GET /webhook-subscriptions${p}`, { token });
    console.log(l.status, l.text);
  }
  const x = await call(service.baseUrl, `POST /webhook-subscriptions/${id}/rotate-secret`, { token });
  console.log(x.status, x.text);
  const y = await call(service.baseUrl, `PATCH /webhook-subscriptions/${id}`, { token, body: { status: 'paused' } });
  console.log(y.status, y.text);
  const d = await call(service.baseUrl, `DELETE /webhook-subscriptions/${id}`, { token });
  console.log(d.status, d.text);
  const tel = await call(service.baseUrl, `GET /telemetry`, { token });
  console.log(JSON.stringify(tel.body.sections));
  await receiver.close();
});
