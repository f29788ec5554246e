/** Every table has one owner, whose index.ts is the way to it for all others. A folder under src. */
export const OWNERS: Record<string, readonly string[]> = {
  'platform/database': ['schema_migrations', 'list_totals'],
  'platform/http': ['idempotency_keys'],
  'platform/jobs': ['pgboss'],
  'platform/installation': ['service_facts'],
  'modules/identity': [
    'organizations',
    'users',
    'memberships',
    'invitations',
    'password_resets',
    'last_seen',
    'login_sessions',
    'session_tokens',
    'api_keys',
    'api_key_uses',
    'second_factors',
    'recovery_codes',
    'identity_epoch',
    'identity_changes',
  ],
  'modules/audit': ['audit_entries', 'audit_counts'],
  'modules/billing': ['ledger_entries', 'branch_fees'],
  'modules/leads': ['leads'],
  'modules/jobs': ['jobs', 'job_turns', 'job_clocks'],
  'modules/files': ['unclaimed_files'],
  'modules/catalog-groups': ['brands', 'categories'],
  'modules/branches': ['branches'],
  'modules/products': ['products'],
  'modules/skus': ['skus'],
  'modules/orders': ['orders', 'order_counts', 'untold_orders', 'rare_orders'],
  'modules/apps': ['app_installs'],
  'modules/staging': ['staged_payloads', 'staging_receipts', 'staging_queue', 'staging_totals'],
  'modules/payments': ['paylinks', 'paylink_captures', 'payment_orders', 'sandbox_payments', 'gateway_transactions'],
  'modules/events': [
    'order_outbox',
    'order_events',
    'event_positions',
    'event_tenant_positions',
    'event_followers',
    'parked_events',
  ],
  'modules/sales': ['projected_orders', 'daily_sales', 'daily_product_sales'],
  'modules/customers': ['customers', 'customer_spending'],
  'modules/webhooks': [
    'webhook_subscriptions',
    'webhook_deliveries',
    'webhook_queue',
    'webhook_lanes',
    'webhook_leases',
    'webhook_removals',
  ],
};

export type Exception = { who: string; table: string; why: string };

/** Who reaches past the owner all the same, and why. One that is no longer used fails the test: the list only shrinks. */
export const EXCEPTIONS: readonly Exception[] = [
  // For good: what would be lost is a single statement, or there would be a circle.
  { who: 'modules/orders', table: 'order_outbox', why: 'an order and its events are written by one statement' },
  { who: 'modules/webhooks', table: 'order_events', why: 'a claim brings the bodies along in its own statement' },
  { who: 'modules/skus', table: 'products', why: 'the matrix is the product of both, made and listed by joins' },
  { who: 'modules/skus', table: 'branches', why: 'the matrix is the product of both, made and listed by joins' },
  { who: 'modules/products', table: 'brands', why: 'catalog-groups imports products; back would be a circle' },
  { who: 'modules/products', table: 'categories', why: 'catalog-groups imports products; back would be a circle' },
  { who: 'modules/customers', table: 'projected_orders', why: 'sales imports customers; back would be a circle' },
  { who: 'modules/customers', table: 'list_totals', why: 'the total moves with the rows, in one statement' },
  {
    who: 'modules/payments',
    table: 'orders',
    why: 'lists of a branch, and orders that a transaction can mean, by joins',
  },
  { who: 'modules/identity', table: 'branches', why: 'branches imports identity; back would be a circle' },
  { who: 'modules/billing', table: 'organizations', why: 'identity imports billing; back would be a circle' },

  // To go through the index.
  { who: 'demo', table: 'app_installs', why: 'until there is a module that installs apps' },
];
