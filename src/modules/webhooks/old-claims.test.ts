import { expect, it } from 'vitest';
import { inTransaction } from '../../platform/database/index.ts';
import { openWebhookService, POLL_OPTIONS } from './testing/webhook-service.ts';

/** Half of what a lease of 11 s leaves of the deadline of 10 s. */
const TOO_OLD_MS = 500;
/** For which a reader of the log waits at most for deliveries that are not in it. */
const READER_WAITS_MS = 1_000;

const stage = await openWebhookService({ settings: { WEBHOOK_LEASE_SECONDS: '11' } });

async function readingLogMs(subscriptionId: string): Promise<number> {
  const startMs = performance.now();
  await stage.log(subscriptionId);
  return performance.now() - startMs;
}

it('a claim of the fan-out ages while its commit waits, and is made again instead of sent when too old', async () => {
  const receiver = await stage.receiver();
  const { id } = await stage.subscribe(receiver);
  const { sql } = stage.service;
  await inTransaction(sql, async (tx) => {
    await tx`lock table webhook_direct_claims in share mode`;
    await stage.placeOrder();
    const waiting = () => tx`
      select count(*) as waiting from pg_locks where relation = 'webhook_direct_claims'::regclass and not granted`;
    await expect.poll(waiting, POLL_OPTIONS).toEqual([{ waiting: 1 }]);
    await tx`select pg_sleep(${(TOO_OLD_MS + 100) / 1000})`;
  });
  const [delivery] = await stage.logOf(id, ['delivered']);
  expect(delivery?.attempts).toBe(1);
  // On a busy machine the next claim may be too old as well.
  const errors = (delivery?.attempt_log ?? []).map(({ error }) => error);
  expect([...new Set(errors)]).toEqual(['not sent: the claim was too old', '']);
  expect(errors.filter((error) => error === '')).toHaveLength(1);
  expect(receiver.requests).toHaveLength(1);

  // Nothing is open any more: readers of the log find all of it there.
  const readings: number[] = [];
  for (let reading = 0; reading < 3; reading += 1) readings.push(await readingLogMs(id));
  expect(Math.min(...readings)).toBeLessThan(READER_WAITS_MS);
});
