import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { commonWords, useWords } from '../../i18n/index.ts';
import { Button } from '../button.tsx';
import type { IconName } from '../icon.tsx';
import { Loaded } from '../loaded.tsx';
import { Pager } from '../pager.tsx';
import { Card, EmptyState } from '../parts.tsx';

/** How many rows an answer holds and how many there are on all pages. `page` where the service corrects the one asked for. */
export type Extent = { shown: number; total: number; page?: number };

/** Of the usual answer of a paged list. */
export function extentOfData(answer: { data: readonly unknown[]; total_count: number; page: number }): Extent {
  return { shown: answer.data.length, total: answer.total_count, page: answer.page };
}

type Empty = { icon?: IconName; title: string; hint?: string | undefined; action?: ReactNode };

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
  pager?: { page: number; perPage: number; onPage(page: number): void; hideSinglePage?: boolean };
  isFiltered?: boolean;
  onClear?: () => void;
  /** Above the rows. */
  notice?: ReactNode;
  /** Below the rows: `BulkBar`. */
  bulk?: ReactNode;
  children(data: NoInfer<Data>): ReactNode;
};

/** The rows of a list with their pager, or why there are none: loading, failed, empty, no match. */
export function ListCard<Data>(props: ListCardProps<Data>): ReactNode {
  const { title, answer, extentOf, skeletonRows = 8, notice, bulk, children } = props;
  return (
    <Card flush {...(title !== undefined && { title })}>
      {notice}
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
      {bulk}
    </Card>
  );
}

function ListPager(props: { extent: Extent; pager: ListCardProps<never>['pager'] }): ReactNode {
  const { extent, pager } = props;
  if (pager === undefined || (pager.hideSinglePage === true && extent.total <= pager.perPage)) return null;
  return <Pager page={extent.page ?? pager.page} perPage={pager.perPage} total={extent.total} onPage={pager.onPage} />;
}

function NoRows<Data>(props: ListCardProps<Data>): ReactNode {
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
