import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react';
import { useWords } from '../../i18n/index.ts';
import { PickerSpace } from '../../ui/picker-space.tsx';
import type { GroupPicker } from './group-picker.tsx';
import { productsWords } from './products/words.ts';

// 54 kB that the rows do not wait for.
const LatePicker = lazy(async () => ({ default: (await import('./group-picker.tsx')).GroupPicker }));

/** Filters products by brand and category. */
export function GroupFilters(props: {
  search: { brand?: string; category?: string };
  onFilter(change: { brand: string | undefined } | { category: string | undefined }): void;
}): ReactNode {
  const t = useWords(productsWords);
  const { search, onFilter } = props;
  return (
    <>
      <Filter kind="brand" placeholder={t('brandFilter')} id={search.brand} onChoose={(brand) => onFilter({ brand })} />
      <Filter
        kind="category"
        placeholder={t('categoryFilter')}
        id={search.category}
        onChoose={(category) => onFilter({ category })}
      />
    </>
  );
}

function Filter(props: Omit<ComponentProps<typeof GroupPicker>, 'hideLabel'> & { placeholder: string }): ReactNode {
  return (
    <Suspense fallback={<PickerSpace placeholder={props.placeholder} />}>
      <LatePicker {...props} hideLabel />
    </Suspense>
  );
}
