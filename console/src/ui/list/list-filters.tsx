import type { ReactNode } from 'react';
import { commonWords, useWords } from '../../i18n/index.ts';
import { Button } from '../button.tsx';
import { DebouncedSearch } from '../debounced-search.tsx';

/** The row above a list: search, filters, and a button that removes them. */
export function ListFilters(props: {
  search?: { label: string; placeholder?: string; text: string | undefined; onText(text: string): void };
  /** Absent while nothing is filtered. */
  onClear?: (() => void) | undefined;
  /** At the end of the row: a button that creates something. */
  tools?: ReactNode;
  children?: ReactNode;
}): ReactNode {
  const t = useWords(commonWords);
  const { search, onClear, tools, children } = props;
  return (
    <search className="ui-list-filters">
      {search !== undefined && <DebouncedSearch {...search} text={search.text ?? ''} />}
      {children}
      {onClear !== undefined && (
        <Button look="quiet" onPress={onClear}>
          {t('clearFilters')}
        </Button>
      )}
      {tools !== undefined && <span className="ui-list-filters-tools">{tools}</span>}
    </search>
  );
}
