import { beforeEach, expect } from 'vitest';
import { type DeliveryBody, openWebhookService, POLL_OPTIONS } from './webhook-service.ts';

/** A service with one subscription per test. `at.answer` is the response of its receiver. */
export async function oneSubscription() {
  const stage = await openWebhookService();
  const at = { answer: { status: 200 } as { status: number; headers?: Record<string, string> }, id: '' };
  const receiver = await stage.receiver((_request, response) =>
    response.writeHead(at.answer.status, at.answer.headers).end(),
  );

  beforeEach(async () => {
    at.answer = { status: 200 };
    const list = await stage.call<{ data: { id: string }[] }>('GET /webhook-subscriptions');
    for (const old of list.body.data) await stage.call(`DELETE /webhook-subscriptions/${old.id}`);
    receiver.requests.length = 0;
    at.id = (await stage.subscribe(receiver)).id;
  });

  return {
    stage,
    at,
    receiver,
    /** The newest delivery, once it has these fields. */
    async newest(expected: Partial<DeliveryBody>): Promise<DeliveryBody> {
      await expect.poll(async () => (await stage.log(at.id))[0], POLL_OPTIONS).toMatchObject(expected);
      const [row] = await stage.log(at.id);
      if (row === undefined) throw new Error('the log is empty');
      return row;
    },
    secondsUntil: (next: string | null): number => (Date.parse(next ?? '') - stage.clock.now().getTime()) / 1000,
    replay: (row: DeliveryBody) =>
      stage.call<DeliveryBody>(`POST /webhook-subscriptions/${at.id}/deliveries/${row.id}/replay`),
  };
}
