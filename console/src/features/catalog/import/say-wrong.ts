import { useWords } from '../../../i18n/index.ts';
import type { Wrong } from './product-rows.ts';
import { importWords } from './words.ts';

export function useSayWrong(): (wrong: Wrong) => string {
  const t = useWords(importWords);
  return (wrong) => {
    switch (wrong.kind) {
      case 'needed':
        return t('wrong.needed', wrong);
      case 'positive':
        return t('wrong.positive', wrong);
      case 'long':
        return t('wrong.long', wrong);
      case 'number':
        return t('wrong.number', wrong);
      case 'boolean':
        return t('wrong.boolean', wrong);
      case 'range':
        return t('wrong.range', wrong);
      case 'repeated':
        return t('wrong.repeated', wrong);
      case 'barcode':
        return t('wrong.barcode', wrong);
      case 'brand':
        return t('wrong.brand', wrong);
      case 'category':
        return t('wrong.category', wrong);
      case 'cells':
        return t('wrong.cells');
    }
  };
}
