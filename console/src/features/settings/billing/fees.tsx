import type { Schemas } from '@dukkan/sdk';
import { type ReactNode, useState } from 'react';
import { useFormat, useLanguage, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { useBranchNameOfCode } from '../../../ui/branch-names.ts';
import { Badge, type Column, DataTable, type Tone } from '../../../ui/index.ts';
import { extentOfData, ListRows } from '../../../ui/list/index.ts';
import { billingWords } from './words.ts';

type Fee = Schemas['BranchFee'];
const PER_PAGE = 25;
const TONES: Record<string, Tone> = { pending: 'info', overdue: 'bad', paid: 'good', void: 'plain' };

export function Fees(): ReactNode {
  const t = useWords(billingWords);
  const [page, setPage] = useState(1);
  const fees = useRead('listOwnFees', { query: { page, limit: PER_PAGE } }, { keepPrevious: true });
  return (
    <ListRows
      answer={fees}
      extentOf={extentOfData}
      skeletonRows={6}
      pager={{ page, perPage: PER_PAGE, onPage: setPage, hideSinglePage: true }}
      empty={{ icon: 'payments', title: t('feesEmpty'), hint: t('feesEmptyHint') }}
    >
      {({ data }) => <FeesTable rows={data} />}
    </ListRows>
  );
}

function FeesTable({ rows }: { rows: readonly Fee[] }): ReactNode {
  const t = useWords(billingWords);
  const words: Partial<Record<string, unknown>> = billingWords[useLanguage()];
  const branchName = useBranchNameOfCode();
  const { money, date, locale } = useFormat();
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const columns: Column<Fee>[] = [
    {
      id: 'of',
      title: t('of'),
      width: 'minmax(90px, 1.4fr)',
      render: ({ kind, branch_iv_id, service_code, period }) => (
        <span className="ui-cell-two">
          <bdi className="clip">{kind === 'service' ? service_code : branchName(branch_iv_id ?? '')}</bdi>
          <span className="soft small">
            {month.format(new Date(period))}
            {kind === 'service' && ` · ${t('service')}`}
          </span>
        </span>
      ),
    },
    {
      id: 'state',
      title: t('state'),
      width: '84px',
      render: ({ status }) => {
        const known = words[`fee.${status}`];
        return <Badge tone={TONES[status] ?? 'plain'}>{typeof known === 'string' ? known : status}</Badge>;
      },
    },
    { id: 'due', title: t('due'), width: '116px', from: 'medium', render: ({ due_date }) => date(due_date) },
    {
      id: 'amount',
      title: t('amount'),
      width: '110px',
      end: true,
      from: 'wide',
      render: (fee) => money(fee.amount_sar),
    },
    { id: 'vat', title: t('vat'), width: '96px', end: true, from: 'wide', render: (fee) => money(fee.vat_sar) },
    { id: 'total', title: t('total'), width: '116px', end: true, render: (fee) => money(fee.total_sar) },
    {
      id: 'left',
      title: t('left'),
      width: '116px',
      end: true,
      from: 'medium',
      render: ({ outstanding_sar }) =>
        outstanding_sar === 0 ? <span className="soft">—</span> : <strong>{money(outstanding_sar)}</strong>,
    },
  ];
  return <DataTable label={t('fees')} columns={columns} rows={rows} keyOf={({ id }) => id} />;
}
