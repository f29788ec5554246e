import type { Dukkan } from '@dukkan/sdk';
import type { Found } from '../../platform/index.ts';

const AT_MOST = 6;

export async function find(api: Dukkan, text: string, signal: AbortSignal): Promise<Found[]> {
  const { data } = await api.call('listBranches', { query: { search: text, limit: AT_MOST }, signal });
  const isArabic = document.documentElement.lang === 'ar';
  return data.map(({ id, iv_id, name_en, name_ar }) => ({
    id,
    text: (isArabic ? name_ar || name_en : name_en || name_ar) || iv_id,
    note: iv_id,
    to: `/branches/${encodeURIComponent(iv_id)}`,
  }));
}
