import type { Row } from '@dukkan/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { commonWords, useFormat, useName, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { DateRange } from '../../../ui/date-range.tsx';
import { Button, Card, type Column, EmptyState, Loaded, Select } from '../../../ui/index.ts';
import { NOBODY, useActionName } from '../parts/action-name.ts';
import { endOf, startOf } from '../parts/days.ts';
import { PagedTable } from '../parts/paged-table.tsx';
import { present } from '../parts/present.ts';
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

/** What operators did, and to whom. */
export function Audit(): ReactNode {
  const t = useWords(systemWords);
  const common = useWords(commonWords);
  const { page = 1, ...filters } = route.useSearch();
  const { organization, action } = filters;
  const from = filters.from !== undefined && DAY.test(filters.from) ? filters.from : undefined;
  const to = filters.to !== undefined && DAY.test(filters.to) ? filters.to : undefined;
  const navigate = useNavigate({ from: '/operator/system' });
  const columns = useColumns();
  const record = useRead(
    'listOperatorAudit',
    {
      query: {
        page,
        limit: PER_PAGE,
        ...(organization && { organization_id: organization }),
        ...(action && { action }),
        ...(from && { from: startOf(from) }),
        ...(to && { to: endOf(to) }),
      },
    },
    { keepPrevious: true },
  );
  const filter = (change: { [Key in keyof OperatorSearch]?: OperatorSearch[Key] | undefined }) =>
    void navigate({ search: (before) => present({ ...before, page: 1, ...change }), replace: true });
  const isFiltered = [organization, action, from, to].some((value) => value !== undefined);
  return (
    <div className="operator-stack">
      <Filters organization={organization} action={action} from={from} to={to} onFilter={filter} />
      <Card flush>
        <Loaded of={record} rows={10}>
          {({ data, total_count }) =>
            data.length === 0 ? (
              <EmptyState
                icon="clock"
                title={isFiltered ? t('nothing') : t('empty')}
                hint={isFiltered ? t('nothingHint') : t('emptyHint')}
                {...(isFiltered && {
                  action: (
                    <Button onPress={() => void navigate({ search: { tab: 'audit' } })}>
                      {common('clearFilters')}
                    </Button>
                  ),
                })}
              />
            ) : (
              <PagedTable
                label={t('tab.audit')}
                columns={columns}
                rows={data}
                keyOf={({ id }) => id}
                page={page}
                perPage={PER_PAGE}
                total={total_count}
                onPage={(next) => filter({ page: next })}
              />
            )
          }
        </Loaded>
      </Card>
    </div>
  );
}

function Filters(props: {
  organization: string | undefined;
  action: string | undefined;
  from: string | undefined;
  to: string | undefined;
  onFilter(change: { [Key in keyof OperatorSearch]?: OperatorSearch[Key] | undefined }): void;
}): ReactNode {
  const t = useWords(systemWords);
  const actions = useWords(actionWords);
  const shared = useOperatorWords();
  const name = useName();
  const { data } = useTenants();
  const { organization, action, from, to, onFilter } = props;
  return (
    <search className="operator-filters">
      <Select
        label={shared('organization')}
        hideLabel
        value={organization ?? ''}
        onChange={(id) => onFilter({ organization: id })}
        options={[
          { value: '', text: t('anyOrganization') },
          ...(data?.organizations ?? []).map((one) => ({ value: one.organization_id, text: name(one) })),
        ]}
      />
      <Select
        label={t('action')}
        hideLabel
        value={action ?? ''}
        onChange={(word) => onFilter({ action: word })}
        options={[{ value: '', text: t('anyAction') }, ...ACTIONS.map((value) => ({ value, text: actions(value) }))]}
      />
      <DateRange
        label={t('dates')}
        value={from !== undefined && to !== undefined ? { from, to } : undefined}
        onChange={(days) => onFilter({ from: days?.from, to: days?.to })}
      />
    </search>
  );
}

function useColumns(): Column<Entry>[] {
  const t = useWords(systemWords);
  const shared = useOperatorWords();
  const action = useActionName();
  const tenant = useTenantName();
  const { when, dateTime, hijri, list } = useFormat();
  return [
    {
      id: 'what',
      title: t('what'),
      width: 'minmax(112px, 1.6fr)',
      render: (one) => (
        <span className="ui-cell-two">
          <span className="clip">{action(one)}</span>
          {one.changed_fields.length > 0 && (
            <span className="soft small clip">{t('fields', { fields: list(one.changed_fields) })}</span>
          )}
        </span>
      ),
    },
    {
      id: 'organization',
      title: shared('organization'),
      width: 'minmax(86px, 1fr)',
      render: ({ organization_id }) =>
        organization_id === NOBODY ? (
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
          <bdi className="clip">{actor.name || t(`actor.${actor.kind}`)}</bdi>
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
