import type { Notifier } from '../../platform/background/index.ts';
import {
  dropWeeksBefore,
  ensureWeeks,
  inTransactionByIndex,
  type Queryable,
  retentionCut,
  type WeeklyTable,
  weekStart,
} from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { createGroupLoops } from './group-loops.ts';
import { deleteStrayChanges, forgetBefore } from './sql/events.ts';
import { deleteDeadLetters } from './sql/followers.ts';
import { type Stamped, stampOnGroup, stampOutbox } from './sql/stamp-outbox.ts';

/** Neither is ever rewritten: by the week of publication, and by that of writing. */
export const ORDER_FEED_WEEKS: WeeklyTable = { name: 'order_feed', fillPercent: 100, insertOnly: true };
export const ORDER_CHANGE_WEEKS: WeeklyTable = { name: 'order_changes', fillPercent: 100, insertOnly: true };
const WEEK_MS = 7 * 86_400_000;
const BATCH = 2_000;
/** A notice holds 8,000 bytes; past this many tenants it names none, which means all. */
const NAMED_ORGANIZATIONS = 100;

/** Gives committed changes their positions in the feed. Each group of tenants is published by one process at a time. */
export function createPublisher(platform: Platform, outbox: Notifier) {
  const { sql, clock } = platform;
  let readyWeek = '';

  async function publish(group: string): Promise<boolean> {
    const now = clock.now();
    const week = weekStart(now).toISOString();
    if (week !== readyWeek) {
      await ensureWeeks(sql, ORDER_FEED_WEEKS, now);
      await ensureWeeks(sql, ORDER_CHANGE_WEEKS, now);
      readyWeek = week;
    }
    const stamped = sql.layout.isDistributed ? await publishOnCluster(group) : await publishOnServer(group);
    return stamped?.events === BATCH;
  }

  const publishOnServer = (group: string) =>
    inTransactionByIndex(sql, async (tx) => {
      const batch = await stampOutbox(tx, group, clock.now(), BATCH);
      if (batch !== undefined) await announce(tx, batch);
      return batch;
    });

  /** The node commits before the notice; one that is lost with the process is made up for after a while, as every notice. */
  async function publishOnCluster(group: string): Promise<Stamped | undefined> {
    const batch = await stampOnGroup(sql, group, clock.now(), BATCH);
    if (batch !== undefined) await announce(sql, batch);
    return batch;
  }

  return createGroupLoops(platform, outbox, {
    name: 'event publisher',
    isDue: (sql) => sql`exists (select from order_outbox)`,
    stepOf: (group) => () => publish(group),
  });
}

async function announce(sql: Queryable, { events, organizations }: Stamped): Promise<void> {
  if (events > 0) await sql`select pg_notify('order_events', ${noticeFor(organizations)})`;
}

function noticeFor(organizations: string[]): string {
  return organizations.length > NAMED_ORGANIZATIONS ? '*' : organizations.join(',');
}

/** Daily: drops the weekly partitions past the retention. */
export async function dropOldEvents({ sql, clock, log }: Platform): Promise<void> {
  const cut = retentionCut(clock.now());
  const dropped = await dropWeeksBefore(sql, ORDER_FEED_WEEKS, cut);
  // A change may have been published in the week after the one it was written in.
  const changeCut = new Date(cut.getTime() - WEEK_MS);
  dropped.push(...(await dropWeeksBefore(sql, ORDER_CHANGE_WEEKS, changeCut)));
  await deleteStrayChanges(sql, changeCut);
  for (const { id } of sql.layout.groups) await forgetBefore(sql, id, cut);
  await deleteDeadLetters(sql, cut);
  if (dropped.length > 0) log.info({ dropped }, 'old events dropped');
}
