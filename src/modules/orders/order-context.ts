import { batchReads, type Sql } from '../../platform/database/index.ts';
import { isId } from '../../platform/ids.ts';
import { findOrderChannels, type OrderChannel } from '../apps/index.ts';
import { type BranchLabel, type BranchName, findBranchLabels, type NamedBranch } from '../branches/index.ts';
import { DIRECT_CHANNEL } from './order.ts';
import { NOWHERE, type OrderPlace } from './place/build-order.ts';
import type { OrderKey } from './sql/find-orders.ts';

/** What an order says of where it belongs. */
export type Wanted = { destination: string | null | undefined; source: string | null | undefined };

/** The branch an order is for and the channel it came through. No place when there is no such branch in the tenant. */
export type Surroundings = { place: OrderPlace | undefined; channel: OrderChannel };

/** Reads through the pool: only for whoever holds no connection. */
export type OrderContext = {
  /** For one order, sharing its statements with others that arrive at the same time. */
  findSurroundings(organizationId: string, wanted: Wanted): Promise<Surroundings>;
  /** For many at once: two statements at most, answers in the order asked. */
  listSurroundings(organizationId: string, wanted: readonly Wanted[]): Promise<Surroundings[]>;
};

type Install = OrderChannel & { organization_id: string };

const textOf = (key: OrderKey) => `${key.organizationId} ${key.id}`;

/** What an order calls its branch. */
export function storeNameOf(branch: BranchLabel): string {
  return branch.name_en || branch.name_ar || branch.iv_id;
}

export function createOrderContext(sql: Sql): OrderContext {
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
    async findSurroundings(organizationId, { destination, source }) {
      const installId = idOf(source);
      const [branch, install] = await Promise.all([
        destination ? findBranch({ organizationId, name: destination }) : undefined,
        installId === undefined ? undefined : findInstall({ organizationId, id: installId }),
      ]);
      return { place: placeOf(destination, branch), channel: channelOf(install) };
    },

    async listSurroundings(organizationId, wanted) {
      const names = new Set(wanted.flatMap(({ destination }) => (destination ? [destination] : [])));
      const installIds = new Set(wanted.map(({ source }) => idOf(source)).filter((id) => id !== undefined));
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
      return wanted.map(({ destination, source }) => ({
        place: placeOf(destination, branchByName.get(destination ?? '')),
        channel: channelOf(installById.get(idOf(source) ?? '')),
      }));
    },
  };
}

function idOf(text: string | null | undefined): string | undefined {
  return isId(text) ? text.toLowerCase() : undefined;
}

function placeOf(destination: string | null | undefined, branch: BranchLabel | undefined): OrderPlace | undefined {
  if (destination === null || destination === undefined || destination === '') return NOWHERE;
  return branch && { destinationId: branch.id, storeName: storeNameOf(branch) };
}

function channelOf(install: Install | undefined): OrderChannel {
  if (install === undefined) return DIRECT_CHANNEL;
  const { organization_app_id, app_slug, channel_family, channel_kind } = install;
  return { organization_app_id, app_slug, channel_family, channel_kind };
}
