import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { commonWords, useWords } from '../../i18n/index.ts';
import { Button } from '../button.tsx';
import type { IconName } from '../icon.tsx';
import { Loaded } from '../loaded.tsx';
import { Pager } from '../pager.tsx';
import { Card, EmptyState } from '../parts.tsx';

/** How many rows an answer holds and how many there are on all pages; `page` and `perPage` as the service applied them. */
export type Extent = { shown: number; total: number; page?: number; perPage?: number };

/** Of the usual answer of a paged list. */
export function extentOfData(answer: { data: readonly unknown[]; total_count: number; page: number }): Extent {
  return { shown: answer.data.length, total: answer.total_count, page: answer.page };
}

type Empty = { icon?: IconName; title: string; hint?: ReactNode; action?: ReactNode };

export type ListCardProps<Data> = {
  title?: string;
  answer: UseQueryResult<Data>;
  extentOf(data: NoInfer<Data>): Extent;
  skeletonRows?: number;
  /** Shown when there is nothing to list. */
  empty: Empty;
  /** Shown when the filters exclude every row. */
  noMatch?: Omit<Empty, 'icon'>;
  /** Absent for a list that comes whole. */
  pager?: { page: number; perPage?: number; onPage(page: number): void; hideSinglePage?: boolean };
  isFiltered?: boolean;
  onClear?: () => void;
  /** Above the rows. */
  notice?: ReactNode;
  /** Below the rows: `BulkBar`. */
  bulk?: ReactNode;
  children(data: NoInfer<Data>): ReactNode;
};

/** A card with a list in it. */
export function ListCard<Data>(props: ListCardProps<Data>): ReactNode {
  const { title, notice, bulk } = props;
  return (
    <Card flush {...(title !== undefined && { title })}>
      {notice}
      <ListRows {...props} />
      {bulk}
    </Card>
  );
}

/** The rows of a list with their pager, or why there are none: loading, failed, empty, no match. */
export function ListRows<Data>(props: Omit<ListCardProps<Data>, 'title' | 'notice' | 'bulk'>): ReactNode {
  const { answer, extentOf, skeletonRows = 8, children } = props;
  return (
    <Loaded of={answer} rows={skeletonRows}>
      {(data) => {
        const extent = extentOf(data);
        if (extent.shown === 0) return <NoRows {...props} />;
        return (
          <>
            {children(data)}
            <ListPager extent={extent} pager={props.pager} />
          </>
        );
      }}
    </Loaded>
  );
}

function ListPager(props: { extent: Extent; pager: ListCardProps<never>['pager'] }): ReactNode {
  const { extent, pager } = props;
  const perPage = extent.perPage ?? pager?.perPage ?? extent.shown;
  if (pager === undefined || (pager.hideSinglePage === true && extent.total <= perPage)) return null;
  return (
    <div className="ui-list-pager">
      <Pager page={extent.page ?? pager.page} perPage={perPage} total={extent.total} onPage={pager.onPage} />
    </div>
  );
}

function NoRows(props: Pick<ListCardProps<never>, 'empty' | 'noMatch' | 'isFiltered' | 'onClear'>): ReactNode {
  const t = useWords(commonWords);
  const { empty, noMatch, isFiltered, onClear } = props;
  if (isFiltered !== true) return <EmptyState {...empty} />;
  return (
    <EmptyState
      {...(empty.icon && { icon: empty.icon })}
      {...(noMatch ?? empty)}
      action={onClear !== undefined && <Button onPress={onClear}>{t('clearFilters')}</Button>}
    />
  );
}
