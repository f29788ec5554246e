import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { useLive, useRead, useReadAgain } from '../../platform/index.ts';
import { ErrorState, Skeleton } from '../../ui/index.ts';
import { type Sections, useSection } from './dashboard.ts';
import type { Range } from './ranges.ts';
import { homeWords } from './words.ts';

type Summary = NonNullable<Sections['summary']>;
const AGAIN_AFTER_MS = 2_000;

/** Current figures: read again while orders arrive, at most every two seconds. */
export function Now(): ReactNode {
  const t = useWords(homeWords);
  const { number, roundMoney } = useFormat();
  const now = useRead('readOrdersDashboard', {}, { staleTime: AGAIN_AFTER_MS, refetchInterval: 60_000 });
  const readAgain = useReadAgain();
  useLive(() => {
    if (now.isStale && !now.isFetching) void readAgain('readOrdersDashboard');
  });
  if (now.isError && now.data === undefined) {
    return (
      <section className="ui-card" aria-label={t('now')}>
        <ErrorState error={now.error} onRetry={() => void now.refetch()} />
      </section>
    );
  }
  const { data } = now;
  return (
    <section className="home-figures" aria-label={t('now')}>
      <Figure name={t('today')} value={data && number(data.today.orders)} />
      <Figure name={t('todayRevenue')} value={data && roundMoney(data.today.revenue)} />
      <Figure
        name={t('open')}
        value={
          data && (
            <Link to="/orders" search={{ state: 'open' }}>
              {number(data.open)}
            </Link>
          )
        }
      />
      <Figure
        name={t('late')}
        value={
          data && (
            <Link to="/orders" search={{ state: 'late' }}>
              {number(data.late)}
            </Link>
          )
        }
        tone={data !== undefined && data.late > 0 ? 'bad' : undefined}
      />
    </section>
  );
}

/** When the figures of the range were read. */
export function UpdatedAt({ range }: { range: Range }): ReactNode {
  const t = useWords(homeWords);
  const { time } = useFormat();
  const { dataUpdatedAt } = useSection('summary', range);
  return dataUpdatedAt > 0 && ` · ${t('updatedAt', { time: time(dataUpdatedAt) })}`;
}

export function Figures({ range }: { range: Range }): ReactNode {
  const t = useWords(homeWords);
  const { number, roundMoney, money } = useFormat();
  const summary = useSection('summary', range);
  if (summary.isError && summary.data === undefined) {
    return (
      <section className="ui-card" aria-label={t('figures')}>
        <ErrorState error={summary.error} onRetry={() => void summary.refetch()} />
      </section>
    );
  }
  const data = summary.data ?? undefined;
  const changeOf = (figure: keyof Summary['change']) => (data === undefined ? 'awaited' : data.change[figure]);
  return (
    <section className="home-figures" data-many aria-label={t('figures')}>
      <Figure
        name={t('revenue')}
        value={data && roundMoney(data.revenue, data.currency)}
        change={changeOf('revenue')}
      />
      <Figure name={t('orders')} value={data && number(data.orders)} change={changeOf('orders')} />
      <Figure
        name={t('average')}
        value={data && money(data.average_order_value, data.currency)}
        change={changeOf('average_order_value')}
      />
      <Figure name={t('units')} value={data && number(data.units)} change={changeOf('units')} />
      <Figure name={t('customers')} value={data && number(data.customers)} change={changeOf('customers')} />
      <Figure
        name={t('cancelled')}
        value={data && number(data.cancelled)}
        change={changeOf('cancelled')}
        lessIsBetter
      />
    </section>
  );
}

function Figure(props: {
  name: string;
  value: ReactNode;
  /** In percent; null where there was nothing before. While it loads its line is reserved, so that nothing below moves. */
  change?: number | null | 'awaited';
  lessIsBetter?: boolean;
  tone?: 'bad' | undefined;
}): ReactNode {
  const t = useWords(homeWords);
  const { change: formatChange } = useFormat();
  const { name, value, change, lessIsBetter = false, tone } = props;
  const isGood = typeof change === 'number' && change !== 0 && change > 0 !== lessIsBetter;
  return (
    <div className="home-figure" data-tone={tone}>
      <span className="soft small">{name}</span>
      <strong>{value ?? <Skeleton width="70%" height="26px" />}</strong>
      {change === 'awaited' && <span className="home-change">&nbsp;</span>}
      {change !== 'awaited' && change !== undefined && (
        <span className="home-change" data-good={isGood || undefined} data-bad={(!isGood && !!change) || undefined}>
          {change === null ? '—' : formatChange(change / 100)}
          <span className="visually-hidden"> {t('against')}</span>
        </span>
      )}
    </div>
  );
}
