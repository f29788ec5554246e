import type { Schemas } from '@dukkan/sdk';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { useRead } from '../../platform/index.ts';
import { Badge, Button, type Column, DataTable } from '../../ui/index.ts';
import type { ListSearch } from '../../ui/list/index.ts';
import { ForecastCard } from './forecast-card.tsx';
import { type ForecastsSearch, PER_PAGE } from './forecast-search.ts';
import { useSkuColumns } from './sku-columns.tsx';
import { Stale, whileStale } from './stale.tsx';
import { forecastsWords } from './words.ts';

type Forecast = Schemas['SensyForecast'];

/** SKUs to reorder, the ones most at risk first, as the service sorts them. */
export function OrderTable(props: { list: ListSearch<ForecastsSearch>; onUpload?(): void }): ReactNode {
  const t = useWords(forecastsWords);
  const { list, onUpload } = props;
  const forecasts = useRead('readSensy', { query: queryOf(list.search) }, { keepPrevious: true, ...whileStale });
  const answer = forecasts.data;
  const action = onUpload && { action: <Button onPress={onUpload}>{t('emptyAction')}</Button> };
  return (
    <>
      <Stale isStale={answer?.stale ?? false} />
      {answer !== undefined && answer.items.length > 0 && <Totals totals={answer.totals} />}
      <ForecastCard list={list} answer={forecasts} empty={{ title: t('empty'), hint: t('emptyHint'), ...action }}>
        {({ items }) => <Rows items={items} />}
      </ForecastCard>
    </>
  );
}

function Totals({ totals }: { totals: Schemas['Sensy']['totals'] }): ReactNode {
  const t = useWords(forecastsWords);
  const { number } = useFormat();
  return (
    <dl className="forecasts-totals">
      <div data-tone={totals.to_order_now > 0 ? 'warn' : undefined}>
        <dt>{t('total.order')}</dt>
        <dd>
          {number(totals.to_order_now)}
          <span className="soft small">{t('total.orderQty', { count: totals.suggested_order_qty })}</span>
        </dd>
      </div>
      <div data-tone={totals.out_of_stock > 0 ? 'bad' : undefined}>
        <dt>{t('total.out')}</dt>
        <dd>{number(totals.out_of_stock)}</dd>
      </div>
      <div>
        <dt>{t('total.risk')}</dt>
        <dd>{number(totals.at_risk)}</dd>
      </div>
      <div>
        <dt>{t('total.skus')}</dt>
        <dd>{number(totals.skus)}</dd>
      </div>
    </dl>
  );
}

function Rows({ items }: { items: readonly Forecast[] }): ReactNode {
  const t = useWords(forecastsWords);
  const navigate = useNavigate();
  const { number, percent, shortDate } = useFormat();
  const shared = useSkuColumns<Forecast>();
  const columns: Column<Forecast>[] = [
    { ...shared.product, width: 'minmax(150px, 2.2fr)' },
    { ...shared.branch, width: 'minmax(110px, 1.2fr)', from: 'medium' },
    {
      id: 'stock',
      title: t('column.stock'),
      width: '84px',
      end: true,
      from: 'medium',
      render: ({ current_qty }) => number(current_qty),
    },
    {
      id: 'cover',
      title: t('column.cover'),
      width: '110px',
      // As the number before it: at the start it read as one with it, "13 1 day".
      end: true,
      from: 'wide',
      render: (item) => <Cover item={item} />,
    },
    {
      id: 'risk',
      title: t('column.risk'),
      width: '90px',
      from: 'wide',
      // The risk is that of running out: what is out of stock already has none.
      render: ({ stockout_probability: risk, current_qty }) =>
        current_qty <= 0 ? (
          <span className="soft">—</span>
        ) : (
          <Badge tone={risk > 0.5 ? 'bad' : risk > 0.1 ? 'warn' : 'plain'}>
            {percent(Math.round(risk * 100) / 100)}
          </Badge>
        ),
    },
    {
      id: 'date',
      title: t('column.orderDate'),
      width: '100px',
      from: 'medium',
      render: (item) => <OrderDate item={item} shortDate={shortDate} />,
    },
    {
      id: 'quantity',
      title: t('column.orderQty'),
      width: '90px',
      end: true,
      render: ({ suggested_order_qty }) =>
        suggested_order_qty === 0 ? <span className="soft">—</span> : <strong>{number(suggested_order_qty)}</strong>,
    },
  ];
  return (
    <DataTable
      label={t('tab.order')}
      columns={columns}
      rows={items}
      keyOf={({ sku_id }) => sku_id}
      onOpen={({ sku_id }) => void navigate({ to: '/forecasts/$sku', params: { sku: sku_id } })}
    />
  );
}

export function Cover({ item }: { item: Pick<Forecast, 'days_of_cover' | 'current_qty'> }): ReactNode {
  const t = useWords(forecastsWords);
  if (item.current_qty <= 0) return <Badge tone="bad">{t('emptyShelf')}</Badge>;
  return item.days_of_cover === null ? t('longTime') : t('days', { count: item.days_of_cover });
}

function OrderDate({ item, shortDate }: { item: Forecast; shortDate(day: string): string }): ReactNode {
  const t = useWords(forecastsWords);
  const { suggested_order_date: date, forecast } = item;
  if (date === null) return <span className="soft">{t('nothingToOrder')}</span>;
  return date <= (forecast[0]?.date ?? '') ? <Badge tone="warn">{t('now')}</Badge> : shortDate(date);
}

export function queryOf({ search, branch, page }: ForecastsSearch) {
  return {
    limit: PER_PAGE,
    page: page ?? 1,
    ...(search && { search }),
    ...(branch && { branch_iv_id: branch }),
  } as const;
}
