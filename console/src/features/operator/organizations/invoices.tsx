import type { Row } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useFormat, useLanguage, useWords } from '../../../i18n/index.ts';
import { useApi, useExplainError, useRead } from '../../../platform/index.ts';
import { saveFile } from '../../../platform/save-file.ts';
import { Badge, Button, type Column, DataTable, showToast } from '../../../ui/index.ts';
import { extentOfData, ListCard } from '../../../ui/list/index.ts';
import { dayOf } from '../parts/days.ts';
import { useOperatorWords, useSay } from '../parts/say.ts';
import { feeTone } from '../parts/tones.ts';
import { organizationsWords } from './words.ts';

const PER_PAGE = 6;

export function OrganizationInvoices({ id }: { id: string }): ReactNode {
  const t = useWords(organizationsWords);
  const shared = useOperatorWords();
  const say = useSay();
  const { money, date, locale } = useFormat();
  const [page, setPage] = useState(1);
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const invoices = useRead(
    'listOrganizationInvoices',
    { path: { id }, query: { page, limit: PER_PAGE } },
    { keepPrevious: true },
  );
  const api = useApi();
  const language = useLanguage();
  const explain = useExplainError();
  const pdf = useMutation({
    mutationFn: async (number: string) =>
      saveFile(
        `${number}.pdf`,
        await api.call('getOrganizationInvoicePdf', { path: { id, number }, query: { language } }),
      ),
    onError: (error) => showToast({ tone: 'bad', text: explain(error).title }),
  });
  const columns: Column<Row<'listOrganizationInvoices'>>[] = [
    {
      id: 'number',
      title: t('invoice'),
      width: 'minmax(110px, 1.4fr)',
      render: ({ number, period }) => (
        <span className="ui-cell-two">
          <span className="ltr">{number}</span>
          <span className="soft small">{month.format(new Date(period))}</span>
        </span>
      ),
    },
    {
      id: 'status',
      title: shared('status'),
      width: '110px',
      render: ({ status }) => <Badge tone={feeTone(status)}>{say('fee', status)}</Badge>,
    },
    { id: 'due', title: t('due'), width: '116px', from: 'wide', render: ({ due_date }) => date(dayOf(due_date)) },
    {
      id: 'total',
      title: shared('amount'),
      width: '116px',
      end: true,
      render: ({ total_sar, vat_sar }) => (
        <span className="ui-cell-two">
          <span>{money(total_sar)}</span>
          <span className="soft small">{t('vatIn', { vat: money(vat_sar) })}</span>
        </span>
      ),
    },
    {
      id: 'pdf',
      title: t('pdf'),
      width: '52px',
      end: true,
      render: ({ number }) => (
        <Button
          look="quiet"
          size="small"
          icon="export"
          aria-label={t('downloadInvoice', { number })}
          isPending={pdf.isPending && pdf.variables === number}
          onPress={() => pdf.mutate(number)}
        />
      ),
    },
  ];
  return (
    <ListCard
      title={t('invoices')}
      answer={invoices}
      extentOf={extentOfData}
      pager={{ page, perPage: PER_PAGE, onPage: setPage, hideSinglePage: true }}
      empty={{ icon: 'payments', title: t('noInvoices'), hint: t('noInvoicesHint') }}
    >
      {({ data }) => <DataTable label={t('invoices')} columns={columns} rows={data} keyOf={({ number }) => number} />}
    </ListCard>
  );
}
