import { setTimeout as delay } from 'node:timers/promises';
import type { Sample } from '../load/plan.ts';
import { leaveEvents, setStatus, settled, type Tenant, type WebhookSetting } from './setting.ts';

/** The floor, by its own process. */
export async function postByUndici({ poster }: WebhookSetting, seconds: number): Promise<Sample> {
  return (await fetch(`${poster.baseUrl}/?seconds=${seconds}`)).json() as Promise<Sample>;
}

/** Everything from the outbox to the settled delivery, of so many events. */
export async function deliverEvents(setting: WebhookSetting, tenants: Tenant[], count: number): Promise<Sample> {
  return measure(setting, tenants, count, () => leaveEvents(setting.service.sql, tenants, count));
}

/** Deliveries that have piled up while their receivers were paused; stamping and fan-out lie before the stopwatch. */
export async function deliverBacklog(setting: WebhookSetting, tenants: Tenant[], count: number): Promise<Sample> {
  const { sql } = setting.service;
  await setStatus(sql, tenants, 'paused');
  await leaveEvents(sql, tenants, count);
  for (let queued = 0; queued < count; await delay(20)) {
    const [row] = await sql<[{ queued: number }]>`select count(*) as queued from webhook_queue
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
  const before = await service.process.readUsage();
  const pg0 = await pgStat(service.sql);
  const startMs = performance.now();
  await begin();
  await settled(service.sql, tenants);
  const elapsedMs = performance.now() - startMs;
  const after = await service.process.readUsage();
  const pg1 = await pgStat(service.sql);
  console.error('commits/delivery', ((pg1.commits - pg0.commits) / count).toFixed(4), 'pg us/delivery', ((pg1.cpuMs - pg0.cpuMs) * 1000 / count).toFixed(0), 'node us', (((after.cpuMs - before.cpuMs) * 1000) / count).toFixed(0), 'rate', ((count*1000)/elapsedMs).toFixed(0));
  const received = (await takeFigures()).count;
  return {
    count,
    perSecond: (count * 1000) / elapsedMs,
    p50Ms: 0,
    p99Ms: 0,
    failed: Math.abs(received - count),
    serverCpuUs: ((after.cpuMs - before.cpuMs) * 1000) / count,
  };
}

import { readFileSync } from 'node:fs';
async function pgStat(sql: WebhookSetting['service']['sql']) {
  await sql`select pg_stat_force_next_flush()`;
  const [row] = await sql<{ commits: number }[]>`select xact_commit as commits from pg_stat_database where datname = current_database()`;
  const pids = await sql<{ pid: number }[]>`select pid from pg_stat_activity`;
  let ticks = 0;
  for (const { pid } of pids) { try { const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []; ticks += Number(f[11]) + Number(f[12]); } catch {} }
  return { commits: row?.commits ?? 0, cpuMs: ticks * 10 };
}
