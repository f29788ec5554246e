import type { Answer, Row } from '@dukkan/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { Badge, Card, type Column, DataTable, EmptyState, Loaded } from '../../../ui/index.ts';
import { extentOfData, ListCard, useListSearch } from '../../../ui/list/index.ts';
import { dayOf, daysOverdue } from '../parts/days.ts';
import { useRecordColumns } from '../parts/record-columns.tsx';
import { useOperatorWords, useSay } from '../parts/say.ts';
import { applicationWords } from '../parts/words.ts';
import type { Tenant } from './tenant.ts';
import { organizationsWords } from './words.ts';

const route = getRouteApi('/in/operator/organizations/$id');
type Fee = Answer<'previewTenantCredit'>['applications'][number];
const PER_PAGE = 20;

/** Only the organization can list its fees; a preview of a credit over the outstanding amount returns exactly the open ones. */
export function OpenFees({ one }: { one: Tenant }): ReactNode {
  const t = useWords(organizationsWords);
  const shared = useOperatorWords();
  const words = useWords(applicationWords);
  const { money, date } = useFormat();
  const owed = one.outstanding_sar;
  const fees = useRead(
    'previewTenantCredit',
    { query: { organization_id: one.id, amount_sar: owed } },
    { enabled: owed > 0, keepPrevious: true },
  );
  const columns: Column<Fee>[] = [
    {
      id: 'fee',
      title: words('fee'),
      width: 'minmax(100px, 1.2fr)',
      render: ({ branch_iv_id }) =>
        branch_iv_id === '' ? words('serviceFee') : <span className="ltr">{branch_iv_id}</span>,
    },
    {
      id: 'due',
      title: words('due'),
      width: 'minmax(110px, 1fr)',
      render: ({ due_date }) => date(dayOf(due_date)),
    },
    {
      id: 'status',
      title: shared('status'),
      width: 'minmax(130px, 1fr)',
      render: ({ due_date }) => {
        const late = daysOverdue(due_date);
        return late > 0 ? (
          <Badge tone="bad">{shared('overdueBy', { count: late })}</Badge>
        ) : (
          <Badge tone="info">{shared('fee.pending')}</Badge>
        );
      },
    },
    {
      id: 'owed',
      title: words('owed'),
      width: 'minmax(112px, 1fr)',
      end: true,
      render: ({ outstanding_sar }) => money(outstanding_sar),
    },
  ];
  return (
    <Card flush title={t('openFees')}>
      {owed === 0 ? (
        <EmptyState icon="check" title={t('noFees')} hint={t('noFeesHint')} />
      ) : (
        <Loaded of={fees} rows={3}>
          {({ applications }) => (
            <DataTable label={t('openFees')} columns={columns} rows={applications} keyOf={(fee) => fee.branch_fee_id} />
          )}
        </Loaded>
      )}
    </Card>
  );
}

export function OrganizationLedger({ id }: { id: string }): ReactNode {
  const t = useWords(organizationsWords);
  const shared = useOperatorWords();
  const say = useSay();
  const { money } = useFormat();
  const { by, when } = useRecordColumns<Row<'listOrganizationLedger'>>();
  const navigate = useNavigate({ from: '/operator/organizations/$id' });
  const list = useListSearch(route.useSearch(), navigate, { resetScroll: false });
  const entries = useRead(
    'listOrganizationLedger',
    { path: { id }, query: { page: list.page, limit: PER_PAGE } },
    { keepPrevious: true },
  );
  const columns: Column<Row<'listOrganizationLedger'>>[] = [
    {
      id: 'entry',
      title: t('entry'),
      width: 'minmax(100px, 1.6fr)',
      render: ({ entry_type, reference, note }) => (
        <span className="ui-cell-two">
          <span>{say('entry', entry_type)}</span>
          <span className="soft small clip" dir="auto" title={note || reference}>
            {note || reference}
          </span>
        </span>
      ),
    },
    by,
    when,
    {
      id: 'amount',
      title: shared('amount'),
      width: 'minmax(112px, 150px)',
      end: true,
      render: ({ direction, total_sar, vat_sar }) => (
        <span className="ui-cell-two">
          <span>{money(direction === 'credit' ? total_sar : -total_sar)}</span>
          {vat_sar > 0 && <span className="soft small">{t('vatIn', { vat: money(vat_sar) })}</span>}
        </span>
      ),
    },
  ];
  return (
    <ListCard
      title={t('ledger')}
      answer={entries}
      extentOf={extentOfData}
      pager={{ page: list.page, perPage: PER_PAGE, onPage: list.turnTo, hideSinglePage: true }}
      empty={{ icon: 'payments', title: t('noEntries'), hint: t('noEntriesHint') }}
    >
      {({ data }) => <DataTable label={t('ledger')} columns={columns} rows={data} keyOf={(entry) => entry.id} />}
    </ListCard>
  );
}
