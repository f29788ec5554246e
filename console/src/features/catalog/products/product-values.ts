import type { Schemas } from '@dukkan/sdk';
import { useWords } from '../../../i18n/index.ts';
import { readNumber } from '../read-number.ts';
import { productsWords } from './words.ts';

export type Product = Schemas['Product'];
export type ProductValues = Omit<Schemas['ProductReplacement'], 'iv_id'>;

export type SaveValues = (change: ProductValues) => Promise<unknown>;
export type BulkChange = (product: Product) => ProductValues;

export const LONGEST = { iv_id: 50, name_en: 255, name_ar: 255, barcode: 50, generic_id: 255 } as const;
export const DEFAULT_VAT = '15';
const HIGHEST_PRICE = 1e12;

/** The editable fields of a product: a replacement also sends the unchanged ones. */
export function valuesOf(product: Product): ProductValues {
  const { name_en, name_ar, average_price, vat_value, barcode, brand_id, category_id, generic_id, is_enabled } =
    product;
  return { name_en, name_ar, average_price, vat_value, barcode, brand_id, category_id, generic_id, is_enabled };
}

/** Validates a value; returns the error text. */
export function useChecks() {
  const t = useWords(productsWords);
  const within = (text: string, from: number, to: number, said: string) => {
    const value = readNumber(text);
    if (value === undefined) return t('notANumber');
    return value < from || value > to ? said : undefined;
  };
  return {
    text: (field: keyof typeof LONGEST) => (text: string) =>
      text.length > LONGEST[field] ? t('tooLong', { count: LONGEST[field] }) : undefined,
    price: (text: string) => within(text, 0, HIGHEST_PRICE, t('priceRange')),
    vat: (text: string) => within(text, 0, 100, t('vatRange')),
    stock: (text: string) => within(text, -HIGHEST_PRICE, HIGHEST_PRICE, t('notANumber')),
  };
}
