import type { Row } from '@dukkan/sdk';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { Badge, type Column, DataTable, type Tone } from '../../../ui/index.ts';
import { extentOfData, ListRows } from '../../../ui/list/index.ts';
import { invoiceWords } from './invoice-words.ts';

type Invoice = Row<'listOwnInvoices'>;
const PER_PAGE = 25;
const TONES: Record<string, Tone> = { pending: 'info', overdue: 'bad', paid: 'good' };
const InvoiceDialog = lazy(() => import('./invoice-dialog.tsx'));

/** Tax invoices for the fees of each month. A row opens it for printing. */
export function Invoices(): ReactNode {
  const t = useWords(invoiceWords);
  const [page, setPage] = useState(1);
  const [open, setOpen] = useState<string | undefined>(undefined);
  const invoices = useRead('listOwnInvoices', { query: { page, limit: PER_PAGE } }, { keepPrevious: true });
  return (
    <>
      <ListRows
        answer={invoices}
        extentOf={extentOfData}
        skeletonRows={6}
        pager={{ page, perPage: PER_PAGE, onPage: setPage, hideSinglePage: true }}
        empty={{ icon: 'payments', title: t('empty'), hint: t('emptyHint') }}
      >
        {({ data }) => <InvoicesTable rows={data} onOpen={({ number }) => setOpen(number)} />}
      </ListRows>
      {open !== undefined && (
        <Suspense>
          <InvoiceDialog number={open} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  );
}

function InvoicesTable({ rows, onOpen }: { rows: readonly Invoice[]; onOpen(invoice: Invoice): void }): ReactNode {
  const t = useWords(invoiceWords);
  const { money, date, locale } = useFormat();
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const columns: Column<Invoice>[] = [
    {
      id: 'number',
      title: t('invoice'),
      width: 'minmax(96px, 1.4fr)',
      render: ({ number, period }) => (
        <span className="ui-cell-two">
          <span className="ltr strong">{number}</span>
          <span className="soft small">{month.format(new Date(period))}</span>
        </span>
      ),
    },
    {
      id: 'status',
      title: t('state'),
      width: '84px',
      render: ({ status }) => (
        <Badge tone={TONES[status] ?? 'plain'}>
          {status === 'paid' || status === 'overdue' || status === 'pending' ? t(`status.${status}`) : status}
        </Badge>
      ),
    },
    { id: 'issued', title: t('issued'), width: '116px', from: 'medium', render: ({ issued_at }) => date(issued_at) },
    { id: 'due', title: t('due'), width: '116px', from: 'wide', render: ({ due_date }) => date(due_date) },
    { id: 'vat', title: t('vat'), width: '96px', end: true, from: 'wide', render: ({ vat_sar }) => money(vat_sar) },
    { id: 'total', title: t('total'), width: '116px', end: true, render: ({ total_sar }) => money(total_sar) },
  ];
  return (
    <DataTable label={t('invoices')} columns={columns} rows={rows} keyOf={({ number }) => number} onOpen={onOpen} />
  );
}
