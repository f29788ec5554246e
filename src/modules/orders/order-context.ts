import { batchReads, type Sql } from '../../platform/database/index.ts';
import { isId } from '../../platform/ids.ts';
import { findOrderChannels, type OrderChannel } from '../apps/index.ts';
import { type BranchLabel, type BranchName, findBranchLabels, type NamedBranch } from '../branches/index.ts';
import { DIRECT_CHANNEL, NO_BRANCH, type OrderBranch } from './order.ts';
import type { OrderKey } from './sql/find-orders.ts';

/** The branch and the source that an order names. */
export type OrderReferences = { destination: string | null | undefined; source: string | null | undefined };

/** The branch an order is for and the channel it came through. `branch` is undefined when the tenant has no such branch. */
export type OrderContext = { branch: OrderBranch | undefined; channel: OrderChannel };

/** Reads through the pool. Call it without holding a connection: a transaction that waits for a second one can deadlock. */
export type OrderContextReader = {
  /** For one order. Shares its statements with orders that arrive at the same time. */
  find(organizationId: string, references: OrderReferences): Promise<OrderContext>;
  /** For many orders: two statements at most. The results are in the order of the references. */
  list(organizationId: string, references: readonly OrderReferences[]): Promise<OrderContext[]>;
};

type Install = OrderChannel & { organization_id: string };

const textOf = (key: OrderKey) => `${key.organizationId} ${key.id}`;

/** The store name of an order for this branch. */
export function storeNameOf(branch: BranchLabel): string {
  return branch.name_en || branch.name_ar || branch.iv_id;
}

export function createOrderContextReader(sql: Sql): OrderContextReader {
  const findBranch = batchReads<BranchName, NamedBranch>({
    load: (names) => findBranchLabels(sql, names),
    keyOf: (row) => ({ organizationId: row.organization_id, name: row.named }),
    textOf: ({ organizationId, name }) => `${organizationId} ${name}`,
    maxBatch: 200,
    parallel: 2,
  });
  const findInstall = batchReads<OrderKey, Install>({
    load: (keys) => findOrderChannels(sql, keys),
    keyOf: (row) => ({ organizationId: row.organization_id, id: row.organization_app_id }),
    textOf,
    maxBatch: 200,
    parallel: 2,
  });

  return {
    async find(organizationId, { destination, source }) {
      const installId = idOf(source);
      const [branch, install] = await Promise.all([
        destination ? findBranch({ organizationId, name: destination }) : undefined,
        installId === undefined ? undefined : findInstall({ organizationId, id: installId }),
      ]);
      return { branch: branchOf(destination, branch), channel: channelOf(install) };
    },

    async list(organizationId, references) {
      const names = new Set(references.flatMap(({ destination }) => (destination ? [destination] : [])));
      const installIds = new Set(references.map(({ source }) => idOf(source)).filter((id) => id !== undefined));
      const branches =
        names.size === 0
          ? []
          : await findBranchLabels(
              sql,
              [...names].map((name) => ({ organizationId, name })),
            );
      const installs =
        installIds.size === 0
          ? []
          : await findOrderChannels(
              sql,
              [...installIds].map((id) => ({ organizationId, id })),
            );
      const branchByName = new Map(branches.map((row) => [row.named, row]));
      const installById = new Map(installs.map((row) => [row.organization_app_id, row]));
      return references.map(({ destination, source }) => ({
        branch: branchOf(destination, branchByName.get(destination ?? '')),
        channel: channelOf(installById.get(idOf(source) ?? '')),
      }));
    },
  };
}

function idOf(text: string | null | undefined): string | undefined {
  return isId(text) ? text.toLowerCase() : undefined;
}

function branchOf(destination: string | null | undefined, branch: BranchLabel | undefined): OrderBranch | undefined {
  if (destination === null || destination === undefined || destination === '') return NO_BRANCH;
  return branch && { destinationId: branch.id, storeName: storeNameOf(branch) };
}

function channelOf(install: Install | undefined): OrderChannel {
  if (install === undefined) return DIRECT_CHANNEL;
  const { organization_app_id, app_slug, channel_family, channel_kind } = install;
  return { organization_app_id, app_slug, channel_family, channel_kind };
}
