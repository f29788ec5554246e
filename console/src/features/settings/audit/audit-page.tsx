import type { Schemas } from '@dukkan/sdk';
import { parseDate } from '@internationalized/date';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { type Resource, type SearchChange, useRead } from '../../../platform/index.ts';
import { useFieldName } from '../../../ui/audit-fields/use-field-name.ts';
import { WithAvatar } from '../../../ui/avatar.tsx';
import { DateRange } from '../../../ui/date-range.tsx';
import { EmailText } from '../../../ui/email-text.tsx';
import { type Column, DataTable, Select } from '../../../ui/index.ts';
import { extentOfData, ListPage, useListSearch } from '../../../ui/list/index.ts';
import { RESOURCES } from '../grants/grants.ts';
import { settingsWords } from '../words.ts';
import type { AuditSearch } from './audit-search.ts';
import { AUDIT_ACTIONS, useAuditNames } from './use-audit-names.ts';
import { auditWords } from './words.ts';

const AuditPanel = lazy(() => import('./audit-panel.tsx'));

const route = getRouteApi('/in/settings/audit');
const PER_PAGE = 50;
const SHORT_ID = 8;
type Entry = Schemas['AuditEntry'];

export function AuditPage(): ReactNode {
  const t = useWords(auditWords);
  const settings = useWords(settingsWords);
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/settings/audit' });
  const list = useListSearch(search, navigate);
  const { timeZone } = useFormat();
  const [open, setOpen] = useState<Entry | undefined>(undefined);
  const entries = useRead('listAudit', { query: queryOf(search, timeZone) }, { keepPrevious: true });
  return (
    <ListPage
      title={settings('audit')}
      note={t('note')}
      list={list}
      filters={<Filters search={search} onFilter={list.filter} actorName={nameIn(entries.data?.data, search.actor)} />}
      answer={entries}
      extentOf={extentOfData}
      perPage={PER_PAGE}
      skeletonRows={10}
      empty={{ icon: 'clock', title: t('empty'), hint: t('emptyHint') }}
      noMatch={{ title: t('nothing'), hint: t('nothingHint') }}
      after={
        <Suspense>
          {open !== undefined && (
            <AuditPanel
              entry={open}
              onClose={() => setOpen(undefined)}
              onHistory={(id) => {
                setOpen(undefined);
                void navigate({ search: { id } });
              }}
            />
          )}
        </Suspense>
      }
    >
      {({ data }) => <Entries rows={data} onOpen={setOpen} />}
    </ListPage>
  );
}

/** Of an actor who is no member: an operator, or an account that has left. */
function nameIn(rows: readonly Entry[] | undefined, actorId: string | undefined): string | undefined {
  return rows?.find(({ actor }) => actor.id === actorId)?.actor.name;
}

function Filters(props: {
  search: AuditSearch;
  onFilter(change: SearchChange<AuditSearch>): void;
  actorName: string | undefined;
}): ReactNode {
  const t = useWords(auditWords);
  const names = useAuditNames();
  const members = useRead('listMembers', { query: { limit: 100, sort: 'email' } }, { staleTime: 60_000 });
  const { search, onFilter, actorName } = props;
  const { from, to, id } = search;
  const people = (members.data?.data ?? []).flatMap(({ user_id, name, email }) =>
    user_id === null ? [] : [{ value: user_id, text: name === '' ? email : name }],
  );
  return (
    <>
      <Select
        label={t('actor')}
        hideLabel
        value={search.actor ?? ''}
        onChange={(actor) => onFilter({ actor })}
        options={[
          { value: '', text: t('anyone') },
          ...people,
          { value: 'system', text: names.kind('system') },
          ...(search.actor === undefined ||
          search.actor === 'system' ||
          people.some(({ value }) => value === search.actor)
            ? []
            : [{ value: search.actor, text: actorName ?? search.actor.slice(0, SHORT_ID) }]),
        ]}
      />
      <Select
        label={t('resource')}
        hideLabel
        value={search.resource ?? ''}
        onChange={(resource) => onFilter({ resource })}
        options={[
          { value: '', text: t('anything') },
          ...RESOURCES.map((resource) => ({ value: resource as string, text: names.resource(resource) })),
        ]}
      />
      <Select
        label={t('action')}
        hideLabel
        value={search.action ?? ''}
        onChange={(action) => onFilter({ action })}
        options={[
          { value: '', text: t('anyAction') },
          ...[...new Set([...AUDIT_ACTIONS, ...(search.action === undefined ? [] : [search.action])])].map(
            (action) => ({
              value: action,
              text: names.action(action),
            }),
          ),
        ]}
      />
      <DateRange
        label={t('dates')}
        value={from !== undefined && to !== undefined ? { from, to } : undefined}
        onChange={(days) => onFilter({ from: days?.from, to: days?.to })}
      />
      {id !== undefined && <span className="soft small">{t('onlyRecord', { id: id.slice(0, SHORT_ID) })}</span>}
    </>
  );
}

function Entries({ rows, onOpen }: { rows: readonly Entry[]; onOpen(entry: Entry): void }): ReactNode {
  const t = useWords(auditWords);
  const settings = useWords(settingsWords);
  const names = useAuditNames();
  const fieldName = useFieldName();
  const { when, dateTime, list } = useFormat();
  const columns: Column<Entry>[] = [
    {
      id: 'what',
      title: t('what'),
      width: 'minmax(90px, 1.2fr)',
      render: ({ action, resource }) => (
        <span className="ui-cell-two">
          <span className="clip">{names.action(action)}</span>
          <span className="soft small">{names.resource(resource)}</span>
        </span>
      ),
    },
    {
      id: 'who',
      title: t('who'),
      width: 'minmax(80px, 1.4fr)',
      render: ({ actor }) => (
        <Who actor={actor}>
          <span className="ui-cell-two">
            <span className="clip">
              {actor.name === '' ? names.kind(actor.kind) : <EmailText email={names.actor(actor)} />}
            </span>
            {actor.kind !== 'user' && actor.name !== '' && <span className="soft small">{names.kind(actor.kind)}</span>}
          </span>
        </Who>
      ),
    },
    {
      id: 'fields',
      title: t('fields'),
      width: 'minmax(140px, 2fr)',
      from: 'medium',
      render: ({ changed_fields }) => (
        <span className="soft clip">{changed_fields.length === 0 ? '—' : list(changed_fields.map(fieldName))}</span>
      ),
    },
    {
      id: 'record',
      title: t('record'),
      width: '104px',
      from: 'wide',
      // The start of an id is its time, so the end is shown.
      render: ({ resource_id }) => (
        <span className="soft settings-code ltr" title={resource_id}>
          {resource_id === '' ? '—' : `…${resource_id.slice(-SHORT_ID)}`}
        </span>
      ),
    },
    {
      id: 'when',
      title: t('when'),
      width: '110px',
      render: ({ at }) => (
        <time dateTime={at} title={dateTime(at)} className="soft">
          {when(at)}
        </time>
      ),
    },
  ];
  return <DataTable label={settings('audit')} columns={columns} rows={rows} keyOf={({ id }) => id} onOpen={onOpen} />;
}

/** People have an avatar; keys and the service itself have none. */
function Who({ actor, children }: { actor: Entry['actor']; children: ReactNode }): ReactNode {
  if (actor.kind !== 'user') return children;
  return (
    <WithAvatar id={actor.id} name={actor.name}>
      {children}
    </WithAvatar>
  );
}

function queryOf({ actor, action, resource, id, from, to, page }: AuditSearch, timeZone: string) {
  const known = RESOURCES.find((one) => one === resource);
  return {
    page: page ?? 1,
    limit: PER_PAGE,
    ...(actor && { actor }),
    ...(action && { action }),
    ...(known && { resource: known satisfies Resource }),
    ...(id && { resource_id: id }),
    // Days in the organization's time zone, both included.
    ...(from && { from: parseDate(from).toDate(timeZone).toISOString() }),
    ...(to && { to: new Date(parseDate(to).add({ days: 1 }).toDate(timeZone).getTime() - 1).toISOString() }),
  };
}
