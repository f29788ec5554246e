import type { Schemas } from '@dukkan/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { commonWords, useChannelName, useFormat, useWords } from '../../i18n/index.ts';
import { type SearchChange, useRead } from '../../platform/index.ts';
import { Badge, type Column, DataTable, Segments, Select } from '../../ui/index.ts';
import { extentOfData, ListPage, useListSearch } from '../../ui/list/index.ts';
import { STAGED_PER_PAGE, STAGED_STATUSES, type StagingSearch } from './app-search.ts';
import './apps.css';
import { stagedTone } from './families.ts';
import { outcomeWord, useReason } from './reasons.ts';
import { useInstalls } from './use-install-name.ts';
import { appsWords } from './words.ts';

const route = getRouteApi('/in/staging');
const REFETCH_MS = 10_000;
const ANY = 'any';
type Staged = Schemas['StagedPayload'];

/** Every payload that vendors sent, with its outcome. */
export function StagingPage(): ReactNode {
  const t = useWords(appsWords);
  const search = route.useSearch();
  const list = useListSearch(search, useNavigate({ from: '/staging' }));
  const { status, app } = search;
  const staged = useRead(
    'listStagedPayloads',
    {
      query: {
        page: list.page,
        limit: STAGED_PER_PAGE,
        ...(status && { status }),
        ...(app && { organization_app_id: app }),
        ...(search.search && { search: search.search }),
      },
    },
    { keepPrevious: true, refetchInterval: REFETCH_MS },
  );
  const isFailedOnly = status === 'failed' && !app && !search.search;
  return (
    <ListPage
      title={t('inbox')}
      note={t('inboxIntro')}
      list={list}
      searchField={{ label: t('searchInbox'), placeholder: t('searchInboxHint') }}
      filters={<Filters search={search} onFilter={list.filter} />}
      answer={staged}
      extentOf={extentOfData}
      perPage={STAGED_PER_PAGE}
      skeletonRows={10}
      empty={{ title: t('inboxEmpty'), hint: t('inboxEmptyHint') }}
      noMatch={
        isFailedOnly ? { title: t('allWell'), hint: t('allWellHint') } : { title: t('nothing'), hint: t('nothingHint') }
      }
    >
      {({ data }) => <StagedTable rows={data} />}
    </ListPage>
  );
}

function Filters(props: { search: StagingSearch; onFilter(change: SearchChange<StagingSearch>): void }): ReactNode {
  const t = useWords(appsWords);
  const common = useWords(commonWords);
  const { rows: installs, nameOf } = useInstalls();
  const { search, onFilter } = props;
  return (
    <>
      <Segments
        label={t('column.status')}
        value={search.status ?? 'all'}
        onChange={(value) => onFilter({ status: value === 'all' ? undefined : value })}
        options={[
          { value: 'all' as const, text: common('all') },
          ...STAGED_STATUSES.map((value) => ({ value, text: t(`staged.${value}`) })),
        ]}
      />
      <Select
        label={t('column.app')}
        hideLabel
        value={search.app ?? ANY}
        onChange={(value) => onFilter({ app: value === ANY ? undefined : value })}
        options={[
          { value: ANY, text: t('allApps') },
          ...installs.map(({ id }) => ({ value: id, text: nameOf(id) ?? id })),
        ]}
      />
    </>
  );
}

function StagedTable({ rows }: { rows: readonly Staged[] }): ReactNode {
  const t = useWords(appsWords);
  const channel = useChannelName();
  const { when, dateTime } = useFormat();
  const { nameOf } = useInstalls();
  const reason = useReason();
  const navigate = useNavigate();
  const columns: Column<Staged>[] = [
    {
      id: 'what',
      title: t('column.what'),
      width: 'minmax(130px, 1.2fr)',
      render: (row) => (
        <span className="ui-cell-two">
          <span className="strong clip">{nameOf(row.organization_app_id) ?? channel(row.app_slug)}</span>
          <span className="ltr soft small clip">
            {[row.external_order_id, row.event].filter(Boolean).join(' · ') || '—'}
          </span>
        </span>
      ),
    },
    {
      id: 'status',
      title: t('column.status'),
      width: '120px',
      render: ({ status }) => <Badge tone={stagedTone(status)}>{t(`staged.${status}`)}</Badge>,
    },
    {
      id: 'reason',
      title: t('column.outcome'),
      width: 'minmax(140px, 2fr)',
      from: 'medium',
      render: (row) => {
        const word = outcomeWord(row);
        return (
          <span className="ui-cell-two">
            <span className="clip">
              {row.error === null ? (word === undefined ? '—' : t(word)) : reason(row.error).title}
            </span>
            {row.error !== null && row.error.path !== '' && (
              <span className="ltr soft small clip">{row.error.path}</span>
            )}
          </span>
        );
      },
    },
    {
      id: 'time',
      title: t('column.received'),
      width: '120px',
      end: true,
      from: 'medium',
      render: ({ received_at: at }) => (
        <time dateTime={at} title={dateTime(at)} className="soft">
          {when(at)}
        </time>
      ),
    },
  ];
  return (
    <DataTable
      label={t('inbox')}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: '/staging/$id', params: { id } })}
    />
  );
}
