import type { Schemas } from '@dukkan/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { commonWords, useChannelName, useFormat, useWords } from '../../i18n/index.ts';
import { useRead } from '../../platform/index.ts';
import {
  Badge,
  Button,
  Card,
  type Column,
  DataTable,
  EmptyState,
  Loaded,
  Page,
  Pager,
  Segments,
  Select,
} from '../../ui/index.ts';
import { PausedSearch } from '../../ui/paused-search.tsx';
import { STAGED_PER_PAGE, STAGED_STATUSES, type StagingSearch } from './app-search.ts';
import './apps.css';
import { stagedTone } from './families.ts';
import { outcomeWord, useReason } from './reasons.ts';
import { useInstalls } from './use-install-name.ts';
import { appsWords } from './words.ts';

const route = getRouteApi('/in/staging');
const AGAIN_MS = 10_000;
const ANY = 'any';
type Staged = Schemas['StagedPayload'];

/** Everything that vendors have sent, and what became of it. */
export function StagingPage(): ReactNode {
  const t = useWords(appsWords);
  const common = useWords(commonWords);
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/staging' });
  const { rows: installs, nameOf } = useInstalls();
  const { status, app, page = 1 } = search;
  const staged = useRead(
    'listStagedPayloads',
    {
      query: {
        page,
        limit: STAGED_PER_PAGE,
        ...(status && { status }),
        ...(app && { organization_app_id: app }),
        ...(search.search && { search: search.search }),
      },
    },
    { keepPrevious: true, refetchInterval: AGAIN_MS },
  );
  const show = (change: { [Key in keyof StagingSearch]: StagingSearch[Key] | undefined }) =>
    void navigate({
      search: ({ page: _, ...before }) =>
        Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined)),
      replace: true,
    });
  const isFiltered = status !== undefined || app !== undefined || search.search !== undefined;
  return (
    <Page title={t('inbox')} note={t('inboxIntro')}>
      <search className="apps-filters">
        <PausedSearch
          label={t('searchInbox')}
          placeholder={t('searchInboxHint')}
          text={search.search ?? ''}
          onText={(text) => show({ search: text === '' ? undefined : text })}
        />
        <Segments
          label={t('column.status')}
          value={status ?? 'all'}
          onChange={(value) => show({ status: value === 'all' ? undefined : value })}
          options={[
            { value: 'all' as const, text: common('all') },
            ...STAGED_STATUSES.map((value) => ({ value, text: t(`staged.${value}`) })),
          ]}
        />
        <Select
          label={t('column.app')}
          hideLabel
          value={app ?? ANY}
          onChange={(value) => show({ app: value === ANY ? undefined : value })}
          options={[
            { value: ANY, text: t('allApps') },
            ...installs.map(({ id }) => ({ value: id, text: nameOf(id) ?? id })),
          ]}
        />
        {isFiltered && (
          <Button look="quiet" onPress={() => show({ status: undefined, app: undefined, search: undefined })}>
            {common('clearFilters')}
          </Button>
        )}
      </search>
      <Card flush>
        <Loaded of={staged} rows={10}>
          {(answer) =>
            answer.data.length === 0 ? (
              <EmptyState
                title={
                  status === 'failed' && !app && !search.search
                    ? t('allWell')
                    : isFiltered
                      ? t('nothing')
                      : t('inboxEmpty')
                }
                hint={
                  status === 'failed' && !app && !search.search
                    ? t('allWellHint')
                    : isFiltered
                      ? t('nothingHint')
                      : t('inboxEmptyHint')
                }
              />
            ) : (
              <>
                <StagedTable rows={answer.data} />
                <div className="apps-pager">
                  <Pager
                    page={answer.page}
                    perPage={STAGED_PER_PAGE}
                    total={answer.total_count}
                    onPage={(next) => show({ page: next > 1 ? next : undefined })}
                  />
                </div>
              </>
            )
          }
        </Loaded>
      </Card>
    </Page>
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
          {row.error !== null && <span className="soft small clip apps-narrow">{reason(row.error).title}</span>}
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
