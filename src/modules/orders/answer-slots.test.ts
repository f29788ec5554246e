import { describe, expect, test } from 'vitest';
import { createAnswerSlots } from './answer-slots.ts';

const limits = { perTenant: 2, overall: 3, waitMs: 30_000, waitingPerTenant: 1 };

describe('slots for large answers', () => {
  test('are so many for a tenant; one more waits, and another one is refused', async () => {
    const slots = createAnswerSlots(limits);
    const leave = await slots.enter('a');
    await slots.enter('a');
    const waiting = slots.enter('a');
    await expect(slots.enter('a')).rejects.toMatchObject({ status: 429, headers: { 'retry-after': '5' } });
    leave();
    leave();
    (await waiting)();
    await slots.enter('a');
  });

  test('of one tenant do not keep another out', async () => {
    const slots = createAnswerSlots(limits);
    await slots.enter('a');
    await slots.enter('a');
    const queued = slots.enter('a');
    const leave = await slots.enter('b');
    leave();
    (await slots.enter('b'))();
    queued.catch(() => undefined);
  });

  test('are so many for all tenants together', async () => {
    const slots = createAnswerSlots({ ...limits, waitingPerTenant: 0 });
    await slots.enter('a');
    await slots.enter('b');
    const leave = await slots.enter('c');
    await expect(slots.enter('d')).rejects.toMatchObject({ status: 503 });
    leave();
    await slots.enter('d');
  });

  test('are not waited for without end', async () => {
    const slots = createAnswerSlots({ ...limits, waitMs: 20 });
    await slots.enter('a');
    const leave = await slots.enter('a');
    await expect(slots.enter('a')).rejects.toMatchObject({ status: 429 });
    leave();
    await slots.enter('a');
  });
});
