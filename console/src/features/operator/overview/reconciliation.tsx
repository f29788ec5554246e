import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { Card, Loaded, Notice } from '../../../ui/index.ts';
import type { Books } from './receivables.tsx';
import { overviewWords } from './words.ts';

/** Compares received payments with the ledger, and explains a difference in a sentence. */
export function Reconciliation({ of }: { of: Books }): ReactNode {
  const t = useWords(overviewWords);
  const { money } = useFormat();
  return (
    <Card title={t('reconciliation')}>
      <Loaded of={of} rows={2}>
        {({ reconciliation: { successful_payments_sar, ledger_credits_sar, variance_sar } }) => {
          if (variance_sar === 0)
            return <Notice tone="good">{t('agrees', { amount: money(successful_payments_sar) })}</Notice>;
          const values = {
            variance: money(Math.abs(successful_payments_sar - ledger_credits_sar)),
            payments: money(successful_payments_sar),
            ledger: money(ledger_credits_sar),
          };
          return (
            <Notice tone="bad">
              {successful_payments_sar > ledger_credits_sar ? t('ledgerLess', values) : t('ledgerMore', values)}
              <div className="small">{t('lookAt')}</div>
            </Notice>
          );
        }}
      </Loaded>
    </Card>
  );
}
