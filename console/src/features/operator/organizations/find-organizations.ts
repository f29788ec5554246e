import type { Dukkan } from '@dukkan/sdk';
import type { Found } from '../../../platform/index.ts';

const AT_MOST = 6;

export async function find(api: Dukkan, text: string, signal: AbortSignal): Promise<Found[]> {
  const { data } = await api.call('listFleetOrganizations', { query: { search: text, limit: AT_MOST }, signal });
  return data.map(({ id, name_en, name_ar }) => ({
    id,
    text: name_en,
    note: name_ar,
    to: `/operator/organizations/${id}`,
  }));
}
