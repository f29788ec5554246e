import type { Answer } from '@dukkan/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { Card, EmptyState, Loaded } from '../../../ui/index.ts';
import { overviewWords } from './words.ts';

export type Books = UseQueryResult<Answer<'readAccountingOverview'>>;

/** One bar of the outstanding amount by age. Labels and sums stand below it, so the colours carry no information alone. */
export function Receivables({ of }: { of: Books }): ReactNode {
  const t = useWords(overviewWords);
  const { money, percent } = useFormat();
  return (
    <Card title={t('receivables')}>
      <Loaded of={of} rows={3}>
        {({ receivables, totals }) => {
          const total = totals.outstanding_branch_fees_sar;
          if (total === 0) return <EmptyState icon="check" title={t('nothingOwed')} hint={t('nothingOwedHint')} />;
          const ages = [
            ['current', receivables.current_sar],
            ['30', receivables.days_1_to_30_sar],
            ['60', receivables.days_31_to_60_sar],
            ['61', receivables.days_61_plus_sar],
          ] as const;
          return (
            <>
              <div className="overview-ages" aria-hidden="true">
                {ages
                  .filter(([, amount]) => amount > 0)
                  .map(([age, amount]) => (
                    <span key={age} data-age={age} style={{ flexGrow: amount }} />
                  ))}
              </div>
              <dl className="overview-age-list">
                {ages.map(([age, amount]) => (
                  <div key={age}>
                    <dt className="soft small">
                      <span className="overview-dot" data-age={age} />
                      {t(`age.${age}`)}
                    </dt>
                    <dd>
                      <bdi className="strong">{money(amount)}</bdi>{' '}
                      <bdi className="soft small">{percent(amount / total)}</bdi>
                    </dd>
                  </div>
                ))}
              </dl>
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}
