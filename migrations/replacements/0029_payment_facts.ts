import type { MigrationContext } from '../../src/platform/database/index.ts';

/**
 * The original adds the column and then changes the paid orders in one transaction: readers and writers of orders wait until both are done.
 * Here each is a short transaction of its own.
 */
export async function migrate({ sql, online, inBatches, inTransaction }: MigrationContext): Promise<void> {
  await inTransaction((tx) => tx`alter table orders add column if not exists payment_facts jsonb`);
  await inBatches({
    table: 'gateway_transactions',
    key: ['organization_id', 'id'],
    run: (tx, { where }) => tx`
      update orders o set payment_facts = jsonb_build_object('gateway', o.payment_status)
      from gateway_transactions t
      where ${where('t')} and t.organization_id = o.organization_id and t.order_id = o.id
        and t.status in ('paid', 'refunded') and o.payment_status in ('completed', 'paid', 'refunded')`,
  });
  await inBatches({
    table: 'paylinks',
    key: ['organization_id', 'id'],
    run: (tx, { where }) => tx`
      update orders o
      set payment_facts = coalesce(o.payment_facts, '{}') || jsonb_build_object('provider', o.payment_status)
      from paylinks p
      where ${where('p')} and p.organization_id = o.organization_id and p.order_id = o.id
        and p.status in ('captured', 'refunded') and o.payment_status in ('completed', 'paid', 'refunded')`,
  });
  await inTransaction(async (tx) => {
    await tx`
      alter table gateway_transactions
        add column if not exists is_verified boolean not null default true,
        add column if not exists match_due boolean not null default false`;
    await tx`alter table paylinks add column if not exists request_fingerprint text`;
  });
  await online(`create index concurrently if not exists gateway_transactions_unmatched
    on gateway_transactions (organization_id, created) where order_id is null and is_verified`);
  await online(`create index concurrently if not exists gateway_transactions_due
    on gateway_transactions (created) where match_due`);
  await online(`create index concurrently if not exists gateway_transactions_by_parent
    on gateway_transactions (organization_id, organization_app_id, parent_reference) where parent_reference is not null`);
  await sql`
    insert into event_followers (name, position) select 'payments', last_position from event_positions
    on conflict do nothing`;
}
