import type { ReactNode } from 'react';
import { useWords } from '../../i18n/index.ts';
import { GroupPicker } from './group-picker.tsx';
import { productsWords } from './products/words.ts';

/** Filters products by brand and category. */
export function GroupFilters(props: {
  search: { brand?: string; category?: string };
  onFilter(change: { brand: string | undefined } | { category: string | undefined }): void;
}): ReactNode {
  const t = useWords(productsWords);
  const { search, onFilter } = props;
  return (
    <>
      <GroupPicker
        kind="brand"
        hideLabel
        placeholder={t('brandFilter')}
        id={search.brand}
        onChoose={(brand) => onFilter({ brand })}
      />
      <GroupPicker
        kind="category"
        hideLabel
        placeholder={t('categoryFilter')}
        id={search.category}
        onChoose={(category) => onFilter({ category })}
      />
    </>
  );
}
