import type { Schemas } from '@dukkan/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { FanChart, type Point } from '../../charts/index.ts';
import { useFormat, useWords } from '../../i18n/index.ts';
import { useRead } from '../../platform/index.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Badge, Card, EmptyState, Facts, Loaded, Page, Segments } from '../../ui/index.ts';
import './forecasts.css';
import { Stale, whileStale } from './stale.tsx';
import { useBranchNames } from './use-branch-names.ts';
import { WeekdayProfile } from './weekday-profile.tsx';
import { forecastsWords } from './words.ts';

const route = getRouteApi('/in/forecasts/$sku');
type Forecast = Schemas['SensyForecast'];
const HORIZONS = ['14', '30', '90'] as const;
type Horizon = (typeof HORIZONS)[number];
const DAYS_BACK = '90';
const AT_MOST = 20;

export function ForecastPage(): ReactNode {
  const t = useWords(forecastsWords);
  const { sku } = route.useParams();
  const [horizon, setHorizon] = useState<Horizon>('30');
  const forecasts = useRead(
    'readSensy',
    { query: { search: sku, horizon: Number(horizon), range: DAYS_BACK, limit: AT_MOST } },
    { keepPrevious: true, ...whileStale },
  );
  return (
    <Loaded of={forecasts} rows={10}>
      {({ items, stale }) => {
        // The search also finds SKUs whose code only contains this one.
        const item = items.find(({ sku_id }) => sku_id === sku);
        if (item === undefined) {
          return (
            <Page title={sku}>
              <EmptyState icon="forecasts" title={t('missing')} hint={t('missingHint')} action={<Back />} />
            </Page>
          );
        }
        return <OneForecast item={item} isStale={stale} horizon={horizon} onHorizon={setHorizon} />;
      }}
    </Loaded>
  );
}

function Back(): ReactNode {
  const t = useWords(forecastsWords);
  return <BackLink to="/forecasts">{t('back')}</BackLink>;
}

function OneForecast(props: {
  item: Forecast;
  isStale: boolean;
  horizon: Horizon;
  onHorizon(horizon: Horizon): void;
}): ReactNode {
  const { item, isStale, horizon, onHorizon } = props;
  const t = useWords(forecastsWords);
  const { number, language } = useFormat();
  const past = useRead('readConsumption', {
    query: { search: item.sku_id, range: DAYS_BACK, limit: AT_MOST },
  });
  const daily = past.data?.items.find(({ sku_id }) => sku_id === item.sku_id)?.daily ?? [];
  // The same span of past and forecast.
  const shown = daily.slice(-Math.max(30, Number(horizon)));
  const points: Point[] = [
    ...shown.map(({ date, qty }) => ({ date, value: qty })),
    ...item.forecast.map(({ date, qty, lo, hi }) => ({ date, value: qty, lo, hi, isForecast: true })),
  ];
  const name = language === 'ar' ? item.product_name_ar : item.product_name_en;
  return (
    <Page title={name} note={<Back />}>
      <Stale isStale={isStale} />
      <p className="forecast-sentence">{item.explanation[language]}</p>
      <div className="forecast-columns">
        <div className="forecast-column">
          <Card
            title={t('chart')}
            tools={
              <Segments
                label={t('horizon')}
                value={horizon}
                onChange={onHorizon}
                options={HORIZONS.map((value) => ({ value, text: t('days', { count: Number(value) }) }))}
              />
            }
          >
            <FanChart
              label={t('chart')}
              points={points}
              height={260}
              formatAxis={number}
              formatValue={(value) => number(Math.round(value * 10) / 10)}
            />
            <p className="soft small">{t('chartNote')}</p>
          </Card>
          <Card title={t('weekdays')} tools={<span className="soft small">{t('weekdaysNote')}</span>}>
            <WeekdayProfile profile={item.weekday_profile} />
          </Card>
        </div>
        <div className="forecast-column">
          <Plan item={item} days={Number(horizon)} />
          <How item={item} />
        </div>
      </div>
    </Page>
  );
}

function Plan({ item, days }: { item: Forecast; days: number }): ReactNode {
  const t = useWords(forecastsWords);
  const { number, percent, date, hijri } = useFormat();
  const { suggested_order_date: orderDate, cover_p50_date: until, cover_p10_date: worst } = item;
  const isNow = orderDate !== null && orderDate <= (item.forecast[0]?.date ?? '');
  const day = (value: string) => (
    <>
      {date(value)}
      <div className="soft small">{hijri(value)}</div>
    </>
  );
  return (
    <Card title={t('plan')}>
      <div className="forecast-order">
        <div>
          <span className="soft">{t('orderQty')}</span>
          <strong>{item.suggested_order_qty === 0 ? '—' : number(item.suggested_order_qty)}</strong>
        </div>
        <div>
          <span className="soft">{t('orderDate')}</span>
          {orderDate === null ? t('nothingToOrder') : isNow ? <Badge tone="warn">{t('now')}</Badge> : day(orderDate)}
        </div>
      </div>
      <Facts
        facts={[
          [t('stock'), number(item.current_qty)],
          [
            t('cover'),
            item.current_qty <= 0 ? (
              <Badge key="cover" tone="bad">
                {t('emptyShelf')}
              </Badge>
            ) : item.days_of_cover === null ? (
              t('longTime')
            ) : (
              t('days', { count: item.days_of_cover })
            ),
          ],
          until === null || item.current_qty <= 0 ? undefined : [t('coverUntil'), day(until)],
          worst === null || item.current_qty <= 0 ? undefined : [t('coverWorst'), day(worst)],
          item.current_qty <= 0
            ? undefined
            : [
                t('risk', { days: t('days', { count: days }) }),
                percent(Math.round(item.stockout_probability * 100) / 100),
              ],
          [t('reorderPoint'), number(item.reorder_point)],
          [t('leadTimeFact'), t('days', { count: item.lead_time_days })],
          [t('serviceFact'), percent(item.service_level)],
        ]}
      />
    </Card>
  );
}

function How({ item }: { item: Forecast }): ReactNode {
  const t = useWords(forecastsWords);
  const { percent, date, list } = useFormat();
  const { nameOf } = useBranchNames();
  const { wape } = item.backtest;
  return (
    <Card title={t('how')}>
      <Facts
        facts={[
          [t('branch'), nameOf(item.branch_iv_id)],
          [
            t('openSku'),
            <span key="sku" className="ltr">
              {item.sku_id}
            </span>,
          ],
          [t('demandClass'), t(`class.${item.demand_class}`)],
          [t('method'), list(methodParts(item.method).map((part) => t(`method.${part}`)))],
          [t('history'), t('days', { count: item.history_days })],
          [t('historyUntil'), date(item.history_until)],
          wape === null ? undefined : [t('error'), t('errorNote', { share: percent(wape) })],
        ]}
      />
    </Card>
  );
}

const PARTS = ['replay', 'promotion', 'price'] as const;

/** `replay + price`: what the service calls the parts of it. */
function methodParts(method: string): (typeof PARTS)[number][] {
  const named = method.split(' + ');
  return PARTS.filter((part) => named.includes(part));
}
