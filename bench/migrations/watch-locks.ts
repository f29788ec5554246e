import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '../../src/platform/database/index.ts';

const SAMPLE_EVERY_MS = 20;
const WRITE_EVERY_MS = 50;
/** Every mode that conflicts with the lock of a writer. */
const BLOCKING_MODES = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];

export type LockTimes = { heldMs: number; waitedMs: number; stallMs: number; writes: number };

/** Measures from the outside how long writers of orders were stopped, until `take` is called. */
export function watchLocks(sql: Sql) {
  let times = none();
  const since: { held: number | undefined; waited: number | undefined } = { held: undefined, waited: undefined };
  const ended = new AbortController();

  const sample = async () => {
    const rows = await sql<{ granted: boolean }[]>`
      select granted from pg_locks
      where relation = 'orders'::regclass and mode = any (${BLOCKING_MODES}::text[])
        and database = (select oid from pg_database where datname = current_database())`;
    const nowMs = performance.now();
    const note = (state: 'held' | 'waited', isSeen: boolean) => {
      if (!isSeen) since[state] = undefined;
      else since[state] ??= nowMs;
      times[`${state}Ms`] = Math.max(times[`${state}Ms`], nowMs - (since[state] ?? nowMs));
    };
    note(
      'held',
      rows.some(({ granted }) => granted),
    );
    note(
      'waited',
      rows.some(({ granted }) => !granted),
    );
  };

  const write = async () => {
    const startedMs = performance.now();
    await sql`
      insert into orders (organization_id, id, source, organization_app_id, app_slug, channel_family, channel_kind, order_status,
        payment_status, fulfillment_status, currency, total_amount, discounts_amount, vat_amount, delivery_fee, service_fee,
        subtotal, customer_name, skus, products, order_code, is_preorder, is_open, search_text, created_at, updated_at)
      select organization_id, gen_random_uuid(), source, organization_app_id, app_slug, channel_family, channel_kind, order_status,
        payment_status, fulfillment_status, currency, total_amount, discounts_amount, vat_amount, delivery_fee, service_fee,
        subtotal, customer_name, skus, products, order_code, is_preorder, is_open, search_text, now(), now()
      from orders where organization_id = md5('tenant 1')::uuid and id = md5('order 1')::uuid`;
    await sql`update orders set updated_at = now() where organization_id = md5('tenant 1')::uuid and id = md5('order 1')::uuid`;
    times.stallMs = Math.max(times.stallMs, performance.now() - startedMs);
    times.writes += 1;
  };

  const loops = [repeat(sample, SAMPLE_EVERY_MS, ended.signal), repeat(write, WRITE_EVERY_MS, ended.signal)];
  return {
    /** The longest times since the last call. */
    take(): LockTimes {
      const taken = times;
      times = none();
      return taken;
    },
    async end(): Promise<void> {
      ended.abort();
      await Promise.all(loops);
    },
  };
}

async function repeat(work: () => Promise<void>, everyMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await work();
    await delay(everyMs);
  }
}

function none(): LockTimes {
  return { heldMs: 0, waitedMs: 0, stallMs: 0, writes: 0 };
}
