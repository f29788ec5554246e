import type { VendorClient } from '../../channels/contract.ts';
import { CHANNELS, findChannel } from '../../channels/list.ts';
import type { SteadyLoop } from '../../platform/background/index.ts';
import type { ReadyWeeks } from '../../platform/database/index.ts';
import { createCappedCounter } from '../../platform/fair-limiter/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { createWorkQueue, type StartItems } from '../../platform/work-queue/index.ts';
import {
  type CallLimits,
  claimPoll,
  type Install,
  listPollable,
  recordInstallHealth,
  releasePoll,
} from '../apps/index.ts';
import { stagePolledPage } from './stage-polled-page.ts';

/** A job wakes the loop every five minutes, give or take some seconds. With five here, every other round would come too early. */
const POLLED_RECENTLY_MS = 4 * 60_000;
const INSTALLS_AT_ONCE = 100;
/** A vendor that hangs uses one of its own tenant's two slots for a minute. */
const CAPS = {
  maxConcurrent: 12,
  maxConcurrentPerTenant: 2,
  maxConcurrentPerTarget: 1,
  reserved: { slots: 4, fewerThan: 1 },
};
/** Of one install in one poll, all pages together. The rest waits for the next poll; one page at a time is in memory. */
const POLL_LIMITS: CallLimits = { withinMs: 60_000, maxBytes: 32 * 1024 * 1024, maxValues: 400_000 };
const MAX_PAGES = 20;
/** A first poll asks for what changed in the last day. */
const FIRST_LOOK_BACK_MS = 86_400_000;

const POLLED = CHANNELS.filter((channel) => channel.poll !== undefined).map(({ app }) => app.slug);

const slotKeyOf = (install: Install) => ({ tenant: install.organization_id, target: install.id });

/**
 * Polls vendors that send no webhooks, each install by itself and within limits. Answers are staged like any payload, in one
 * transaction with the cursor: a process that dies in between polls the same page again, and no order is skipped.
 */
export function createPollEngine(
  { sql, box, clock, log }: Platform,
  {
    clientFor,
    weeks,
    onStaged,
  }: { clientFor(install: Install, limits: CallLimits): VendorClient; weeks: ReadyWeeks; onStaged(): void },
): SteadyLoop {
  const caps = createCappedCounter(CAPS);
  const stopping = new AbortController();

  async function claim(start: StartItems<Install>): Promise<boolean> {
    await weeks.ensure();
    const before = new Date(clock.now().getTime() - POLLED_RECENTLY_MS);
    const ofTenant = CAPS.maxConcurrentPerTenant;
    const installs = await listPollable(sql, box, { slugs: POLLED, before, limit: INSTALLS_AT_ONCE, ofTenant });
    let claimed = 0;
    for (const install of installs) {
      if (stopping.signal.aborted || caps.available(slotKeyOf(install)) === 0) continue;
      if (!(await claimPoll(sql, install, clock.now()))) continue;
      claimed += 1;
      // Installs without a token are claimed as well: otherwise they would head every list, and in the end fill it.
      if (install.settings.access_token !== undefined) start([install]);
    }
    return claimed > 0;
  }

  async function poll(install: Install): Promise<void> {
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

  /** `changed`: the install has other settings now, so the answer to the old ones is not stored and the cursor stays. */
  async function pollPages(install: Install): Promise<'done' | 'changed'> {
    const channel = findChannel(install.app_slug);
    const client = clientFor(install, POLL_LIMITS);
    const now = clock.now();
    const since = new Date(now.getTime() - FIRST_LOOK_BACK_MS);
    let cursor = install.poll_cursor ?? undefined;
    for (let pages = 0; pages < MAX_PAGES && !stopping.signal.aborted; pages += 1) {
      const page = await channel?.poll?.({ cursor, since, now }, client, install.settings);
      if (page === undefined) break;
      const isStored = await stagePolledPage(sql, install, cursor, page, clock.now());
      if (!isStored) return 'changed';
      if (page.orders.length > 0) onStaged();
      if (!page.hasMore || page.cursor === cursor) break;
      cursor = page.cursor;
    }
    return 'done';
  }

  const queue = createWorkQueue<Install>({
    name: 'vendor polls',
    log,
    claim,
    acquireSlot: (install) => caps.hold(slotKeyOf(install)),
    run: poll,
    describe: (install) => ({ installId: install.id, app: install.app_slug }),
  });
  return {
    wake: queue.wake,
    start: queue.start,
    stop() {
      stopping.abort();
      return queue.stop();
    },
  };
}
