import { setTimeout as delay } from 'node:timers/promises';
import type { BenchService } from '../frame/start-service.ts';
import { createLatencies } from '../load/latencies.ts';
import type { Sample } from '../load/plan.ts';
import { type BenchInstall, nextOrderId, signedCall } from './payloads.ts';
import { calmDown } from './setting.ts';

const PER_SECOND = 50;
const LOOK_EVERY_MS = 2;
const GIVE_UP_MS = 30_000;

/**
 * Single payloads at a steady pace; of each, the time from our having its 202 to the order being there for anyone who reads.
 * Whether it is there is asked of the database every two milliseconds, by a look into one index.
 */
export async function measureVisible(
  { baseUrl, sql }: BenchService,
  installs: BenchInstall[],
  isOver: () => boolean,
): Promise<Sample> {
  const latencies = createLatencies();
  const acceptedMsOf = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  let failed = 0;
  let firstFailure: string | undefined;
  let sent = 0;

  async function send(install: BenchInstall): Promise<void> {
    const orderId = nextOrderId();
    const { path, ...call } = signedCall(install, orderId);
    const response = await fetch(baseUrl + path, call);
    const text = await response.text();
    if (response.status === 202) acceptedMsOf.set(orderId, performance.now());
    else throw new Error(`${response.status} ${text}`);
  }

  async function sendInTurn(): Promise<void> {
    const startMs = performance.now();
    while (!isOver()) {
      const install = installs[sent % installs.length] as BenchInstall;
      const sending = send(install)
        .catch((error: unknown) => {
          failed += 1;
          firstFailure ??= String(error);
        })
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
      sent += 1;
      await delay(Math.max(0, startMs + (sent * 1000) / PER_SECOND - performance.now()));
    }
    await Promise.all(underWay);
  }

  async function look(): Promise<void> {
    const seen = await sql<{ id: string }[]>`
      select source_transaction_id as id from orders
      where organization_id = any(${installs.map((one) => one.organizationId)}::uuid[])
        and source = any(${installs.map((one) => one.id)}::text[])
        and source_transaction_id = any(${[...acceptedMsOf.keys()]}::text[])`;
    const nowMs = performance.now();
    for (const { id } of seen) {
      latencies.record(nowMs - (acceptedMsOf.get(id) ?? nowMs));
      acceptedMsOf.delete(id);
    }
  }

  let sending = true;
  const startMs = performance.now();
  const all = sendInTurn().finally(() => {
    sending = false;
  });
  let endedMs = Number.POSITIVE_INFINITY;
  while (sending || (acceptedMsOf.size > 0 && performance.now() < endedMs + GIVE_UP_MS)) {
    if (!sending) endedMs = Math.min(endedMs, performance.now());
    if (acceptedMsOf.size > 0) await look();
    await delay(LOOK_EVERY_MS);
  }
  await all;
  const count = latencies.count();
  return {
    count,
    perSecond: (count * 1000) / (performance.now() - startMs),
    p50Ms: latencies.percentileMs(50),
    p99Ms: latencies.percentileMs(99),
    failed: failed + acceptedMsOf.size,
    ...(firstFailure === undefined ? {} : { firstFailure }),
  };
}

export function measureForSeconds(service: BenchService, installs: BenchInstall[], seconds: number): Promise<Sample> {
  const endMs = performance.now() + seconds * 1000;
  return measureVisible(service, installs, () => performance.now() >= endMs);
}

export type Burst = { baseUrl: string; install: BenchInstall; count: number };
export type BurstReport = { accepted: number; refused: string[] };

/** From the first call of a burst of another install until all of it has been read. */
export async function measureBesideBurst(
  service: BenchService,
  send: (order: unknown) => Promise<unknown>,
  { loud, quiet, count }: { loud: BenchInstall; quiet: BenchInstall; count: number },
): Promise<Sample> {
  await send({ baseUrl: service.baseUrl, install: loud, count } satisfies Burst);
  let over = false;
  const reported = send('quiet').then(async (report) => {
    for (let left = true; left; await delay(100)) {
      const [row] = await service.sql<[{ left: boolean }]>`
        select exists (select 1 from staging_queue where organization_app_id = ${loud.id}) as left`;
      left = row.left;
    }
    over = true;
    return report as BurstReport;
  });
  const sample = await measureVisible(service, [quiet], () => over);
  const { accepted, refused } = await reported;
  await calmDown(service.sql);
  if (accepted === count) return sample;
  return { ...sample, failed: sample.failed + refused.length, firstFailure: refused[0] ?? 'the burst was cut short' };
}
