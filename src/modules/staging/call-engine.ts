import type { VendorClient } from '../../channels/contract.ts';
import { findChannel } from '../../channels/list.ts';
import type { Notifier } from '../../platform/background/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { createCappedCounter } from '../../platform/fair-limiter/index.ts';
import { Unreadable } from '../../platform/inbound/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { createWorkQueue, type StartItems, type WorkQueue } from '../../platform/work-queue/index.ts';
import { type CallLimits, findInstalls, type Install } from '../apps/index.ts';
import { claimPayloadsToCall } from './claim-payloads.ts';
import { createCoolDowns } from './cool-downs.ts';
import { handlePaymentPayload, type PayloadReader } from './handle-payment-payload.ts';
import type { ProcessingContext } from './processing-context.ts';
import { failPayload, settlePayload } from './settle-payloads.ts';
import { splitExhausted } from './settlement.ts';
import { dropPendingOf } from './sql/log.ts';
import {
  type DueInstall,
  FIRST_ID,
  findDueInstalls,
  isAnyInstallDue,
  type QueuedPayload,
  storeFetched,
} from './sql/queue.ts';

const INSTALLS_AT_ONCE = 64;
/**
 * A tenant has at most eight calls in flight, an install four. The last sixteen slots are reserved for tenants with fewer than two, so
 * a sixteenth tenant with hanging vendors still gets a slot. All answers together stay below 100 MB (48 x 2 MB).
 */
const CAPS = {
  maxConcurrent: 48,
  maxConcurrentPerTenant: 8,
  maxConcurrentPerTarget: 4,
  reserved: { slots: 16, fewerThan: 2 },
};
/** All calls for one payload together: time, bytes and values. An order is not larger than a payload may be (2 MB). */
const CALL_LIMITS: CallLimits = { withinMs: 20_000, maxBytes: 2 * 1024 * 1024, maxValues: 50_000 };

type PayloadCall = { install: Install; row: QueuedPayload };

/**
 * Calls vendors for payloads that need it: orders of notices, payments of webhooks. A vendor that hangs uses slots of its own tenant
 * only. Payloads without a free slot stay in the queue, unclaimed.
 */
export function createCallEngine(
  { sql, box, log, clock, duePoll }: Platform,
  {
    context,
    clientFor,
    notifier,
    handlers,
  }: {
    context: ProcessingContext;
    clientFor(install: Install, limits: CallLimits): VendorClient;
    notifier: Notifier;
    handlers: readonly PayloadReader[];
  },
): WorkQueue<PayloadCall> {
  const caps = createCappedCounter(CAPS);
  const coolDowns = createCoolDowns();
  let after = FIRST_ID;

  /** Continues where the last claim ended, and at most once around: installs at their limits are skipped. */
  async function claim(start: StartItems<PayloadCall>): Promise<boolean> {
    let isSecondRound = after === FIRST_ID;
    while (caps.total() < CAPS.maxConcurrent) {
      const due = await findDueInstalls(sql, { stage: 'call', after, now: clock.now(), limit: INSTALLS_AT_ONCE });
      const isEnd = due.length < INSTALLS_AT_ONCE;
      after = isEnd ? FIRST_ID : (due.at(-1)?.id ?? FIRST_ID);
      let claimed = 0;
      for (const install of due) claimed += await claimOf(install, start);
      if (claimed > 0) return true;
      if (isEnd && isSecondRound) return false;
      isSecondRound ||= isEnd;
    }
    return false;
  }

  async function claimOf({ id, organization_id }: DueInstall, start: StartItems<PayloadCall>): Promise<number> {
    const freeSlots = coolDowns.isCooling(id) ? 0 : caps.available({ tenant: organization_id, target: id });
    if (freeSlots === 0) return 0;
    const claimed = await claimPayloadsToCall(context, id, freeSlots);
    if (claimed.length === 0) return 0;
    const [install] = await findInstalls(sql, box, [id]);
    if (install === undefined) {
      await inTransaction(sql, (tx) => dropPendingOf(tx, organization_id, id));
      return 0;
    }
    const { exhausted, left } = splitExhausted(context.retries, claimed, clock.now());
    for (const settlement of exhausted) await settlePayload(context, install, async () => settlement);
    start(left.map((row) => ({ install, row })));
    return claimed.length;
  }

  async function call({ install, row }: PayloadCall): Promise<void> {
    const client = clientFor(install, CALL_LIMITS);
    const handler = handlers.find((one) => one.handles(install.app_slug));
    const hasSucceeded =
      handler === undefined
        ? await fetchOrder(install, row, client)
        : await handlePaymentPayload(context, handler, install, row, client);
    if (handler !== undefined) context.ordering.outbox.notify();
    coolDowns.record(install.id, hasSucceeded);
  }

  /** The vendor's answer is stored and read by the staging engine. Returns whether the vendor answered. */
  async function fetchOrder(install: Install, row: QueuedPayload, client: VendorClient): Promise<boolean> {
    const channel = findChannel(install.app_slug);
    let fetched: unknown;
    try {
      if (channel?.fetchOrder === undefined || row.external_order_id === null) throw cannotFetch();
      fetched = await channel.fetchOrder(row.external_order_id, client, install.settings);
    } catch (error) {
      await failPayload(context, install, row, error);
      return false;
    }
    await storeFetched(sql, row, Buffer.from(JSON.stringify(fetched ?? null)), clock.now());
    notifier.notify();
    return true;
  }

  return createWorkQueue<PayloadCall>({
    name: 'vendor calls',
    log,
    due: { duePoll, isDue: (sql, now) => isAnyInstallDue(sql, 'call', now) },
    notifier,
    claim,
    acquireSlot: ({ install }) => caps.hold({ tenant: install.organization_id, target: install.id }),
    run: call,
    describe: ({ install, row }) => ({ installId: install.id, stagingId: row.id }),
  });
}

function cannotFetch(): Unreadable {
  return new Unreadable('cannot_fetch', 'This app has no way to ask its vendor for an order');
}
