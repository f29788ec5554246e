import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { FigureStrip } from '../../../ui/figure-strip.tsx';
import { Card, ErrorState, Page } from '../../../ui/index.ts';
import { LatestFees, Ledger } from './fees.tsx';
import { Fleet, Largest, Needs } from './fleet.tsx';
import './overview.css';
import { Receivables } from './receivables.tsx';
import { Reconciliation } from './reconciliation.tsx';
import { overviewWords } from './words.ts';

/** Revenue and receivables, reconciliation, and what needs attention. */
export function OverviewPage(): ReactNode {
  const t = useWords(overviewWords);
  const { date, hijri, weekday, roundMoney } = useFormat();
  const books = useRead('readAccountingOverview', {}, { refetchInterval: 60_000 });
  const totals = books.data?.totals;
  const receivables = books.data?.receivables;
  const now = new Date();
  return (
    <Page
      title={t('title')}
      note={`${weekday(now)} ${date(now)} · ${hijri(now)}`}
      tools={<Link to="/operator/money">{t('allPayments')}</Link>}
    >
      {books.isError && books.data === undefined ? (
        <Card>
          <ErrorState error={books.error} onRetry={() => void books.refetch()} />
        </Card>
      ) : (
        <FigureStrip
          label={t('figures')}
          figures={[
            {
              name: t('collected30'),
              value: totals && roundMoney(totals.cash_collected_30d_sar),
              note: totals && t('collectedEver', { amount: roundMoney(totals.cash_collected_sar) }),
            },
            { name: t('outstanding'), value: totals && roundMoney(totals.outstanding_branch_fees_sar) },
            {
              name: t('overdue'),
              value: totals && roundMoney(totals.overdue_branch_fees_sar),
              tone: totals !== undefined && totals.overdue_branch_fees_sar > 0 ? 'bad' : undefined,
              note:
                receivables &&
                (receivables.overdue_rows === 0
                  ? t('nothingOverdue')
                  : t('overdueFees', { count: receivables.overdue_rows })),
            },
            { name: t('wallets'), value: totals && roundMoney(totals.wallet_balance_sar), note: t('walletsNote') },
            { name: t('revenue'), value: totals && roundMoney(totals.net_revenue_sar), note: t('revenueNote') },
            { name: t('vat'), value: totals && roundMoney(totals.recognized_vat_sar) },
          ]}
        />
      )}
      <div className="operator-columns">
        <div className="operator-column">
          <Receivables of={books} />
          <LatestFees of={books} />
          <Ledger of={books} />
        </div>
        <div className="operator-column">
          <Needs />
          <Reconciliation of={books} />
          <Fleet />
          <Largest />
        </div>
      </div>
    </Page>
  );
}
