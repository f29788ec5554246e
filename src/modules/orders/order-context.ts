import { gatherReads, type Sql } from '../../platform/database/index.ts';
import { isId } from '../../platform/ids.ts';
import type { OrderPlace } from './build-order.ts';
import { type Channel, DIRECT_CHANNEL } from './order.ts';
import { type BranchLabel, findBranchLabels, findChannels, type OrderKey } from './sql/find-orders.ts';

/** What an order needs to know of its surroundings: the branch it is for and the channel it came through. */
export type OrderContext = {
  /** Nothing when there is no such branch in the tenant. */
  findPlace(organizationId: string, destination: string | null | undefined): Promise<OrderPlace | undefined>;
  findChannel(organizationId: string, source: string | null | undefined): Promise<Channel>;
};

const textOf = (key: OrderKey) => `${key.organizationId} ${key.id}`;

/** What an order calls its branch. */
export function storeNameOf(branch: BranchLabel): string {
  return branch.name_en || branch.name_ar || branch.iv_id;
}

export function createOrderContext(sql: Sql): OrderContext {
  const findBranch = gatherReads<OrderKey, BranchLabel>({
    load: (keys) => findBranchLabels(sql, keys),
    keyOf: (row) => ({ organizationId: row.organization_id, id: row.id }),
    textOf,
    maxBatch: 200,
    parallel: 2,
  });
  const findInstall = gatherReads<OrderKey, Channel & { organization_id: string }>({
    load: (keys) => findChannels(sql, keys),
    keyOf: (row) => ({ organizationId: row.organization_id, id: row.organization_app_id }),
    textOf,
    maxBatch: 200,
    parallel: 2,
  });

  return {
    async findPlace(organizationId, destination) {
      if (destination === null || destination === undefined || destination === '') {
        return { destinationId: null, storeName: null };
      }
      if (!isId(destination)) return undefined;
      const branch = await findBranch({ organizationId, id: destination.toLowerCase() });
      if (branch === undefined) return undefined;
      return { destinationId: branch.id, storeName: storeNameOf(branch) };
    },
    async findChannel(organizationId, source) {
      if (!isId(source)) return DIRECT_CHANNEL;
      const install = await findInstall({ organizationId, id: source.toLowerCase() });
      if (install === undefined) return DIRECT_CHANNEL;
      const { organization_app_id, app_slug, channel_family, channel_kind } = install;
      return { organization_app_id, app_slug, channel_family, channel_kind };
    },
  };
}
