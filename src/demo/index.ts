import { countOrganizations } from '../modules/identity/index.ts';
import { ADVISORY_LOCKS, inTransaction, type Tx } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { seedBilling } from './billing.ts';
import { seedCatalog } from './catalog.ts';
import { seedLeads } from './leads.ts';
import { readLogins, writeLogins } from './logins.ts';
import { seedOrders } from './orders.ts';
import { createPeople } from './people.ts';
import { seedWebhooks } from './webhooks.ts';

/**
 * Loads the demo once. With `onlyWhenEmpty` a database that already serves somebody is left alone. True when it loaded.
 */
export async function loadDemo(platform: Platform, options: { onlyWhenEmpty: boolean }): Promise<boolean> {
  const { sql, clock, config, log } = platform;
  const startedMs = performance.now();
  const logins = await inTransaction(sql, async (tx) => {
    await tx`select pg_advisory_xact_lock(${ADVISORY_LOCKS.demo})`;
    if (await isLoaded(tx, options.onlyWhenEmpty)) return undefined;
    const now = clock.now();
    const people = await createPeople(tx, now);
    await seedCatalog(tx, people, now);
    await seedOrders(tx, people, now);
    await seedBilling(tx, people.logins, now);
    await seedWebhooks(tx, platform.box, people, now);
    await seedLeads(tx, now);
    await tx`insert into service_facts (name, value) values ('demo_loaded_at', ${now.toISOString()})`;
    // Written before the commit: a crash in between leaves a file that the next load overwrites, never a demo without logins.
    await writeLogins(config.dataDir, people.logins);
    return people.logins;
  });
  if (logins === undefined) {
    if ((await readLogins(config.dataDir)) === undefined) log.warn('the demo is loaded but demo.json is gone');
    return false;
  }
  log.info({ tookMs: Math.round(performance.now() - startedMs) }, 'demo loaded');
  return true;
}

async function isLoaded(tx: Tx, onlyWhenEmpty: boolean): Promise<boolean> {
  const rows = await tx`select 1 from service_facts where name = 'demo_loaded_at'`;
  if (rows.length > 0) return true;
  if (!onlyWhenEmpty) return false;
  return (await countOrganizations(tx)) > 0;
}
