import type { Schemas } from '@dukkan/sdk';
import { orderWords, useWords } from '../i18n/index.ts';

/** The word for an order's status. A sale at the counter is completed, not delivered. */
export function useOrderStatus(): (status: Schemas['OrderStatus'], appSlug: string) => string {
  const t = useWords(orderWords);
  return (status, appSlug) => t(status === 'delivered' && appSlug === 'till' ? 'status.completed' : `status.${status}`);
}
