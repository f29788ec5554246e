import type { MigrationContext } from '../../src/platform/database/index.ts';

/**
 * The original changes every order and builds the search index in one transaction, under a lock that stops readers. Here orders are changed
 * in batches without the index, which is then built while writers go on.
 */
export async function migrate({ online, inBatches }: MigrationContext): Promise<void> {
  await online('drop index concurrently if exists orders_search');
  await inBatches({
    table: 'orders',
    key: ['organization_id', 'id'],
    run: (tx, { where }) => tx`
      update orders set search_text = search_text || ' | ' || lower(order_code) where ${where()}`,
  });
  await online(`create index concurrently if not exists orders_search
    on orders using gin (organization_id, search_text gin_trgm_ops)`);
}
