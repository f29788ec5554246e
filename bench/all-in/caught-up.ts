import { setTimeout as delay } from 'node:timers/promises';
import { call } from '../../test/harness/client.ts';
import type { Receiver } from '../webhooks/receiver.ts';

type Telemetry = {
  followers: { name: string; events_behind: number; dead_lettered: number }[];
  sections: { webhooks: { pending: number; claimed: number }; staging: { waiting: number } };
};

const LOOK_EVERY_MS = 20;
const WITHIN_MS = 180_000;

/**
 * Resolves when everything that follows so many orders is done: payloads read, events published, every follower at the last event,
 * deliveries received and settled, counters exact. Asked over the service's own interface, which stays when its tables change.
 */
export async function waitUntilCaughtUp(
  { baseUrl, token }: { baseUrl: string; token: string },
  receiver: Receiver,
  orders: number,
): Promise<void> {
  const deadlineMs = performance.now() + WITHIN_MS;
  const received = receiver.received(orders);
  await Promise.race([received, delay(WITHIN_MS, undefined, { ref: false })]);
  for (;;) {
    const waitingFor = await findUnfinished(baseUrl, token, orders);
    if (waitingFor === undefined) return;
    if (performance.now() > deadlineMs) throw new Error(`Not caught up after ${WITHIN_MS / 1000} s: ${waitingFor}`);
    await delay(LOOK_EVERY_MS);
  }
}

async function findUnfinished(baseUrl: string, token: string, orders: number): Promise<string | undefined> {
  const telemetry = await call<Telemetry>(baseUrl, 'GET /telemetry', { token });
  const { followers, sections } = telemetry.body;
  const dead = followers.find(({ dead_lettered }) => dead_lettered > 0);
  if (dead !== undefined) throw new Error(`The follower ${dead.name} has ${dead.dead_lettered} dead-lettered events`);
  const behind = followers.find(({ events_behind }) => events_behind > 0);
  if (behind !== undefined) return `${behind.name} is ${behind.events_behind} events behind`;
  const deliveries = sections.webhooks.pending + sections.webhooks.claimed;
  if (deliveries > 0) return `${deliveries} deliveries wait`;
  if (sections.staging.waiting > 0) return `${sections.staging.waiting} payloads wait`;
  const list = await call<{ pagination: { total_items: number } }>(baseUrl, 'GET /orders?limit=1', { token });
  const counted = list.body.pagination.total_items;
  return counted === orders ? undefined : `${counted} of ${orders} orders are counted`;
}
