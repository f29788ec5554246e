import type { Row } from '@dukkan/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { Card, type Column, EmptyState, Loaded } from '../../../ui/index.ts';
import { PagedTable } from '../parts/paged-table.tsx';
import { present } from '../parts/present.ts';
import { useOperatorWords, useSay } from '../parts/say.ts';
import { useTenantName } from '../parts/tenants.ts';
import { moneyWords } from './words.ts';

const route = getRouteApi('/in/operator/money');

/** Credits, refunds and corrections: what moved without anybody having paid or been charged. */
export function Adjustments(): ReactNode {
  const t = useWords(moneyWords);
  const shared = useOperatorWords();
  const say = useSay();
  const tenant = useTenantName();
  const { money, date, dateTime, hijri } = useFormat();
  const { page = 1 } = route.useSearch();
  const navigate = useNavigate({ from: '/operator/money' });
  const adjustments = useRead('listBalanceAdjustments', { query: { page } }, { keepPrevious: true });
  const columns: Column<Row<'listBalanceAdjustments'>>[] = [
    {
      id: 'organization',
      title: shared('organization'),
      width: 'minmax(96px, 1.2fr)',
      render: (one) => tenant(one.organization_id, one.organization_name_en),
    },
    {
      id: 'kind',
      title: t('kind'),
      width: '120px',
      from: 'medium',
      render: ({ entry_type }) => say('entry', entry_type),
    },
    {
      id: 'note',
      title: shared('note'),
      width: 'minmax(120px, 2fr)',
      from: 'medium',
      render: ({ note }) => <span title={note}>{note}</span>,
    },
    {
      id: 'by',
      title: shared('by'),
      width: 'minmax(110px, 1fr)',
      from: 'wide',
      render: ({ created_by }) => <span className="soft ltr">{created_by}</span>,
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
      render: ({ amount_sar, direction }) => money(direction === 'credit' ? amount_sar : -amount_sar),
    },
  ];
  return (
    <Card flush>
      <Loaded of={adjustments} rows={8}>
        {({ items, perPage, totalItems }) =>
          totalItems === 0 ? (
            <EmptyState icon="payments" title={t('noAdjustments')} hint={t('noAdjustmentsHint')} />
          ) : (
            <PagedTable
              label={t('tab.adjustments')}
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
