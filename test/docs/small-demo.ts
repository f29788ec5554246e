import { readShelves } from '../../src/demo/baskets.ts';
import { seedBilling } from '../../src/demo/billing.ts';
import { seedCatalog } from '../../src/demo/catalog.ts';
import { installChannels } from '../../src/demo/channels.ts';
import { seedLeads } from '../../src/demo/leads.ts';
import { type DemoLogins, writeLogins } from '../../src/demo/logins.ts';
import { tellYear } from '../../src/demo/orders.ts';
import { createPeople } from '../../src/demo/people.ts';
import { seededRandom } from '../../src/demo/random.ts';
import { seedWebhooks } from '../../src/demo/webhooks.ts';
import { placeHistory } from '../../src/modules/orders/index.ts';
import { inTransaction } from '../../src/platform/database/index.ts';
import type { Platform } from '../../src/platform/platform.ts';

const TRADE = { orders: 100, buyers: 20 };
const KINDS = ['pharmacy', 'grocery'] as const;

/** The demo but for its year of trade, which is twenty thousand orders and most of the time it takes. */
export function loadSmallDemo({ sql, clock, box, config }: Platform): Promise<DemoLogins> {
  return inTransaction(sql, async (tx) => {
    const now = clock.now();
    const people = await createPeople(tx, now);
    await seedCatalog(tx, people, now);
    for (const [index, kind] of KINDS.entries()) {
      const id = people.logins.organizations[index]?.id ?? '';
      const installs = await installChannels(tx, id, now);
      const past = tellYear({ kind, ...TRADE }, index, await readShelves(tx, id), installs, now, seededRandom(index));
      await placeHistory(tx, id, past, { tellSince: now });
    }
    await seedBilling(tx, people.logins, now);
    await seedWebhooks(tx, box, people, now);
    await seedLeads(tx, now);
    await writeLogins(config.dataDir, people.logins);
    return people.logins;
  });
}
