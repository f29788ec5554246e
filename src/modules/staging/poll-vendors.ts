import { createHash } from 'node:crypto';
import type { Channel, VendorClient } from '../../channels/contract.ts';
import { CHANNELS, findChannel } from '../../channels/list.ts';
import { inTransaction, type Tx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { claimPoll, type Install, listPollable, moveCursor } from '../apps/index.ts';
import { POLLED_PATH } from './read-payload.ts';
import { insertReceived } from './sql/receive.ts';

/** The job runs every five minutes, some seconds early or late: with those five, every other round would come too soon. */
const POLLED_RECENTLY_MS = 4 * 60_000;
const INSTALLS_AT_ONCE = 100;
const AT_THE_SAME_TIME = 4;
/** Of one install in one go; what is left waits for the next. */
const MAX_PAGES = 20;
/** Where nothing was ever polled: what changed in the last day. */
const FIRST_LOOK_BACK_MS = 86_400_000;
const KEPT_MS = 30 * 86_400_000;

const POLLED = CHANNELS.filter((channel) => channel.poll !== undefined).map(({ app }) => app.slug);

/**
 * Asks vendors that send nothing by themselves. What comes back is staged like any payload, in one transaction with the
 * cursor: a process that dies in between asks for the same again, and nothing is passed over.
 */
export async function pollVendors(
  platform: Platform,
  clientFor: (install: Install) => VendorClient,
  signal: AbortSignal,
): Promise<{ polled: number; staged: number }> {
  const { sql, box, clock, log } = platform;
  const before = new Date(clock.now().getTime() - POLLED_RECENTLY_MS);
  const counts = { polled: 0, staged: 0 };

  async function pollOne(install: Install, channel: Channel): Promise<void> {
    // Those that cannot be asked are claimed as well: they would be first in line at every round, and in the end all of it.
    if (!(await claimPoll(sql, install, clock.now())) || install.settings.access_token === undefined) return;
    counts.polled += 1;
    const since = new Date(clock.now().getTime() - FIRST_LOOK_BACK_MS);
    let cursor = install.poll_cursor ?? undefined;
    for (let pages = 0; pages < MAX_PAGES && !signal.aborted; pages += 1) {
      const page = await channel.poll?.({ cursor, since }, clientFor(install), install.settings);
      if (page === undefined) return;
      await inTransaction(sql, async (tx) => {
        await stagePolled(tx, install, page.orders, clock.now());
        await moveCursor(tx, install, page.cursor);
      });
      counts.staged += page.orders.length;
      if (!page.hasMore || page.cursor === cursor) return;
      cursor = page.cursor;
    }
  }

  async function pollInTurn(due: Iterable<Install>): Promise<void> {
    for (const install of due) {
      const channel = findChannel(install.app_slug);
      if (signal.aborted || channel === undefined) return;
      await pollOne(install, channel).catch((error: unknown) =>
        log.warn({ err: error, installId: install.id, app: install.app_slug }, 'a vendor could not be polled'),
      );
    }
  }

  for (let isLast = false; !isLast && !signal.aborted; ) {
    const installs = await listPollable(sql, box, { slugs: POLLED, before, limit: INSTALLS_AT_ONCE });
    const due = installs.values();
    await Promise.all(Array.from({ length: AT_THE_SAME_TIME }, () => pollInTurn(due)));
    isLast = installs.length < INSTALLS_AT_ONCE;
  }
  return counts;
}

async function stagePolled(tx: Tx, install: Install, orders: readonly unknown[], now: Date): Promise<void> {
  const distinct = new Map<string, Buffer>();
  for (const order of orders) {
    const body = Buffer.from(JSON.stringify(order));
    distinct.set(createHash('sha256').update('poll\n').update(body).digest('hex'), body);
  }
  if (distinct.size === 0) return;
  await insertReceived(
    tx,
    [...distinct].map(([delivery, body]) => ({
      id: newId(),
      organizationId: install.organization_id,
      installId: install.id,
      installVersion: install.version,
      appSlug: install.app_slug,
      method: 'GET',
      path: POLLED_PATH,
      query: {},
      headers: {},
      body,
      delivery: Buffer.from(delivery, 'hex'),
      receivedAt: now,
      expiresAt: new Date(now.getTime() + KEPT_MS),
    })),
  );
}
