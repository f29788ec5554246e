import type { Row } from '@dukkan/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { type Column, DataTable } from '../../../ui/index.ts';
import { ListCard, useListSearch } from '../../../ui/list/index.ts';
import { extentOfItems } from '../parts/paged-items.ts';
import { useOrganizationColumn, useRecordColumns } from '../parts/record-columns.tsx';
import { useOperatorWords, useSay } from '../parts/say.ts';
import { moneyWords } from './words.ts';

const route = getRouteApi('/in/operator/money');

/** Credits, refunds and corrections: movements without a payment or a charge. */
export function Adjustments(): ReactNode {
  const t = useWords(moneyWords);
  const shared = useOperatorWords();
  const say = useSay();
  const { money } = useFormat();
  const { by, when } = useRecordColumns<Row<'listBalanceAdjustments'>>();
  const navigate = useNavigate({ from: '/operator/money' });
  const list = useListSearch(route.useSearch(), navigate, { keep: ['tab'] });
  const adjustments = useRead('listBalanceAdjustments', { query: { page: list.page } }, { keepPrevious: true });
  const columns: Column<Row<'listBalanceAdjustments'>>[] = [
    useOrganizationColumn('minmax(96px, 1.2fr)'),
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
      render: ({ note }) => <bdi title={note}>{note}</bdi>,
    },
    by,
    when,
    {
      id: 'amount',
      title: shared('amount'),
      width: '112px',
      end: true,
      render: ({ amount_sar, direction }) => money(direction === 'credit' ? amount_sar : -amount_sar),
    },
  ];
  return (
    <ListCard
      answer={adjustments}
      extentOf={extentOfItems}
      pager={{ page: list.page, onPage: list.turnTo, hideSinglePage: true }}
      empty={{ icon: 'payments', title: t('noAdjustments'), hint: t('noAdjustmentsHint') }}
    >
      {({ items }) => (
        <DataTable
          label={t('tab.adjustments')}
          columns={columns}
          rows={items}
          keyOf={({ id }) => id}
          onOpen={({ organization_id: id }) => void navigate({ to: '/operator/organizations/$id', params: { id } })}
        />
      )}
    </ListCard>
  );
}
