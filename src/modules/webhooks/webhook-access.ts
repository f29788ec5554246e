import { type Action, tenant, tenantOf } from '../identity/index.ts';
import type { SubscriptionKey } from './manage-subscriptions.ts';

export const webhooks = (action: Action) => tenant(action, 'Webhooks', { branchConfined: 'refused' });
/** Sets where events go, or the secret that signs them: never done by support. */
export const webhookTarget = tenant('update', 'Webhooks', { branchConfined: 'refused', support: 'refused' });

/** The subscription of the path, in the caller's organization. */
export function keyOf(request: Parameters<typeof tenantOf>[0]): SubscriptionKey {
  return { organizationId: tenantOf(request).organizationId, id: (request.params as { id: string }).id };
}
