import type { ReactNode } from 'react';
import { TimeChart } from '../../charts/index.ts';
import { useFormat, useWords } from '../../i18n/index.ts';
import { useRead } from '../../platform/index.ts';
import { Card, EmptyState, Loaded } from '../../ui/index.ts';
import { useSection } from './dashboard.ts';
import type { Range } from './ranges.ts';
import { homeWords } from './words.ts';

/** Revenue by day, with the same weekdays of last year behind it where the organization has sold for a year. */
export function Trend({ range }: { range: Range }): ReactNode {
  const t = useWords(homeWords);
  const { compact, roundMoney, change } = useFormat();
  const trends = useSection('trends', range);
  // A failure needs no message: the chart is complete without the comparison.
  const year = useRead('readLastYear', { query: { range } }, { staleTime: 300_000 }).data;
  const before = year?.is_known === true ? year.trends.map(({ revenue }) => revenue) : undefined;
  const moved = year?.change.revenue ?? null;
  return (
    <Card
      title={t('trend')}
      tools={
        before !== undefined && (
          <span className="soft small home-year">
            {t('lastYear')}
            {moved !== null && <bdi className="home-change">{change(moved / 100)}</bdi>}
          </span>
        )
      }
    >
      <div className="home-trend">
        <Loaded of={trends} rows={6}>
          {(days) =>
            days === null || days.length < 2 ? (
              <EmptyState icon="forecasts" title={t('noSales')} />
            ) : (
              <TimeChart
                label={t('trend')}
                points={days.map(({ date, revenue }) => ({ date, value: revenue }))}
                {...(before !== undefined && {
                  before,
                  formatBefore: (value: number) => t('lastYearValue', { amount: roundMoney(value) }),
                })}
                formatAxis={compact}
                formatValue={(value) => roundMoney(value)}
              />
            )
          }
        </Loaded>
      </div>
    </Card>
  );
}
