import { beforeAll, describe, expect, it } from 'vitest';
import { BOUNDED_MS } from '../../../test/harness/index.ts';
import { openWebhookService, POLL_OPTIONS, type WebhookService } from './testing/webhook-service.ts';

let stage: WebhookService;

beforeAll(async () => {
  stage = await openWebhookService();
});

describe('an attempt fails with', () => {
  it.each([301, 302, 303, 307, 308])('%i, without following the redirect', async (status) => {
    const elsewhere = await stage.receiver();
    const receiver = await stage.receiver((_request, response) =>
      response.writeHead(status, { location: `https://127.0.0.1:${elsewhere.port}/` }).end(),
    );
    const { id } = await stage.subscribe(receiver);
    await stage.call(`POST /webhook-subscriptions/${id}/test`);
    await expect
      .poll(async () => (await stage.log(id))[0], POLL_OPTIONS)
      .toMatchObject({
        status: 'pending',
        attempts: 1,
        last_status_code: status,
        last_error: 'redirect not followed',
      });
    expect(elsewhere.requests).toHaveLength(0);
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });

  it('a receiver that refuses the connection', async () => {
    const receiver = await stage.receiver();
    await receiver.close();
    const { id } = await stage.subscribe(`https://127.0.0.1:${receiver.port}/`);
    await stage.call(`POST /webhook-subscriptions/${id}/test`);
    await expect
      .poll(async () => (await stage.log(id))[0], POLL_OPTIONS)
      .toMatchObject({
        status: 'pending',
        attempts: 1,
        last_status_code: null,
        last_error: 'connection refused',
      });
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });

  it('a receiver that has not answered completely within ten seconds', async () => {
    const silent = await stage.receiver(() => undefined);
    const dribbling = await stage.receiver((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 200);
      response.on('close', () => clearInterval(timer));
    });
    const subscriptions = [await stage.subscribe(silent), await stage.subscribe(dribbling)];
    for (const { id } of subscriptions) await stage.call(`POST /webhook-subscriptions/${id}/test`);
    for (const { id } of subscriptions) {
      await expect.poll(async () => (await stage.log(id))[0]?.attempts, POLL_OPTIONS).toBe(1);
      const [row] = await stage.log(id);
      expect(row).toMatchObject({ status: 'pending', last_error: 'timeout' });
      expect(row?.attempt_log[0]?.duration_ms).toBeGreaterThanOrEqual(9_990);
      expect(row?.attempt_log[0]?.duration_ms).toBeLessThan(BOUNDED_MS);
      await stage.call(`DELETE /webhook-subscriptions/${id}`);
    }
  });

  it('an excerpt of the answer in the log', async () => {
    const receiver = await stage.receiver((_request, response) => {
      response.writeHead(500, { 'content-type': 'application/octet-stream' });
      response.end(Buffer.concat([Buffer.from('خطأ\0\x07'), Buffer.alloc(40_000, 'x')]));
    });
    const { id } = await stage.subscribe(receiver);
    await stage.call(`POST /webhook-subscriptions/${id}/test`);
    await expect.poll(async () => (await stage.log(id))[0]?.attempts, POLL_OPTIONS).toBe(1);
    const excerpt = (await stage.log(id))[0]?.attempt_log[0]?.response_excerpt ?? '';
    expect(excerpt.startsWith('خطأxxx')).toBe(true);
    expect(excerpt.length).toBeLessThanOrEqual(1024);
    await stage.call(`DELETE /webhook-subscriptions/${id}`);
  });
});
