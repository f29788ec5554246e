import { createHash } from 'node:crypto';
import type { VendorClient } from '../../channels/contract.ts';
import { CHANNELS, findChannel } from '../../channels/list.ts';
import { createSteadyLoop, type SteadyLoop } from '../../platform/background/index.ts';
import { inTransaction, type ReadyWeeks } from '../../platform/database/index.ts';
import { createCappedCounter } from '../../platform/fair-limiter/index.ts';
import { newId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  type CallLimits,
  claimPoll,
  type Install,
  listPollable,
  lockPollCursor,
  moveCursor,
  recordInstallHealth,
  releasePoll,
} from '../apps/index.ts';
import { firstStageOf } from './first-stage.ts';
import { POLLED_PATH } from './read-payload.ts';
import { insertReceived } from './sql/receive.ts';

/** A job wakes the loop every five minutes, some seconds early or late: with those five, every other round would come too soon. */
const POLLED_RECENTLY_MS = 4 * 60_000;
const LOOK_EVERY_MS = 60_000;
const INSTALLS_AT_ONCE = 100;
/** A vendor that hangs takes one of its tenant's two places for a minute, and nobody else's. */
const CAPS = {
  maxConcurrent: 12,
  maxConcurrentPerTenant: 2,
  maxConcurrentPerTarget: 1,
  reserved: { slots: 4, fewerThan: 1 },
};
/** Of one install in one go, all pages together. What is left waits for the next; one page at a time is in memory. */
const POLL_LIMITS: CallLimits = { withinMs: 60_000, maxBytes: 32 * 1024 * 1024, maxValues: 400_000 };
const MAX_PAGES = 20;
/** Where nothing was ever polled: what changed in the last day. */
const FIRST_LOOK_BACK_MS = 86_400_000;
const KEPT_MS = 30 * 86_400_000;

const POLLED = CHANNELS.filter((channel) => channel.poll !== undefined).map(({ app }) => app.slug);

/**
 * Asks vendors that send nothing by themselves, each install by itself and within limits. What comes back is staged like any
 * payload, in one transaction with the cursor: a process that dies in between asks for the same again, and nothing is passed over.
 */
export function createPollEngine(
  platform: Platform,
  {
    clientFor,
    weeks,
    onStaged,
  }: { clientFor(install: Install, limits: CallLimits): VendorClient; weeks: ReadyWeeks; onStaged(): void },
): SteadyLoop {
  const { sql, box, clock, log } = platform;
  const caps = createCappedCounter(CAPS);
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();

  async function step(): Promise<boolean> {
    await weeks.ensure();
    const before = new Date(clock.now().getTime() - POLLED_RECENTLY_MS);
    const ofTenant = CAPS.maxConcurrentPerTenant;
    const installs = await listPollable(sql, box, { slugs: POLLED, before, limit: INSTALLS_AT_ONCE, ofTenant });
    let claimed = 0;
    for (const install of installs) {
      const key = { tenant: install.organization_id, target: install.id };
      if (stopping.signal.aborted || caps.available(key) === 0) continue;
      if (!(await claimPoll(sql, install, clock.now()))) continue;
      claimed += 1;
      // Those that cannot be asked are claimed as well: they would be first in line at every round, and in the end all of it.
      if (install.settings.access_token !== undefined) start(install, caps.hold(key));
    }
    return claimed > 0;
  }

  function start(install: Install, end: () => void): void {
    const running = pollOne(install)
      .catch((error: unknown) =>
        log.warn({ err: error, installId: install.id, app: install.app_slug }, 'a poll could not be recorded'),
      )
      .finally(() => {
        end();
        underWay.delete(running);
        loop.wake();
      });
    underWay.add(running);
  }

  async function pollOne(install: Install): Promise<void> {
    const health = { organizationId: install.organization_id, id: install.id };
    try {
      const outcome = await pollPages(install);
      if (outcome === 'changed') await releasePoll(sql, install);
      else await recordInstallHealth(sql, [{ ...health, failed: 0, hasSucceeded: true }], clock.now());
    } catch (error) {
      if (stopping.signal.aborted) return;
      const reason = error instanceof Error ? error.message : String(error);
      log.info({ reason, installId: install.id, app: install.app_slug }, 'a vendor could not be polled');
      await recordInstallHealth(sql, [{ ...health, failed: 1, hasSucceeded: false }], clock.now());
    }
  }

  /** `changed`: the install has other settings by now, so that what came by the old ones is not stored and the cursor stays. */
  async function pollPages(install: Install): Promise<'done' | 'changed'> {
    const channel = findChannel(install.app_slug);
    const client = clientFor(install, POLL_LIMITS);
    const since = new Date(clock.now().getTime() - FIRST_LOOK_BACK_MS);
    let cursor = install.poll_cursor ?? undefined;
    for (let pages = 0; pages < MAX_PAGES && !stopping.signal.aborted; pages += 1) {
      const page = await channel?.poll?.({ cursor, since }, client, install.settings);
      if (page === undefined) break;
      const isStored = await storePage(install, cursor, page);
      if (!isStored) return 'changed';
      if (page.orders.length > 0) onStaged();
      if (!page.hasMore || page.cursor === cursor) break;
      cursor = page.cursor;
    }
    return 'done';
  }

  /** The install is held as it was when it was polled, or nothing is stored. */
  function storePage(
    install: Install,
    cursor: string | undefined,
    page: { orders: readonly unknown[]; cursor: string },
  ): Promise<boolean> {
    return inTransaction(sql, async (tx) => {
      if (!(await lockPollCursor(tx, install, cursor ?? null))) return false;
      const received = receivedOf(install, page.orders, clock.now());
      const stagingIds = received.length === 0 ? [] : await insertReceived(tx, received);
      if (stagingIds.includes(undefined)) throw new Error('a polled order was not stored');
      await moveCursor(tx, install, page.cursor);
      return true;
    });
  }

  const loop = createSteadyLoop({ name: 'vendor polls', log, everyMs: LOOK_EVERY_MS, step });
  return {
    wake: loop.wake,
    start: loop.start,
    async stop() {
      stopping.abort();
      await loop.stop();
      await Promise.allSettled(underWay);
    },
  };
}

function receivedOf(install: Install, orders: readonly unknown[], now: Date) {
  const distinct = new Map<string, Buffer>();
  for (const order of orders) {
    const body = Buffer.from(JSON.stringify(order));
    distinct.set(createHash('sha256').update('poll\n').update(body).digest('hex'), body);
  }
  return [...distinct].map(([delivery, body]) => ({
    id: newId(),
    organizationId: install.organization_id,
    installId: install.id,
    installVersion: install.version,
    appSlug: install.app_slug,
    stage: firstStageOf(install.app_slug),
    method: 'GET',
    path: POLLED_PATH,
    query: {},
    headers: {},
    body,
    delivery: Buffer.from(delivery, 'hex'),
    receivedAt: now,
    expiresAt: new Date(now.getTime() + KEPT_MS),
  }));
}
