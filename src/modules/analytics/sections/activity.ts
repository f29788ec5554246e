import { readLatest, readTenantPosition } from '../../events/index.ts';
import type { CanonicalOrder } from '../../orders/index.ts';
import type { ActivityItem } from '../schema.ts';
import type { SectionContext } from '../section-context.ts';
import { SECTION_ITEMS } from './section-names.ts';

/** Events are stored in the order of their arrival; a vendor may report one late. More are read, and sorted by their own time. */
const READ_EVENTS = 5 * SECTION_ITEMS;

/** The latest events of orders, newest first, for callers who may read orders. Read again when there is a new one. */
export async function readActivity({ sources, scope, readable }: SectionContext): Promise<ActivityItem[]> {
  if (!readable.has('Orders')) return [];
  const { sql, cache } = sources;
  const { organizationId, branchId } = scope;
  const version = await readTenantPosition(sql, organizationId);
  // The place is read before the events: what comes in between is shown now, and read once more the next time.
  return cache.get(organizationId, `activity ${branchId}`, version, async () => {
    const bodies = await readLatest(sql, scope, READ_EVENTS);
    const items = bodies.map((body) => itemOf(JSON.parse(body) as StoredEvent));
    const newestFirst = items.sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
    return { version, value: newestFirst.slice(0, SECTION_ITEMS) };
  });
}

type StoredEvent = {
  id: string;
  type: string;
  occurred_at: string;
  order_id: string;
  status_from: string;
  status_to: string;
  payment_status_to: string;
  order: Pick<CanonicalOrder, 'external' | 'channel' | 'branch' | 'amounts'>;
};

function itemOf(event: StoredEvent): ActivityItem {
  const { external, channel, branch, amounts } = event.order;
  return {
    id: event.id,
    type: event.type,
    at: event.occurred_at,
    order_id: event.order_id,
    order_code: external.code,
    app_slug: channel.app_slug,
    branch_name: branch.name,
    status_from: event.status_from,
    status: event.status_to,
    payment_status: event.payment_status_to,
    total: amounts.total,
    currency: amounts.currency,
  };
}
