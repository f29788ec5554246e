import type { Dukkan } from '@dukkan/sdk';
import type { Found } from '../../platform/index.ts';

const AT_MOST = 6;

export async function find(api: Dukkan, text: string, signal: AbortSignal): Promise<Found[]> {
  const { data } = await api.call('listCustomers', { query: { search: text, limit: AT_MOST }, signal });
  return data.map(({ id, name, phone, email }) => {
    const contact = phone ?? email ?? '';
    return { id, text: name ?? contact, to: `/customers/${id}`, ...(name !== null && { note: contact }) };
  });
}
