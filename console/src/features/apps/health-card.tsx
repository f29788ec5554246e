import type { Schemas } from '@dukkan/sdk';
import type { CSSProperties, ReactNode } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { useRead } from '../../platform/index.ts';
import { Card, Loaded } from '../../ui/index.ts';
import type { Install } from './families.ts';
import { healthWords } from './health-words.ts';

type Day = Schemas['AppHealth']['data'][number];

/** Received payloads by day; the failed part of a day stands out. */
export function HealthCard({ install }: { install: Install }): ReactNode {
  const t = useWords(healthWords);
  const { number } = useFormat();
  const health = useRead('readAppHealth', { path: { id: install.id }, query: {} }, { staleTime: 60_000 });
  return (
    <Card title={t('health')}>
      <Loaded of={health} rows={2}>
        {({ data }) => {
          const received = data.reduce((sum, day) => sum + day.received, 0);
          const failed = data.reduce((sum, day) => sum + day.failed, 0);
          if (received === 0) return <p className="soft">{t('healthNone')}</p>;
          const sum = t('healthSum', { received: number(received), failed: number(failed) });
          return (
            <>
              <DayBars days={data} label={sum} />
              <p className="soft small">{sum}</p>
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

function DayBars({ days, label }: { days: readonly Day[]; label: string }): ReactNode {
  const t = useWords(healthWords);
  const { number, shortDate } = useFormat();
  const most = Math.max(...days.map(({ received }) => received));
  const share = (count: number) => `${(100 * count) / most}%`;
  return (
    <div className="apps-health" role="img" aria-label={label}>
      {days.map(({ date, received, failed }) => (
        <span
          key={date}
          title={t('healthDay', {
            day: shortDate(`${date}T12:00:00Z`),
            received: number(received),
            failed: number(failed),
          })}
          style={
            { '--received': share(received), '--failed-share': received === 0 ? 0 : failed / received } as CSSProperties
          }
        />
      ))}
    </div>
  );
}
