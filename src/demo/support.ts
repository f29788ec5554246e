import { grantSupportAccess, requestSupportAccess, seedPastVisit } from '../modules/identity/index.ts';
import type { Tx } from '../platform/database/index.ts';
import type { DemoPeople } from './people.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const EDITED_PRODUCT = 'PAIN-0001';

/**
 * The first organization was helped once and is asked again, so that its home page shows the notice. The second has allowed support, so
 * that an operator can open it.
 */
export async function seedSupport(tx: Tx, { logins, actors, operator }: DemoPeople, now: Date): Promise<void> {
  const [first, second] = logins.organizations;
  const [ofFirst, ofSecond] = actors;
  if (first === undefined || second === undefined || ofFirst === undefined || ofSecond === undefined) return;
  const began = new Date(now.getTime() - 9 * 24 * HOUR_MS);
  const after = (minutes: number) => new Date(began.getTime() + minutes * MINUTE_MS);
  const action = (resource: string, resourceId: string, operationId: string) => ({
    action: 'support-action',
    resource,
    resourceId,
    changedFields: [operationId],
  });
  await seedPastVisit(
    tx,
    first.id,
    { owner: ofFirst.owner, operator },
    {
      request: { reason: 'طلبات المتجر الإلكتروني تصل بأسعار قديمة: نحتاج مراجعة الأصناف معكم.', at: after(0) },
      grant: { scope: 'full', hours: 8, at: after(22) },
      opened: after(25),
      did: [
        { entry: action('Products', 'exportProducts', 'exportProducts'), at: after(31) },
        { entry: action('Products', EDITED_PRODUCT, 'updateProduct'), at: after(44) },
        { entry: action('Webhooks', 'testWebhookSubscription', 'testWebhookSubscription'), at: after(52) },
      ],
      left: after(58),
      ended: after(90),
    },
  );
  const reason = 'Three payloads of the web store failed this morning. We would like to see their settings.';
  await requestSupportAccess(tx, first.id, operator, { scope: 'read', reason }, new Date(now.getTime() - 2 * HOUR_MS));
  await grantSupportAccess(
    tx,
    second.id,
    { actor: ofSecond.owner },
    { scope: 'read', hours: 72, reason: 'Month-end figures do not match our books', requestId: null },
    new Date(now.getTime() - HOUR_MS),
  );
}
