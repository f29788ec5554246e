import type { Schemas } from '@dukkan/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useMay, useRead } from '../../../platform/index.ts';
import { type Column, DataTable } from '../../../ui/index.ts';
import { useListSearch } from '../../../ui/list/index.ts';
import { useGrantSummary } from '../grants/use-grant-summary.ts';
import { grantsWords } from '../grants/words.ts';
import { useSecretColumns } from '../secret-columns.tsx';
import { SECRETS_PER_PAGE, SecretsPage } from '../secrets-page.tsx';
import { settingsWords } from '../words.ts';
import { keysWords } from './words.ts';

const NewKey = lazy(() => import('./new-key.tsx'));

type ApiKey = Schemas['ApiKey'];
const route = getRouteApi('/in/settings/keys');

export function KeysPage(): ReactNode {
  const t = useWords(keysWords);
  const settings = useWords(settingsWords);
  const may = useMay();
  const list = useListSearch(route.useSearch(), useNavigate({ from: '/settings/keys' }));
  const query = { page: list.page, limit: SECRETS_PER_PAGE };
  const keys = useRead('listApiKeys', { query }, { keepPrevious: true });
  return (
    <SecretsPage<ApiKey>
      title={settings('keys')}
      t={t}
      revokeTitle={(name) => t('revokeTitle', { name })}
      list={list}
      answer={keys}
      mayCreate={may('create:Settings')}
      NewSecret={NewKey}
      operations={{ operation: 'revokeApiKey', list: 'listApiKeys' }}
    >
      {(rows, onRevoke) => <Keys rows={rows} onRevoke={onRevoke} />}
    </SecretsPage>
  );
}

function Keys({ rows, onRevoke }: { rows: readonly ApiKey[]; onRevoke(key: ApiKey): void }): ReactNode {
  const t = useWords(keysWords);
  const settings = useWords(settingsWords);
  const grants = useWords(grantsWords);
  const summary = useGrantSummary();
  const may = useMay();
  const { when, dateTime } = useFormat();
  const shared = useSecretColumns<ApiKey>({
    unnamed: t('unnamed'),
    onRevoke: may('delete:Settings') ? onRevoke : undefined,
  });
  const columns: Column<ApiKey>[] = [
    shared.name,
    {
      id: 'opens',
      title: t('opens'),
      width: 'minmax(160px, 2fr)',
      from: 'medium',
      render: (key) => (
        <span className="settings-opens" title={summary(key.grants).join(' · ')}>
          {key.grants.length === 0 ? (
            <span className="soft">{grants('nothing')}</span>
          ) : (
            summary(key.grants).join(' · ')
          )}
          {key.branch_iv_id !== null && <span className="soft small ltr"> {key.branch_iv_id}</span>}
        </span>
      ),
    },
    shared.state,
    { ...shared.expires, from: 'wide' },
    {
      id: 'used',
      title: t('lastUsed'),
      width: '116px',
      from: 'medium',
      render: ({ last_used_at }) =>
        last_used_at === null ? (
          <span className="soft">{settings('never')}</span>
        ) : (
          <time dateTime={last_used_at} title={dateTime(last_used_at)} className="soft">
            {when(last_used_at)}
          </time>
        ),
    },
    shared.revoke,
  ];
  return <DataTable label={settings('keys')} columns={columns} rows={rows} keyOf={({ id }) => id} />;
}
