import { readShelves } from '../../src/demo/baskets.ts';
import { seedBilling } from '../../src/demo/billing.ts';
import { seedCatalog } from '../../src/demo/catalog.ts';
import { installApps } from '../../src/demo/channels.ts';
import { generateYear } from '../../src/demo/generate-orders.ts';
import { seedLeads } from '../../src/demo/leads.ts';
import { type DemoLogins, writeLogins } from '../../src/demo/logins.ts';
import { createPeople } from '../../src/demo/people.ts';
import { seededRandom } from '../../src/demo/random.ts';
import { collectRecent, prepareStaging, seedStaging } from '../../src/demo/staging.ts';
import { seedSupport } from '../../src/demo/support.ts';
import type { RecentSale } from '../../src/demo/vendor-payloads.ts';
import { seedWebhooks } from '../../src/demo/webhooks.ts';
import { placeHistory } from '../../src/modules/orders/index.ts';
import { inTransaction } from '../../src/platform/database/index.ts';
import type { Platform } from '../../src/platform/platform.ts';

const TRADE = { orders: 100, buyers: 20 };
const KINDS = ['pharmacy', 'grocery'] as const;

/** The demo but for its year of trade, which is twenty thousand orders and most of the time it takes. */
export async function loadSmallDemo({ sql, clock, box, config }: Platform): Promise<DemoLogins> {
  await prepareStaging(sql, clock.now());
  return inTransaction(sql, async (tx) => {
    const now = clock.now();
    const people = await createPeople(tx, now);
    await seedCatalog(tx, people, now);
    for (const [index, kind] of KINDS.entries()) {
      const id = people.logins.organizations[index]?.id ?? '';
      const owner = people.actors[index]?.owner;
      if (owner === undefined) throw new Error('a demo shop has no owner');
      const shelves = await readShelves(tx, id);
      const installs = await installApps(tx, box, { organizationId: id, shelves, owner }, now);
      const past = generateYear({ kind, ...TRADE }, index, shelves, installs, now, seededRandom(index));
      const recent: RecentSale[] = [];
      await placeHistory(tx, id, collectRecent(past, installs, now, recent), { eventsSince: now });
      await seedStaging(tx, id, installs, recent, now);
    }
    await seedBilling(tx, people, now);
    await seedWebhooks(tx, box, people, now);
    await seedLeads(tx, now);
    await seedSupport(tx, people, now);
    await writeLogins(config.dataDir, people.logins);
    return people.logins;
  });
}
