import type { Schemas } from '@dukkan/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useMay, useRead } from '../../../platform/index.ts';
import { Button, type Column, DataTable } from '../../../ui/index.ts';
import { extentOfData, ListPage, useListSearch } from '../../../ui/list/index.ts';
import { useGrantSummary } from '../grants/use-grant-summary.ts';
import { grantsWords } from '../grants/words.ts';
import { RevokeDialog } from '../revoke-dialog.tsx';
import { useSecretColumns } from '../secret-columns.tsx';
import { settingsWords } from '../words.ts';
import { keysWords } from './words.ts';

const NewKey = lazy(() => import('./new-key.tsx'));

type ApiKey = Schemas['ApiKey'];
const route = getRouteApi('/in/settings/keys');
const PER_PAGE = 25;

export function KeysPage(): ReactNode {
  const t = useWords(keysWords);
  const settings = useWords(settingsWords);
  const may = useMay();
  const list = useListSearch(route.useSearch(), useNavigate({ from: '/settings/keys' }));
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | undefined>(undefined);
  const keys = useRead('listApiKeys', { query: { page: list.page, limit: PER_PAGE } }, { keepPrevious: true });
  const make = (
    <Button look="primary" icon="plus" onPress={() => setMaking(true)}>
      {t('create')}
    </Button>
  );
  return (
    <ListPage
      title={settings('keys')}
      note={t('note')}
      tools={may('create:Settings') && make}
      list={list}
      answer={keys}
      extentOf={extentOfData}
      perPage={PER_PAGE}
      hideSinglePage
      skeletonRows={5}
      empty={{ icon: 'lock', title: t('empty'), hint: t('emptyHint') }}
      after={
        <>
          <Suspense>{isMaking && <NewKey onClose={() => setMaking(false)} />}</Suspense>
          {revoking !== undefined && (
            <RevokeDialog
              secret={revoking}
              operation="revokeApiKey"
              list="listApiKeys"
              title={(name) => t('revokeTitle', { name })}
              text={t('revokeText')}
              onClose={() => setRevoking(undefined)}
            />
          )}
        </>
      }
    >
      {({ data }) => <Keys rows={data} onRevoke={setRevoking} />}
    </ListPage>
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
