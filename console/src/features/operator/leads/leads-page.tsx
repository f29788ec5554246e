import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { showPhone } from '../../../ui/contact-links.ts';
import { Badge, type Column, DataTable, Select } from '../../../ui/index.ts';
import { extentOfData, ListPage, useListSearch } from '../../../ui/list/index.ts';
import { usePlanName } from '../../../ui/plan-names.ts';
import { isStage, type Lead, STAGES } from './lead.ts';
import { OneLead } from './one-lead.tsx';
import { useReason } from './reason.ts';
import { stageTone, useStageName } from './stages.ts';
import { leadsWords } from './words.ts';

const route = getRouteApi('/in/operator/leads');
const PER_PAGE = 50;

export function LeadsPage(): ReactNode {
  const t = useWords(leadsWords);
  const stageName = useStageName();
  const parameters = route.useSearch();
  const { search, stage, assignee } = parameters;
  const list = useListSearch(parameters, useNavigate({ from: '/operator/leads' }));
  const [opened, setOpened] = useState<Lead | undefined>(undefined);
  const operators = useRead('listOperators', {}, { staleTime: 60_000 });
  const query = {
    page: list.page,
    limit: PER_PAGE,
    ...(search && { search }),
    ...(isStage(stage) && { status: stage }),
    ...(assignee && { assignee }),
  };
  const leads = useRead('listPipelineLeads', { query }, { keepPrevious: true, refetchInterval: 60_000 });
  const columns = useColumns();
  return (
    <ListPage
      title={t('title')}
      count={(total) => t('count', { count: total })}
      list={list}
      searchField={{ label: t('searchLabel'), placeholder: t('search') }}
      filters={
        <>
          <Select
            label={t('stage')}
            hideLabel
            value={isStage(stage) ? stage : 'all'}
            onChange={(value) => list.filter({ stage: value === 'all' ? undefined : value })}
            options={[
              { value: 'all', text: t('allStages') },
              ...STAGES.map((value) => ({ value, text: stageName(value) })),
            ]}
          />
          <Select
            label={t('assignee')}
            hideLabel
            value={assignee ?? 'all'}
            onChange={(value) => list.filter({ assignee: value === 'all' ? undefined : value })}
            options={[
              { value: 'all', text: t('allAssignees') },
              { value: 'none', text: t('unassigned') },
              ...(operators.data?.items ?? []).map(({ id, name }) => ({ value: id, text: name })),
            ]}
          />
        </>
      }
      answer={leads}
      extentOf={extentOfData}
      perPage={PER_PAGE}
      hideSinglePage
      empty={{ title: t('empty'), hint: t('emptyHint') }}
      noMatch={{ title: t('nothing'), hint: t('nothingHint') }}
      after={
        opened !== undefined && (
          <OneLead
            lead={leads.data?.data.find(({ id }) => id === opened.id) ?? opened}
            operators={operators.data?.items ?? []}
            onChange={setOpened}
            onClose={() => setOpened(undefined)}
          />
        )
      }
    >
      {({ data }) => (
        <DataTable label={t('title')} columns={columns} rows={data} keyOf={({ id }) => id} onOpen={setOpened} />
      )}
    </ListPage>
  );
}

function useColumns(): Column<Lead>[] {
  const t = useWords(leadsWords);
  const planName = usePlanName();
  const reason = useReason();
  const stageName = useStageName();
  const { when, dateTime } = useFormat();
  return [
    {
      id: 'name',
      title: t('name'),
      width: 'minmax(120px, 1.4fr)',
      render: ({ name, position }) => (
        <span className="ui-cell-two">
          <bdi className="strong clip">{name}</bdi>
          <bdi className="soft small clip">{position}</bdi>
        </span>
      ),
    },
    {
      id: 'stage',
      title: t('stage'),
      width: '112px',
      render: ({ status, notes_count }) => (
        <span className="ui-cell-two">
          <Badge tone={stageTone(status)}>{stageName(status)}</Badge>
          {notes_count > 0 && <span className="soft small">{t('noteCount', { count: notes_count })}</span>}
        </span>
      ),
    },
    {
      id: 'contact',
      title: t('contact'),
      width: 'minmax(150px, 1.4fr)',
      from: 'medium',
      render: ({ email, phone }) => (
        <span className="ui-cell-two">
          <span className="ltr clip">{email}</span>
          <span className="soft small ltr clip">{phone === '' ? '' : showPhone(phone)}</span>
        </span>
      ),
    },
    {
      id: 'wants',
      title: t('wants'),
      width: 'minmax(100px, 1fr)',
      from: 'medium',
      render: ({ contact_reason, plan }) => (
        <span className="ui-cell-two">
          <span className="clip">{reason(contact_reason)}</span>
          <bdi className="soft small clip">{planName(plan)}</bdi>
        </span>
      ),
    },
    {
      id: 'assignee',
      title: t('assignee'),
      width: 'minmax(110px, 1fr)',
      from: 'wide',
      render: ({ assignee }) =>
        assignee === null ? (
          <span className="soft">—</span>
        ) : (
          <span className="clip" dir="auto">
            {assignee.name}
          </span>
        ),
    },
    { id: 'erp', title: t('erp'), width: '100px', from: 'wide', render: ({ erp }) => <bdi>{erp || '—'}</bdi> },
    {
      id: 'asked',
      title: t('asked'),
      width: '104px',
      from: 'medium',
      render: ({ created }) => (
        <time dateTime={created} title={dateTime(created)} className="soft">
          {when(created)}
        </time>
      ),
    },
  ];
}
