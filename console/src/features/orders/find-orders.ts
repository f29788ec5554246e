import type { Dukkan } from '@dukkan/sdk';
import type { Found } from '../../platform/index.ts';

const AT_MOST = 6;

export async function find(api: Dukkan, text: string, signal: AbortSignal): Promise<Found[]> {
  const { orders } = await api.call('listOrders', {
    query: { search: text, limit: AT_MOST, format: 'canonical' },
    signal,
  });
  return orders.map(({ id, external, customer }) => ({
    id,
    text: external.code,
    to: `/orders/${id}`,
    ...(customer.name === null ? {} : { note: customer.name }),
  }));
}
