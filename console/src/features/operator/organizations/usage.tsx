import { type ReactNode, useState } from 'react';
import { TimeChart } from '../../../charts/index.ts';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { Card, Facts, Loaded, Segments } from '../../../ui/index.ts';
import { organizationsWords } from './words.ts';

const MEASURES = ['orders', 'webhook_deliveries', 'ingest'] as const;
type Measure = (typeof MEASURES)[number];

/** What the organization uses, by day of the last 30. */
export function Usage({ id }: { id: string }): ReactNode {
  const t = useWords(organizationsWords);
  const { number } = useFormat();
  const [measure, setMeasure] = useState<Measure>('orders');
  const usage = useRead('readOrganizationUsage', { path: { id } });
  return (
    <Card title={t('usage')}>
      <Loaded of={usage} rows={6}>
        {({ days, totals, users, branches, products }) => (
          <div className="operator-stack">
            <Segments<Measure>
              label={t('usage')}
              value={measure}
              onChange={setMeasure}
              options={MEASURES.map((value) => ({ value, text: t(`usage.${value}`) }))}
            />
            <TimeChart
              label={t(`usage.${measure}`)}
              height={160}
              points={days.map((day) => ({ date: day.date, value: day[measure] }))}
              formatAxis={number}
              formatValue={number}
            />
            <Facts
              facts={[
                ...MEASURES.map((name) => [t(`usage.${name}`), number(totals[name])] as const),
                [t('people'), number(users)],
                [t('branches'), number(branches)],
                [t('products'), number(products)],
              ]}
            />
          </div>
        )}
      </Loaded>
    </Card>
  );
}
