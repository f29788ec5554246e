import type { Row } from '@dukkan/sdk';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { Badge, type Column, DataTable } from '../../../ui/index.ts';
import { ListCard, useListSearch } from '../../../ui/list/index.ts';
import { extentOfItems } from '../parts/paged-items.ts';
import { useOrganizationColumn, useRecordColumns } from '../parts/record-columns.tsx';
import { useOperatorWords, useSay } from '../parts/say.ts';
import { paidTone } from '../parts/tones.ts';
import { moneyWords } from './words.ts';

const route = getRouteApi('/in/operator/money');

export function Payments(): ReactNode {
  const t = useWords(moneyWords);
  const shared = useOperatorWords();
  const say = useSay();
  const { money } = useFormat();
  const { by, when } = useRecordColumns<Row<'listRecentPayments'>>();
  const navigate = useNavigate({ from: '/operator/money' });
  const list = useListSearch(route.useSearch(), navigate, { keep: ['tab'] });
  const payments = useRead('listRecentPayments', { query: { page: list.page } }, { keepPrevious: true });
  const columns: Column<Row<'listRecentPayments'>>[] = [
    useOrganizationColumn('minmax(96px, 1.4fr)'),
    {
      id: 'method',
      title: t('method'),
      width: '120px',
      from: 'medium',
      render: ({ method }) => say('method', method),
    },
    {
      id: 'reference',
      title: t('reference'),
      width: 'minmax(110px, 1fr)',
      from: 'medium',
      render: ({ reference }) => <span className="ltr">{reference}</span>,
    },
    by,
    {
      id: 'status',
      title: shared('status'),
      width: '100px',
      render: ({ status }) => <Badge tone={paidTone(status)}>{say('paid', status)}</Badge>,
    },
    when,
    {
      id: 'amount',
      title: shared('amount'),
      width: '112px',
      end: true,
      render: ({ total_sar }) => money(total_sar),
    },
  ];
  return (
    <ListCard
      answer={payments}
      extentOf={extentOfItems}
      pager={{ page: list.page, onPage: list.turnTo, hideSinglePage: true }}
      empty={{
        icon: 'payments',
        title: t('noPayments'),
        hint: t('noPaymentsHint'),
        action: <Link to="/operator/organizations">{t('toOrganizations')}</Link>,
      }}
    >
      {({ items }) => (
        <DataTable
          label={t('tab.payments')}
          columns={columns}
          rows={items}
          keyOf={({ id }) => id}
          onOpen={({ organization_id: id }) => void navigate({ to: '/operator/organizations/$id', params: { id } })}
        />
      )}
    </ListCard>
  );
}
