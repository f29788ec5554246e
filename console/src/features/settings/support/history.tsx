import type { Schemas } from '@dukkan/sdk';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { Badge, type Column, DataTable } from '../../../ui/index.ts';
import { extentOfData, ListCard } from '../../../ui/list/index.ts';
import { supportWords } from './words.ts';

const route = getRouteApi('/in/settings/support');
const PER_PAGE = 10;
type Grant = Schemas['SupportGrant'];

/** Every grant of the last 400 days. What an operator did is in the audit log, which is one click away. */
export function SupportHistory(): ReactNode {
  const t = useWords(supportWords);
  const { page = 1 } = route.useSearch();
  const navigate = useNavigate({ from: '/settings/support' });
  const grants = useRead('listSupportGrants', { query: { page, limit: PER_PAGE } }, { keepPrevious: true });
  const columns = useColumns();
  return (
    <section aria-label={t('history')} className="settings-stack">
      <h2>{t('history')}</h2>
      <ListCard
        answer={grants}
        extentOf={extentOfData}
        pager={{
          page,
          perPage: PER_PAGE,
          onPage: (next) => void navigate({ search: next === 1 ? {} : { page: next } }),
          hideSinglePage: true,
        }}
        isFiltered={false}
        onClear={() => undefined}
        skeletonRows={3}
        empty={{ icon: 'clock', title: t('historyEmpty') }}
        noMatch={{ title: t('historyEmpty') }}
      >
        {({ data }) => <DataTable label={t('history')} columns={columns} rows={data} keyOf={({ id }) => id} />}
      </ListCard>
    </section>
  );
}

function useColumns(): Column<Grant>[] {
  const t = useWords(supportWords);
  const { dateTime, when } = useFormat();
  return [
    {
      id: 'when',
      title: t('when'),
      width: 'minmax(96px, 1fr)',
      render: ({ created }) => (
        <time dateTime={created} title={dateTime(created)}>
          {when(created)}
        </time>
      ),
    },
    {
      id: 'who',
      title: t('who'),
      width: 'minmax(110px, 1.6fr)',
      render: ({ operators }) => (
        <span className="ui-cell-two">
          {operators.length === 0 && <span className="soft">{t('notEntered')}</span>}
          {operators.map(({ id, name }) => (
            <Link key={id} to="/settings/audit" search={{ actor: id }} className="clip" aria-label={t('did', { name })}>
              <bdi>{name}</bdi>
            </Link>
          ))}
        </span>
      ),
    },
    {
      id: 'scope',
      title: t('scopeShort'),
      width: 'minmax(150px, 1fr)',
      from: 'medium',
      render: ({ scope }) => <Badge tone={scope === 'full' ? 'warn' : 'info'}>{t(`scope.${scope}`)}</Badge>,
    },
    {
      id: 'by',
      title: t('grantedBy'),
      width: 'minmax(120px, 1.2fr)',
      from: 'wide',
      render: ({ granted_by }) => <bdi className="clip">{granted_by.name}</bdi>,
    },
    {
      id: 'state',
      title: t('state'),
      width: 'minmax(96px, 1.2fr)',
      render: ({ status, ended_by }) =>
        status === 'open' ? (
          <Badge tone="good">{t('state.open')}</Badge>
        ) : (
          <span className="soft clip">
            {status === 'ended' ? t('state.ended', { name: ended_by ?? '' }) : t('state.expired')}
          </span>
        ),
    },
  ];
}
