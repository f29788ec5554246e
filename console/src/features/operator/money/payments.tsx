import type { Row } from '@dukkan/sdk';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { Badge, Card, type Column, EmptyState, Loaded } from '../../../ui/index.ts';
import { PagedTable } from '../parts/paged-table.tsx';
import { present } from '../parts/present.ts';
import { useOperatorWords, useSay } from '../parts/say.ts';
import { useTenantName } from '../parts/tenants.ts';
import { paidTone } from '../parts/tones.ts';
import { moneyWords } from './words.ts';

const route = getRouteApi('/in/operator/money');

export function Payments(): ReactNode {
  const t = useWords(moneyWords);
  const shared = useOperatorWords();
  const say = useSay();
  const tenant = useTenantName();
  const { money, date, dateTime, hijri } = useFormat();
  const { page = 1 } = route.useSearch();
  const navigate = useNavigate({ from: '/operator/money' });
  const payments = useRead('listRecentPayments', { query: { page } }, { keepPrevious: true });
  const columns: Column<Row<'listRecentPayments'>>[] = [
    {
      id: 'organization',
      title: shared('organization'),
      width: 'minmax(96px, 1.4fr)',
      render: (one) => tenant(one.organization_id, one.organization_name_en),
    },
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
    {
      id: 'by',
      title: shared('by'),
      width: 'minmax(110px, 1fr)',
      from: 'wide',
      render: ({ created_by }) => <span className="soft ltr">{created_by}</span>,
    },
    {
      id: 'status',
      title: shared('status'),
      width: '100px',
      from: 'wide',
      render: ({ status }) => <Badge tone={paidTone(status)}>{say('paid', status)}</Badge>,
    },
    {
      id: 'when',
      title: shared('when'),
      width: '100px',
      render: ({ created }) => (
        <time dateTime={created} title={`${dateTime(created)} · ${hijri(created)}`} className="soft">
          {date(created)}
        </time>
      ),
    },
    {
      id: 'amount',
      title: shared('amount'),
      width: '112px',
      end: true,
      render: ({ total_sar }) => money(total_sar),
    },
  ];
  return (
    <Card flush>
      <Loaded of={payments} rows={8}>
        {({ items, perPage, totalItems }) =>
          totalItems === 0 ? (
            <EmptyState
              icon="payments"
              title={t('noPayments')}
              hint={t('noPaymentsHint')}
              action={<Link to="/operator/organizations">{t('toOrganizations')}</Link>}
            />
          ) : (
            <PagedTable
              label={t('tab.payments')}
              columns={columns}
              rows={items}
              keyOf={({ id }) => id}
              onOpen={({ organization_id: id }) => void navigate({ to: '/operator/organizations/$id', params: { id } })}
              page={page}
              perPage={perPage}
              total={totalItems}
              onPage={(next) => void navigate({ search: (before) => present({ ...before, page: next }) })}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
