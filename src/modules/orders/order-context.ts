import { gatherReads, type Sql } from '../../platform/database/index.ts';
import { isId } from '../../platform/ids.ts';
import { type BranchLabel, findBranchLabels } from '../branches/index.ts';
import { NOWHERE, type OrderPlace } from './build-order.ts';
import { type Channel, DIRECT_CHANNEL } from './order.ts';
import { findChannels, type OrderKey } from './sql/find-orders.ts';

/** What an order says of where it belongs. */
export type Wanted = { destination: string | null | undefined; source: string | null | undefined };

/** The branch an order is for and the channel it came through. No place when there is no such branch in the tenant. */
export type Surroundings = { place: OrderPlace | undefined; channel: Channel };

/** Reads through the pool: only for whoever holds no connection. */
export type OrderContext = {
  /** For one order, sharing its statements with others that arrive at the same time. */
  findSurroundings(organizationId: string, wanted: Wanted): Promise<Surroundings>;
  /** For many at once: two statements at most, answers in the order asked. */
  listSurroundings(organizationId: string, wanted: readonly Wanted[]): Promise<Surroundings[]>;
};

type Install = Channel & { organization_id: string };

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
  const findInstall = gatherReads<OrderKey, Install>({
    load: (keys) => findChannels(sql, keys),
    keyOf: (row) => ({ organizationId: row.organization_id, id: row.organization_app_id }),
    textOf,
    maxBatch: 200,
    parallel: 2,
  });

  return {
    async findSurroundings(organizationId, { destination, source }) {
      const branchId = idOf(destination);
      const installId = idOf(source);
      const [branch, install] = await Promise.all([
        branchId === undefined ? undefined : findBranch({ organizationId, id: branchId }),
        installId === undefined ? undefined : findInstall({ organizationId, id: installId }),
      ]);
      return { place: placeOf(destination, branch), channel: channelOf(install) };
    },

    async listSurroundings(organizationId, wanted) {
      const keysOf = (texts: (string | null | undefined)[]) =>
        [...new Set(texts.map(idOf))].filter((id) => id !== undefined).map((id) => ({ organizationId, id }));
      const branchKeys = keysOf(wanted.map(({ destination }) => destination));
      const installKeys = keysOf(wanted.map(({ source }) => source));
      const branches = branchKeys.length === 0 ? [] : await findBranchLabels(sql, branchKeys);
      const installs = installKeys.length === 0 ? [] : await findChannels(sql, installKeys);
      const branchById = new Map(branches.map((row) => [row.id, row]));
      const installById = new Map(installs.map((row) => [row.organization_app_id, row]));
      return wanted.map(({ destination, source }) => ({
        place: placeOf(destination, branchById.get(idOf(destination) ?? '')),
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

function channelOf(install: Install | undefined): Channel {
  if (install === undefined) return DIRECT_CHANNEL;
  const { organization_app_id, app_slug, channel_family, channel_kind } = install;
  return { organization_app_id, app_slug, channel_family, channel_kind };
}
