import { setTimeout as delay } from 'node:timers/promises';
import type { Sample } from '../load/plan.ts';
import { leaveEvents, setStatus, settled, type Tenant, type WebhookSetting } from './setting.ts';

/** Connections are opened and code is compiled before the stopwatch, here as with the baseline: what is measured is what lasts. */
const WARM_UP = 5_000;

/** The baseline, by its own process. */
export async function postByUndici({ poster }: WebhookSetting, seconds: number): Promise<Sample> {
  return (await fetch(`${poster.baseUrl}/?seconds=${seconds}`)).json() as Promise<Sample>;
}

/** Everything from the outbox to the settled delivery, of so many events. */
export async function deliverEvents(setting: WebhookSetting, tenants: Tenant[], count: number): Promise<Sample> {
  return measure(setting, tenants, count, () => leaveEvents(setting.service.sql, tenants, WARM_UP + count));
}

/** Deliveries that have piled up while their receivers were paused; stamping and fan-out lie before the stopwatch. */
export async function deliverBacklog(setting: WebhookSetting, tenants: Tenant[], count: number): Promise<Sample> {
  const { sql } = setting.service;
  await setStatus(sql, tenants, 'paused');
  await leaveEvents(sql, tenants, WARM_UP + count);
  for (let queued = 0; queued < WARM_UP + count; await delay(20)) {
    const [row] = await sql<[{ queued: number }]>`select count(*) as queued from webhook_queued_deliveries
      where subscription_id = any(${tenants.map((tenant) => tenant.subscriptionId)}::uuid[])`;
    queued = row.queued;
  }
  return measure(setting, tenants, count, () => setStatus(sql, tenants, 'active'));
}

async function measure(
  setting: WebhookSetting,
  tenants: Tenant[],
  count: number,
  begin: () => Promise<void>,
): Promise<Sample> {
  const { service, takeFigures } = setting;
  await takeFigures();
  await begin();
  await setting.received(WARM_UP);
  const before = await service.process.readUsage();
  const startMs = performance.now();
  // Looking into the queue all the time would slow down what is measured.
  await setting.received(WARM_UP + count);
  await settled(service.sql, tenants);
  const elapsedMs = performance.now() - startMs;
  const after = await service.process.readUsage();
  const received = (await takeFigures()).count;
  return {
    count,
    perSecond: (count * 1000) / elapsedMs,
    p50Ms: 0,
    p99Ms: 0,
    failed: Math.abs(received - WARM_UP - count),
    serverCpuUs: ((after.cpuMs - before.cpuMs) * 1000) / count,
  };
}
