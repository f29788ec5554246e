import type { Schemas } from '@dukkan/sdk';

const BEFORE_DISPATCH: readonly string[] = ['received', 'ready_for_pickup', 'pending_payment'];

/** Until it is dispatched, and unless it belongs to a channel, whose next update would overwrite the edit. */
export function isEditable({ status, channel }: Pick<Schemas['CanonicalOrder'], 'status' | 'channel'>): boolean {
  return BEFORE_DISPATCH.includes(status) && !channel.organization_app_id;
}
