import type { Row } from '@dukkan/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useName, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { useFieldName } from '../../../ui/audit-fields/use-field-name.ts';
import { DateRange } from '../../../ui/date-range.tsx';
import { EmailText } from '../../../ui/email-text.tsx';
import { type Column, DataTable, Select } from '../../../ui/index.ts';
import { extentOfData, ListCard, ListFilters, type ListSearch, useListSearch } from '../../../ui/list/index.ts';
import { NO_ORGANIZATION, useActionName } from '../parts/action-name.ts';
import { endOf, startOf } from '../parts/days.ts';
import { useOperatorWords } from '../parts/say.ts';
import { useTenantName, useTenants } from '../parts/tenants.ts';
import { actionWords } from '../parts/words.ts';
import type { OperatorSearch } from '../search.ts';
import { systemWords } from './words.ts';

type Entry = Row<'listOperatorAudit'>;
const route = getRouteApi('/in/operator/system');
const PER_PAGE = 50;
const ACTIONS = [
  'record-payment',
  'credit',
  'refund',
  'suspend',
  'resume',
  'assign-service',
  'update-service',
  'unassign-service',
  'create',
  'update',
  'delete',
] as const;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The actions of operators, by organization. */
export function Audit(): ReactNode {
  const t = useWords(systemWords);
  const search = route.useSearch();
  const list = useListSearch(search, useNavigate({ from: '/operator/system' }), { keep: ['tab'] });
  const { organization, action } = search;
  const { from, to } = daysOf(search);
  const columns = useColumns();
  const entries = useRead(
    'listOperatorAudit',
    {
      query: {
        page: list.page,
        limit: PER_PAGE,
        ...(organization && { organization_id: organization }),
        ...(action && { action }),
        ...(from && { from: startOf(from) }),
        ...(to && { to: endOf(to) }),
      },
    },
    { keepPrevious: true },
  );
  return (
    <div className="operator-stack">
      <Filters list={list} />
      <ListCard
        answer={entries}
        extentOf={extentOfData}
        pager={{ page: list.page, perPage: PER_PAGE, onPage: list.turnTo, hideSinglePage: true }}
        isFiltered={list.isFiltered}
        onClear={list.clear}
        skeletonRows={10}
        empty={{ icon: 'clock', title: t('empty'), hint: t('emptyHint') }}
        noMatch={{ title: t('nothing'), hint: t('nothingHint') }}
      >
        {({ data }) => <DataTable label={t('tab.audit')} columns={columns} rows={data} keyOf={({ id }) => id} />}
      </ListCard>
    </div>
  );
}

function daysOf({ from, to }: OperatorSearch): { from: string | undefined; to: string | undefined } {
  const day = (text: string | undefined) => (text !== undefined && DAY.test(text) ? text : undefined);
  return { from: day(from), to: day(to) };
}

function Filters({ list }: { list: ListSearch<OperatorSearch> }): ReactNode {
  const t = useWords(systemWords);
  const actions = useWords(actionWords);
  const shared = useOperatorWords();
  const name = useName();
  const { data } = useTenants();
  const { search, filter } = list;
  const { from, to } = daysOf(search);
  return (
    <ListFilters onClear={list.isFiltered ? list.clear : undefined}>
      <Select
        label={shared('organization')}
        hideLabel
        value={search.organization ?? ''}
        onChange={(id) => filter({ organization: id })}
        options={[
          { value: '', text: t('anyOrganization') },
          ...(data?.organizations ?? []).map((one) => ({ value: one.organization_id, text: name(one) })),
        ]}
      />
      <Select
        label={t('action')}
        hideLabel
        value={search.action ?? ''}
        onChange={(word) => filter({ action: word })}
        options={[{ value: '', text: t('anyAction') }, ...ACTIONS.map((value) => ({ value, text: actions(value) }))]}
      />
      <DateRange
        label={t('dates')}
        value={from !== undefined && to !== undefined ? { from, to } : undefined}
        onChange={(days) => filter({ from: days?.from, to: days?.to })}
      />
    </ListFilters>
  );
}

function useColumns(): Column<Entry>[] {
  const t = useWords(systemWords);
  const shared = useOperatorWords();
  const action = useActionName();
  const fieldName = useFieldName();
  const tenant = useTenantName();
  const { when, dateTime, hijri, list } = useFormat();
  // Support's entries name the operation that was called, not fields.
  const changesOf = ({ action, changed_fields }: Entry) => {
    const fields = list(changed_fields.map(fieldName));
    return action === 'support-action' ? fields : t('fields', { fields });
  };
  return [
    {
      id: 'what',
      title: t('what'),
      width: 'minmax(112px, 1.6fr)',
      render: (one) => (
        <span className="ui-cell-two">
          <span className="clip">{action(one)}</span>
          {one.changed_fields.length > 0 && <span className="soft small clip">{changesOf(one)}</span>}
        </span>
      ),
    },
    {
      id: 'organization',
      title: shared('organization'),
      width: 'minmax(86px, 1fr)',
      render: ({ organization_id }) =>
        organization_id === NO_ORGANIZATION ? (
          <span className="soft">{shared('noOrganizationOfIts')}</span>
        ) : (
          tenant(organization_id)
        ),
    },
    {
      id: 'who',
      title: t('who'),
      width: 'minmax(150px, 1.2fr)',
      from: 'medium',
      render: ({ actor }) => (
        <span className="ui-cell-two">
          <span className="clip">
            {actor.name === '' ? t(`actor.${actor.kind}`) : <EmailText email={actor.name} />}
          </span>
          <span className="soft small">{t(`actor.${actor.kind}`)}</span>
        </span>
      ),
    },
    {
      id: 'from',
      title: t('from'),
      width: '120px',
      from: 'wide',
      render: ({ ip, request_id }) => (
        <span className="soft ltr" title={request_id}>
          {ip || '—'}
        </span>
      ),
    },
    {
      id: 'when',
      title: shared('when'),
      width: '100px',
      end: true,
      render: ({ at }) => (
        <time dateTime={at} title={`${dateTime(at)} · ${hijri(at)}`} className="soft">
          {when(at)}
        </time>
      ),
    },
  ];
}
