import type { Schemas } from '@dukkan/sdk';
import { type ReactNode, useState } from 'react';
import { useFormat, useLanguage, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { type Column, DataTable } from '../../../ui/index.ts';
import { extentOfData, ListRows } from '../../../ui/list/index.ts';
import { billingWords } from './words.ts';

type Movement = Schemas['LedgerEntry'];
const PER_PAGE = 25;

export function Ledger(): ReactNode {
  const t = useWords(billingWords);
  const [page, setPage] = useState(1);
  const ledger = useRead('listOwnLedger', { query: { page, limit: PER_PAGE } }, { keepPrevious: true });
  return (
    <ListRows
      answer={ledger}
      extentOf={extentOfData}
      skeletonRows={6}
      pager={{ page, perPage: PER_PAGE, onPage: setPage, hideSinglePage: true }}
      empty={{ icon: 'payments', title: t('ledgerEmpty'), hint: t('ledgerEmptyHint') }}
    >
      {({ data }) => <LedgerTable rows={data} />}
    </ListRows>
  );
}

function LedgerTable({ rows }: { rows: readonly Movement[] }): ReactNode {
  const t = useWords(billingWords);
  const words: Partial<Record<string, unknown>> = billingWords[useLanguage()];
  const { money, date, dateTime, hijri } = useFormat();
  const columns: Column<Movement>[] = [
    {
      id: 'entry',
      title: t('entry'),
      width: 'minmax(90px, 1.2fr)',
      render: ({ entry_type, note }) => {
        const known = words[`entry.${entry_type}`];
        return (
          <span className="ui-cell-two">
            <span>{typeof known === 'string' ? known : entry_type}</span>
            {note !== '' && <span className="soft small clip">{note}</span>}
          </span>
        );
      },
    },
    {
      id: 'reference',
      title: t('reference'),
      width: 'minmax(120px, 1fr)',
      from: 'medium',
      render: ({ reference }) => <span className="ltr soft">{reference}</span>,
    },
    {
      id: 'by',
      title: t('by'),
      width: 'minmax(110px, 1fr)',
      from: 'wide',
      render: ({ created_by }) => <span className="soft">{created_by}</span>,
    },
    {
      id: 'when',
      title: t('when'),
      width: '104px',
      render: ({ created }) => (
        <time dateTime={created} title={`${dateTime(created)} · ${hijri(created)}`} className="soft">
          {date(created)}
        </time>
      ),
    },
    {
      id: 'total',
      title: t('total'),
      width: '124px',
      end: true,
      // Credits and debits differ by sign and by colour.
      render: ({ direction, total_sar }) => (
        <span data-direction={direction} className="settings-movement">
          {direction === 'credit' ? '+' : '−'}
          {money(total_sar)}
        </span>
      ),
    },
  ];
  return <DataTable label={t('ledger')} columns={columns} rows={rows} keyOf={({ id }) => id} />;
}
