import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWords } from '../../i18n/index.ts';
import { ListCard, type ListSearch } from '../../ui/list/index.ts';
import { type ForecastsSearch, PER_PAGE } from './forecast-search.ts';
import { forecastsWords } from './words.ts';

/** The list of either tab. */
export function ForecastCard<Data extends { items: readonly unknown[]; total_count: number; page: number }>(props: {
  list: ListSearch<ForecastsSearch>;
  answer: UseQueryResult<Data>;
  empty: { title: string; hint: string; action?: ReactNode };
  children(data: NoInfer<Data>): ReactNode;
}): ReactNode {
  const t = useWords(forecastsWords);
  const { list, answer, empty, children } = props;
  return (
    <ListCard
      answer={answer}
      extentOf={({ items, total_count, page }) => ({ shown: items.length, total: total_count, page })}
      pager={{ page: list.page, perPage: PER_PAGE, onPage: list.turnTo }}
      isFiltered={list.isFiltered}
      onClear={list.clear}
      skeletonRows={10}
      empty={{ icon: 'forecasts', ...empty }}
      noMatch={{ title: t('nothing'), hint: t('nothingHint') }}
    >
      {children}
    </ListCard>
  );
}
