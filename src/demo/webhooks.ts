import { changeSubscription, createSubscription } from '../modules/webhooks/index.ts';
import type { Tx } from '../platform/database/index.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { DemoPeople } from './people.ts';

/** A subscription each, paused: its receiver is made up, and a failing one would be the first thing a visitor sees. */
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
      now,
    };
    const { subscription } = await createSubscription(tx, box, input, actor);
    await changeSubscription(tx, { organizationId, id: subscription.id }, { status: 'paused' }, actor, now);
  }
}
