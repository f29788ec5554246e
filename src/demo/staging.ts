import type { OrderStage, PastOrder } from '../modules/orders/index.ts';
import { type PastCall, prepareHistory, stageHistory } from '../modules/staging/index.ts';
import type { Sql, Tx } from '../platform/database/index.ts';
import { newId } from '../platform/ids.ts';
import { revisionOf } from '../platform/inbound/index.ts';
import type { DemoInstall } from './channels.ts';
import { failuresOf } from './failed-payloads.ts';
import { type RecentSale, WRITERS } from './vendor-payloads.ts';

/** A few hundred payloads: the whole year would be sixty thousand, more than a reader looks at, and kept for thirty days only. */
export const STAGED_DAYS = 3;
const DAY_MS = 86_400_000;

/** No transaction may be open. A day more: news of an order may have come before it. */
export function prepareStaging(sql: Sql, now: Date): Promise<void> {
  return prepareHistory(sql, new Date(now.getTime() - (STAGED_DAYS + 1) * DAY_MS), now);
}

/** Yields the same orders and collects those that vendors have reported since an instant. */
export function* collectRecent(
  past: Iterable<PastOrder>,
  installs: ReadonlyMap<string, DemoInstall>,
  since: Date,
  noted: RecentSale[],
): Generator<PastOrder> {
  const byId = new Map([...installs.values()].map((install) => [install.id, install]));
  for (const one of past) {
    const install = byId.get(one.order.source ?? '');
    const isUpdated = install !== undefined && WRITERS[install.app_slug] !== undefined && one.stages[0].at >= since;
    if (!isUpdated) yield one;
    else {
      const last = one.stages.at(-1) ?? one.stages[0];
      // A moment after the last of its payloads: to read any of them again changes nothing.
      const kept = { ...one, id: newId(), revision: Number(revisionOf(last.at)) + 1 };
      noted.push({ id: kept.id, install, past: kept });
      yield kept;
    }
  }
}

/** What the vendors of one shop have sent in the last days, read and settled; nothing waits. */
export async function seedStaging(
  tx: Tx,
  organizationId: string,
  installs: ReadonlyMap<string, DemoInstall>,
  recent: readonly RecentSale[],
  now: Date,
): Promise<void> {
  await stageHistory(tx, organizationId, callsOf(installs, recent, now));
}

export function callsOf(
  installs: ReadonlyMap<string, DemoInstall>,
  recent: readonly RecentSale[],
  now: Date,
): PastCall[] {
  const reported = recent.flatMap((sale) =>
    sale.past.stages.flatMap((stage, index) => callAt(sale, stage, index === 0, now) ?? []),
  );
  const calls = [...reported, ...passedOver(installs, now), ...failuresOf(installs, recent, now)];
  return calls.sort((one, other) => one.receivedAt.getTime() - other.receivedAt.getTime());
}

const JSON_HEADERS = { 'content-type': 'application/json' };
/** Read within the second. */
const READ_AFTER_MS = 240;

function callAt({ id, install, past }: RecentSale, stage: OrderStage, isFirst: boolean, now: Date) {
  const news = WRITERS[install.app_slug]?.({ order: past.order, placedAt: past.stages[0].at }, stage, isFirst);
  if (news === undefined) return undefined;
  return {
    install,
    headers: JSON_HEADERS,
    payload: JSON.stringify(news.body),
    event: news.event,
    externalOrderId: past.order.source_transaction_id ?? null,
    outcome: isFirst ? 'created' : 'updated',
    error: null,
    orderId: id,
    attempts: 1,
    receivedAt: stage.at,
    processedAt: new Date(Math.min(stage.at.getTime() + READ_AFTER_MS, now.getTime())),
  } satisfies PastCall;
}

const HOUR_MS = 3_600_000;
/** Vendors send all their news to one address. */
const OTHER_NEWS = [
  { slug: 'salla', event: 'customer.created', hoursAgo: 5 },
  { slug: 'salla', event: 'product.updated', hoursAgo: 26 },
  { slug: 'foodics', event: 'menu.updated', hoursAgo: 11 },
  { slug: 'foodics', event: 'inventory.transaction.created', hoursAgo: 50 },
];

function passedOver(installs: ReadonlyMap<string, DemoInstall>, now: Date): PastCall[] {
  return OTHER_NEWS.flatMap(({ slug, event, hoursAgo }) => {
    const install = installs.get(slug);
    const receivedAt = new Date(now.getTime() - hoursAgo * HOUR_MS);
    return install === undefined
      ? []
      : {
          install,
          headers: JSON_HEADERS,
          payload: JSON.stringify({ event, data: { id: 7001 + hoursAgo } }),
          event,
          externalOrderId: null,
          outcome: 'ignored',
          error: null,
          orderId: null,
          attempts: 1,
          receivedAt,
          processedAt: new Date(receivedAt.getTime() + READ_AFTER_MS),
        };
  });
}
