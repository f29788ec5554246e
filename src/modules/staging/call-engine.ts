import type { VendorClient } from '../../channels/contract.ts';
import { findChannel } from '../../channels/list.ts';
import { createSteadyLoop, type Notifier, type SteadyLoop } from '../../platform/background/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { createCappedCounter } from '../../platform/fair-limiter/index.ts';
import { newId } from '../../platform/ids.ts';
import { Unreadable } from '../../platform/inbound/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { type CallLimits, findInstalls, type Install } from '../apps/index.ts';
import type { Ordering } from '../orders/index.ts';
import { createCoolDowns } from './cool-downs.ts';
import { failPayload, handlePaymentPayload, type PayloadReader, settleWith } from './handle-payment-payload.ts';
import type { ProcessTools } from './process-install.ts';
import { findExhausted } from './settlement.ts';
import { dropPendingOf } from './sql/log.ts';
import {
  ClaimLost,
  claimToCall,
  type DueInstall,
  findDueInstalls,
  type QueuedPayload,
  storeFetched,
} from './sql/queue.ts';
import { FIRST_ID } from './staging-engine.ts';

const INSTALLS_AT_ONCE = 64;
const POLL_MS = 500;
/**
 * A tenant has eight calls under way, an install four; a sixteenth tenant with hanging vendors still finds room, because the last
 * sixteen are kept for tenants with fewer than two. Answers of all of them together stay below 100 MB (48 x 2 MB).
 */
const CAPS = {
  maxConcurrent: 48,
  maxConcurrentPerTenant: 8,
  maxConcurrentPerTarget: 4,
  reserved: { slots: 16, fewerThan: 2 },
};
const BYTES_AT_ONCE = 4 * 1024 * 1024;
/** All calls for one payload together: time, bytes and values. An order is not larger than a payload may be (2 MB). */
const CALL_LIMITS: CallLimits = { withinMs: 20_000, maxBytes: 2 * 1024 * 1024, maxValues: 50_000 };
/** Longer than a payload's calls and what is written of them. If the process dies, the payload is due again after this. */
const CALL_LEASE_MS = 60_000;

export type CallEngine = SteadyLoop & { inFlight(): number };

/**
 * Calls vendors for payloads that need it: orders behind notices, payments behind webhooks. Each call runs by itself; the loop
 * only claims what there is room for and never waits for a vendor, so a vendor that hangs costs its own tenant's room and nothing
 * else. What finds no room stays in the queue, unclaimed.
 */
export function createCallEngine(
  platform: Platform,
  {
    ordering,
    retryDelaysSeconds,
    clientFor,
    queue,
    handlers,
  }: {
    ordering: Ordering;
    retryDelaysSeconds: readonly number[];
    clientFor(install: Install, limits: CallLimits): VendorClient;
    queue: Notifier;
    handlers: readonly PayloadReader[];
  },
): CallEngine {
  const { sql, box, log, clock } = platform;
  const tools: ProcessTools = { sql, box, ordering, retryDelaysSeconds };
  const caps = createCappedCounter(CAPS);
  const underWay = new Set<Promise<void>>();
  const coolDowns = createCoolDowns();
  let after = FIRST_ID;

  /** Goes on from where the last step ended, and at most once around: installs at their limits are passed over. */
  async function step(): Promise<boolean> {
    let isSecondRound = after === FIRST_ID;
    while (caps.total() < CAPS.maxConcurrent) {
      const due = await findDueInstalls(sql, { stage: 'call', after, now: clock.now(), limit: INSTALLS_AT_ONCE });
      const isEnd = due.length < INSTALLS_AT_ONCE;
      after = isEnd ? FIRST_ID : (due.at(-1)?.id ?? FIRST_ID);
      let started = 0;
      for (const install of due) started += await startSome(install);
      if (started > 0) return true;
      if (isEnd && isSecondRound) return false;
      isSecondRound ||= isEnd;
    }
    return false;
  }

  async function startSome({ id, organization_id }: DueInstall): Promise<number> {
    const key = { tenant: organization_id, target: id };
    const free = coolDowns.isCooling(id) ? 0 : caps.available(key);
    if (free === 0) return 0;
    const now = clock.now();
    const leaseUntil = new Date(now.getTime() + CALL_LEASE_MS);
    const claim = { installId: id, claimId: newId(), now, leaseUntil, rows: free, bytes: BYTES_AT_ONCE };
    const claimed = await claimToCall(sql, claim);
    if (claimed.length === 0) return 0;
    const [install] = await findInstalls(sql, box, [id]);
    if (install === undefined) {
      await inTransaction(sql, (tx) => dropPendingOf(tx, organization_id, id));
      return 0;
    }
    const { exhausted, left } = findExhausted(tools, claimed, now);
    for (const settlement of exhausted) await settleWith(tools, install, async () => settlement);
    for (const row of left) start(install, row, caps.hold(key));
    return claimed.length;
  }

  function start(install: Install, row: QueuedPayload, end: () => void): void {
    const running = call(install, row)
      .then((hasSucceeded) => coolDowns.record(install.id, hasSucceeded))
      .catch((error: unknown) => {
        // Deleted or queued again meanwhile, which settles it; anything else is due again when its lease ends.
        if (!(error instanceof ClaimLost))
          log.warn({ err: error, installId: install.id, stagingId: row.id }, 'a payload could not be settled');
      })
      .finally(() => {
        end();
        underWay.delete(running);
        loop.wake();
      });
    underWay.add(running);
  }

  /** Whether the vendor gave what was asked for. */
  async function call(install: Install, row: QueuedPayload): Promise<boolean> {
    const client = clientFor(install, CALL_LIMITS);
    const handler = handlers.find((one) => one.handles(install.app_slug));
    if (handler === undefined) return fetchOrder(install, row, client);
    const hasSucceeded = await handlePaymentPayload(tools, handler, install, row, client);
    ordering.outbox.notify();
    return hasSucceeded;
  }

  async function fetchOrder(install: Install, row: QueuedPayload, client: VendorClient): Promise<boolean> {
    const channel = findChannel(install.app_slug);
    let fetched: unknown;
    try {
      if (channel?.fetchOrder === undefined || row.external_order_id === null) throw cannotFetch();
      fetched = await channel.fetchOrder(row.external_order_id, client, install.settings);
    } catch (error) {
      await failPayload(tools, install, row, error);
      return false;
    }
    await storeFetched(sql, row, Buffer.from(JSON.stringify(fetched ?? null)), clock.now());
    queue.notify();
    return true;
  }

  const loop = createSteadyLoop({ name: 'vendor calls', log, everyMs: POLL_MS, step });
  let stopListening: (() => void) | undefined;
  return {
    wake: loop.wake,
    inFlight: () => underWay.size,
    start() {
      stopListening = queue.onNotify(loop.wake);
      loop.start();
    },
    async stop() {
      stopListening?.();
      await loop.stop();
      await Promise.allSettled(underWay);
    },
  };
}

function cannotFetch(): Unreadable {
  return new Unreadable('cannot_fetch', 'This app has no way to ask its vendor for an order');
}
