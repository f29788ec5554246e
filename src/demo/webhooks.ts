import { changeSubscription, createSubscription } from '../modules/webhooks/index.ts';
import type { Tx } from '../platform/database/index.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { DemoLogins } from './logins.ts';

/** A subscription each, paused: its receiver is made up, and a failing one would be the first thing a visitor sees. */
export async function seedWebhooks(tx: Tx, box: SecretBox, logins: DemoLogins, now: Date): Promise<void> {
  for (const { id: organizationId, owner } of logins.organizations) {
    const host = owner.email.slice(owner.email.indexOf('@') + 1);
    const { subscription } = await createSubscription(tx, box, {
      organizationId,
      url: `https://erp.${host}/hooks/orders`,
      description: 'ERP bridge (demo)',
      eventTypes: [],
      now,
    });
    await changeSubscription(tx, { organizationId, id: subscription.id }, { status: 'paused' }, now);
  }
}
