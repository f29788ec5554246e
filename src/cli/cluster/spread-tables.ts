/**
 * The tables that a cluster spreads, by the column that chooses the shard. All of a tenant's rows are on one node: rows by tenant group have
 * a value whose hash is in the range of the group's tenants. These are the tables that grow with every order. Accounts, the catalog, sums of
 * sales, positions of followers, queues and logs stay on the coordinator: statements join them with each other, and several have triggers, which a cluster refuses.
 */
export const SPREAD_TABLES: readonly { name: string; by: 'organization_id' | 'tenant_group' }[] = [
  // The first one: the others get their shards beside its shards.
  { name: 'orders', by: 'organization_id' },
  { name: 'order_notes', by: 'organization_id' },
  { name: 'order_tags', by: 'organization_id' },
  { name: 'order_changes', by: 'organization_id' },
  { name: 'order_counts', by: 'organization_id' },
  { name: 'order_count_deltas', by: 'organization_id' },
  { name: 'rare_orders', by: 'organization_id' },
  { name: 'projected_orders', by: 'organization_id' },
  { name: 'customers', by: 'organization_id' },
  { name: 'customer_spending', by: 'organization_id' },
  { name: 'event_tenant_positions', by: 'organization_id' },
  { name: 'order_outbox', by: 'tenant_group' },
  { name: 'order_feed', by: 'tenant_group' },
  { name: 'event_positions', by: 'tenant_group' },
];
