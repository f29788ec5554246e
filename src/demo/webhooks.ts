import { createSubscription } from '../modules/webhooks/index.ts';
import type { Tx } from '../platform/database/index.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { DemoPeople } from './people.ts';

const DAY_MS = 86_400_000;
const SUBSCRIBED_DAYS_AGO = 200;

/** A subscription each, to the receiver that the service itself plays. */
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
    await createSubscription(tx, box, input, actor);
  }
}
