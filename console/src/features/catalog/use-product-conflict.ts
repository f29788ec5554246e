import { useFormat, useWords } from '../../i18n/index.ts';
import { useConflictChoice } from '../../ui/conflict/index.ts';
import { productsWords } from './products/words.ts';

const FIELDS = ['name_en', 'name_ar', 'average_price', 'vat_value', 'barcode', 'generic_id', 'is_enabled'] as const;

/** The choice between two versions of a product's fields. */
export function useProductConflict() {
  const t = useWords(productsWords);
  const { money, number } = useFormat();
  const labelOf = (field: string) => {
    if (field === 'brand_id' || field === 'category_id') return t(`field.${field}`);
    const known = FIELDS.find((one) => one === field);
    return known === undefined ? field : t(`field.${known}`);
  };
  return useConflictChoice(labelOf, (field, value) => {
    if (field === 'average_price') return money(Number(value));
    return field === 'vat_value' ? `${number(Number(value))}%` : undefined;
  });
}
