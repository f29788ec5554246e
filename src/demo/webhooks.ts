import { createSubscription } from '../modules/webhooks/index.ts';
import type { Tx } from '../platform/database/index.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { DemoPeople } from './people.ts';

const DAY_MS = 86_400_000;
const SUBSCRIBED_DAYS_AGO = 200;

/** Two subscriptions each, to the receiver of the demo: see receiver.ts. */
export async function seedWebhooks(tx: Tx, box: SecretBox, people: DemoPeople, now: Date): Promise<void> {
  for (const [index, { id: organizationId, owner }] of people.logins.organizations.entries()) {
    const actor = people.actors[index]?.owner;
    if (actor === undefined) throw new Error('a demo shop has no owner');
    const host = owner.email.slice(owner.email.indexOf('@') + 1);
    const input = {
      organizationId,
      url: `https://erp.${host}/hooks/orders`,
      description: 'ERP bridge (demo)',
      eventTypes: [],
      now: new Date(now.getTime() - SUBSCRIBED_DAYS_AGO * DAY_MS),
    };
    // The older one is there to be deleted by the examples of the reference.
    const old = { ...input, url: `https://erp.${host}/hooks/archive`, description: 'Archive (demo)' };
    await createSubscription(tx, box, { ...old, eventTypes: ['order.deleted'] }, actor);
    await createSubscription(tx, box, { ...input, now: new Date(input.now.getTime() + DAY_MS) }, actor);
  }
}
