/** Tenants whose rows are stored together: all of them on one server, those of one shard on a cluster. */
export type TenantGroup = { id: string; fromHash: number; toHash: number };

/** Where the rows of tenants are. Read once at the start by `readLayout`, which alone distinguishes a cluster from one server. */
export type Layout = {
  isDistributed: boolean;
  /** Each group has a shard of its own. Not so after a split that was interrupted: events of the part without a group would be lost. */
  isWhole: boolean;
  groups: readonly TenantGroup[];
  groupOf(organizationId: string): string;
  /** The node of a group. */
  nodeOf(group: string): string;
  /** The shards of a group: the id of the one of its orders, and the table on the node that has the group's rows of a table. */
  shardOf(group: string): { id: string; table(name: string): string };
  /** Reads again where the groups are: shards can be moved while the service runs. */
  refresh(): Promise<void>;
};

/** The group of all tenants on one server. */
export const ONE_GROUP = '00000000-0000-0000-0000-000000000000';

export const ONE_SERVER: Layout = {
  isDistributed: false,
  isWhole: true,
  groups: [{ id: ONE_GROUP, fromHash: -(2 ** 31), toHash: 2 ** 31 - 1 }],
  groupOf: () => ONE_GROUP,
  nodeOf: () => '',
  shardOf: () => ({ id: '', table: (name) => name }),
  refresh: async () => undefined,
};

/** The items by group, each in its order. */
export function byGroup<T>(layout: Layout, items: readonly T[], organizationOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = layout.groupOf(organizationOf(item));
    const theirs = groups.get(group);
    if (theirs === undefined) groups.set(group, [item]);
    else theirs.push(item);
  }
  return groups;
}
