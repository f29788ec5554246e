import type { Schemas } from '@dukkan/sdk';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Sparkline } from '../../charts/index.ts';
import { useFormat, useWords } from '../../i18n/index.ts';
import { useRead } from '../../platform/index.ts';
import { Badge, type Column, DataTable, type Tone } from '../../ui/index.ts';
import type { ListSearch } from '../../ui/list/index.ts';
import { ForecastCard } from './forecast-card.tsx';
import type { ForecastsSearch } from './forecast-search.ts';
import { Cover, queryOf } from './order-table.tsx';
import { useSkuColumns } from './sku-columns.tsx';
import { Stale, whileStale } from './stale.tsx';
import { forecastsWords } from './words.ts';

type Consumption = Schemas['Consumption'];
const TONES: Record<Consumption['trend']['direction'], Tone> = {
  rising: 'good',
  steady: 'plain',
  falling: 'warn',
  new: 'info',
  none: 'plain',
};

/** The consumption of each SKU: past, trend and forecast. */
export function ConsumptionTable({ list }: { list: ListSearch<ForecastsSearch> }): ReactNode {
  const t = useWords(forecastsWords);
  const query = { ...queryOf(list.search), range: list.search.range ?? '30' };
  const consumption = useRead('readConsumption', { query }, { keepPrevious: true, ...whileStale });
  return (
    <>
      <Stale isStale={consumption.data?.stale ?? false} />
      <ForecastCard list={list} answer={consumption} empty={{ title: t('empty'), hint: t('emptyHint') }}>
        {({ items }) => <Rows items={items} />}
      </ForecastCard>
    </>
  );
}

function Rows({ items }: { items: readonly Consumption[] }): ReactNode {
  const t = useWords(forecastsWords);
  const navigate = useNavigate();
  const { number, change } = useFormat();
  const shared = useSkuColumns<Consumption>();
  const columns: Column<Consumption>[] = [
    { ...shared.product, width: 'minmax(150px, 2.6fr)' },
    { ...shared.branch, width: 'minmax(110px, 1.1fr)', from: 'wide' },
    {
      id: 'shape',
      title: t('column.shape'),
      width: '90px',
      from: 'medium',
      render: ({ daily }) => <Sparkline values={daily.map(({ qty }) => qty)} />,
    },
    {
      id: 'used',
      title: t('column.used'),
      width: '64px',
      end: true,
      render: ({ used_qty }) => <strong>{number(used_qty)}</strong>,
    },
    {
      id: 'perDay',
      title: t('column.perDay'),
      width: '64px',
      end: true,
      from: 'medium',
      render: ({ daily_use }) => number(Math.round(daily_use * 10) / 10),
    },
    {
      id: 'trend',
      title: t('column.trend'),
      width: '132px',
      from: 'medium',
      render: ({ trend }) => (
        <Badge tone={TONES[trend.direction]}>
          {t(`trend.${trend.direction}`)}
          {trend.change !== null && trend.direction !== 'steady' && ` ${change(trend.change)}`}
        </Badge>
      ),
    },
    {
      id: 'projected',
      title: t('column.projected'),
      width: '92px',
      end: true,
      from: 'wide',
      render: ({ projected_use }) => number(Math.round(projected_use)),
    },
    {
      id: 'cover',
      title: t('column.cover'),
      width: '84px',
      from: 'wide',
      render: (item) => <Cover item={item} />,
    },
  ];
  return (
    <DataTable
      label={t('tab.consumption')}
      columns={columns}
      rows={items}
      keyOf={({ sku_id }) => sku_id}
      onOpen={({ sku_id }) => void navigate({ to: '/forecasts/$sku', params: { sku: sku_id } })}
    />
  );
}
