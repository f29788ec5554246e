import type { MigrationContext } from '../src/platform/database/index.ts';

/** Copies the events of the last weeks from order_events to order_changes and order_feed, with their texts as they are. */
export async function migrate({ inBatches }: MigrationContext): Promise<void> {
  await inBatches({
    table: 'order_events',
    key: ['organization_id', 'position', 'stamped_at'],
    size: 2_000,
    run: (tx, batch) => tx`
      with events as (
        select e.*, coalesce(outbox_id, -position) as change_id, date_trunc('week', stamped_at at time zone 'UTC')::date as week
        from order_events e where ${batch.where('e')}
      ), changes as (
        insert into order_changes (organization_id, id, week, order_id, branch_id, type, occurred_us, body)
        select organization_id, change_id, week, order_id, branch_id, type, (extract(epoch from occurred_at) * 1000000)::bigint, body
        from events
      )
      insert into order_feed (organization_id, tenant_position, position, order_id, change_id, week, stamped_at)
      select organization_id, coalesce(tenant_position, position), position, order_id, change_id, week, stamped_at from events`,
  });
}
