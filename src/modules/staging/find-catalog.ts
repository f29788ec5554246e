import type { ChannelLine, ChannelOrder } from '../../channels/contract.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { Install } from '../apps/index.ts';
import { findBranchLabels } from '../branches/index.ts';
import { NO_BRANCH, type OrderBranch, storeNameOf } from '../orders/index.ts';
import { matchSkus, type WantedSku } from '../skus/index.ts';
import type { UpdateContext } from './build-order-update.ts';

/** Our branches and SKUs for the vendor's stores and codes in a batch of orders, by two statements. */
export async function findCatalog(
  tx: Tx,
  install: Install,
  orders: readonly ChannelOrder[],
): Promise<Pick<UpdateContext, 'placeOf' | 'matchOf'>> {
  const { organization_id: organizationId, settings } = install;
  const ivIdOf = (storeId: string | undefined) =>
    (storeId !== undefined && settings.branches && Object.hasOwn(settings.branches, storeId)
      ? settings.branches[storeId]
      : undefined) ?? settings.branch_iv_id;
  const ivIds = new Set(orders.map((order) => ivIdOf(order.storeId)).filter((ivId) => ivId !== undefined));
  const branches =
    ivIds.size === 0
      ? []
      : await findBranchLabels(
          tx,
          [...ivIds].map((name) => ({ organizationId, name })),
        );
  const places = new Map(branches.map((row) => [row.named, { destinationId: row.id, storeName: storeNameOf(row) }]));
  const placeOf = (storeId: string | undefined): OrderBranch => places.get(ivIdOf(storeId) ?? '') ?? NO_BRANCH;

  const wanted = new Map<string, WantedSku>();
  const keyOf = ({ code, branchId }: WantedSku) => `${branchId} ${code}`;
  for (const order of orders) {
    const branchId = placeOf(order.storeId).destinationId;
    for (const line of order.lines)
      for (const code of codesOf(line)) wanted.set(keyOf({ code, branchId }), { code, branchId });
  }
  const matches = wanted.size === 0 ? [] : await matchSkus(tx, organizationId, [...wanted.values()]);
  const matchByKey = new Map(matches.map((match) => [keyOf(match), match]));
  const matchOf = (line: ChannelLine, { destinationId: branchId }: OrderBranch) =>
    codesOf(line)
      .map((code) => matchByKey.get(keyOf({ code, branchId })))
      .find((match) => match !== undefined);
  return { placeOf, matchOf };
}

function codesOf({ sku, barcode }: ChannelLine): string[] {
  return [sku, barcode].filter((code) => code !== undefined);
}
