import type { Dukkan, Schemas } from '@dukkan/sdk';

type Sku = Schemas['Sku'];
const AT_MOST = 8;
/** Of a name: variants of one product are shown as one, so more are read than are shown. */
const OF_NAME_AT_MOST = 24;
export const SHOWN_AT_MOST = 8;

/** `3*6281086010242`: three of it. */
export function readEntry(text: string): { quantity: number; wanted: string } {
  const [, times, rest] = /^(\d{1,4}(?:\.\d{1,3})?)\s*[*×]\s*(.*)$/.exec(text.trim()) ?? [];
  const quantity = Number(times);
  return quantity > 0 ? { quantity, wanted: rest ?? '' } : { quantity: 1, wanted: text.trim() };
}

export const looksLikeBarcode = (text: string) => /^[0-9]{6,}$/.test(text);

export function searchByName(api: Dukkan, branch: string, text: string, signal: AbortSignal): Promise<Sku[]> {
  return searchGoods(api, branch, text, OF_NAME_AT_MOST, signal);
}

async function searchGoods(api: Dukkan, branch: string, text: string, limit: number, signal?: AbortSignal) {
  const { data } = await api.call('listSkus', {
    query: { search: text, branch_iv_id: branch, is_enabled: true, limit, sort: 'name_en' },
    ...(signal && { signal }),
  });
  return data;
}

/**
 * Finds the SKU of a scanned code. The SKU search matches parts of a barcode and does not return it, so among several
 * matches the product with exactly this barcode decides.
 */
export async function lookUp(api: Dukkan, branch: string, code: string): Promise<Sku | Sku[]> {
  const skus = await searchGoods(api, branch, code, AT_MOST);
  const [only, ...others] = skus;
  if (only !== undefined && others.length === 0) return only;
  const named = skus.find(({ iv_id, product_iv_id }) => [iv_id, product_iv_id].includes(code));
  if (named !== undefined || skus.length === 0) return named ?? [];
  const { data } = await api.call('listProducts', { query: { search: code, limit: 100 } });
  const product = data.find(({ barcode }) => barcode === code);
  return skus.find(({ product_iv_id }) => product_iv_id === product?.iv_id) ?? skus;
}
