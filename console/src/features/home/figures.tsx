import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { useLive, useRead, useReadAgain } from '../../platform/index.ts';
import { ErrorState, Skeleton } from '../../ui/index.ts';
import { useSection } from './dashboard.ts';
import type { Range } from './ranges.ts';
import { homeWords } from './words.ts';

const AGAIN_AFTER_MS = 2_000;

/** This minute: read again while orders come in, at most every two seconds. */
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
            <Link to="/orders" search={{ status: 'RECEIVED' }}>
              {number(data.open)}
            </Link>
          )
        }
      />
      <Figure
        name={t('late')}
        value={data && number(data.late)}
        tone={data !== undefined && data.late > 0 ? 'bad' : undefined}
      />
    </section>
  );
}

export function Figures({ range }: { range: Range }): ReactNode {
  const t = useWords(homeWords);
  const { number, roundMoney, money } = useFormat();
  const summary = useSection('summary', range);
  if (summary.isError) {
    return (
      <section className="ui-card" aria-label={t('figures')}>
        <ErrorState error={summary.error} onRetry={() => void summary.refetch()} />
      </section>
    );
  }
  const data = summary.data ?? undefined;
  const change = data?.change;
  const isAwaited = data === undefined;
  return (
    <section className="home-figures" data-many aria-label={t('figures')}>
      <Figure
        name={t('revenue')}
        value={data && roundMoney(data.revenue, data.currency)}
        change={change?.revenue}
        awaitsChange={isAwaited}
      />
      <Figure name={t('orders')} value={data && number(data.orders)} change={change?.orders} awaitsChange={isAwaited} />
      <Figure
        name={t('average')}
        value={data && money(data.average_order_value, data.currency)}
        change={change?.average_order_value}
        awaitsChange={isAwaited}
      />
      <Figure name={t('units')} value={data && number(data.units)} change={change?.units} awaitsChange={isAwaited} />
      <Figure
        name={t('customers')}
        value={data && number(data.customers)}
        change={change?.customers}
        awaitsChange={isAwaited}
      />
      <Figure
        name={t('cancelled')}
        value={data && number(data.cancelled)}
        change={change?.cancelled}
        awaitsChange={isAwaited}
        lessIsBetter
      />
    </section>
  );
}

function Figure(props: {
  name: string;
  value: ReactNode;
  change?: number | null | undefined;
  lessIsBetter?: boolean;
  /** The change comes with the value. */
  awaitsChange?: boolean;
  tone?: 'bad' | undefined;
}): ReactNode {
  const t = useWords(homeWords);
  const { change: formatChange } = useFormat();
  const { name, value, change, lessIsBetter = false, awaitsChange = false, tone } = props;
  const isGood = change != null && change !== 0 && change > 0 !== lessIsBetter;
  return (
    <div className="home-figure" data-tone={tone}>
      <span className="soft small">{name}</span>
      <strong>{value ?? <Skeleton width="70%" height="26px" />}</strong>
      {change !== undefined && (
        <span className="home-change" data-good={isGood || undefined} data-bad={(!isGood && !!change) || undefined}>
          {change === null ? '—' : formatChange(change / 100)}
          <span className="visually-hidden"> {t('against')}</span>
        </span>
      )}
      {/* Its line is kept, so that nothing below moves when it comes. */}
      {change === undefined && awaitsChange && <span className="home-change">&nbsp;</span>}
    </div>
  );
}
