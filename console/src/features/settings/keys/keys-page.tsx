import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useApi, useExplainError, useMay, useRead, useReadAgain } from '../../../platform/index.ts';
import { Button, type Column, ConfirmDialog, DataTable, showToast } from '../../../ui/index.ts';
import { extentOfData, ListPage, useListSearch } from '../../../ui/list/index.ts';
import { isLive, SecretState } from '../expiry.tsx';
import { useGrantSummary } from '../grants/use-grant-summary.ts';
import { grantsWords } from '../grants/words.ts';
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
          {revoking !== undefined && <Revocation apiKey={revoking} onClose={() => setRevoking(undefined)} />}
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
  const { date, when, dateTime } = useFormat();
  const columns: Column<ApiKey>[] = [
    {
      id: 'name',
      title: settings('name'),
      width: 'minmax(80px, 1.2fr)',
      render: ({ name, hint }) => (
        <span className="ui-cell-two">
          <span className="clip">{name === '' ? t('unnamed') : name}</span>
          <span className="soft settings-code ltr">…{hint}</span>
        </span>
      ),
    },
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
    { id: 'state', title: settings('state'), width: '80px', render: (key) => <SecretState secret={key} /> },
    {
      id: 'expires',
      title: settings('expires'),
      width: '116px',
      from: 'wide',
      render: ({ expires_at }) => (expires_at === null ? settings('expires.never') : date(expires_at)),
    },
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
    {
      id: 'revoke',
      title: settings('revoke'),
      hideTitle: true,
      width: '84px',
      end: true,
      render: (key) =>
        isLive(key) &&
        may('delete:Settings') && (
          <Button size="small" onPress={() => onRevoke(key)} aria-label={`${settings('revoke')}: ${key.name}`}>
            {settings('revoke')}
          </Button>
        ),
    },
  ];
  return <DataTable label={settings('keys')} columns={columns} rows={rows} keyOf={({ id }) => id} />;
}

function Revocation({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }): ReactNode {
  const t = useWords(keysWords);
  const settings = useWords(settingsWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const revoke = useMutation({
    mutationFn: () => api.call('revokeApiKey', { path: { id: apiKey.id } }),
    onSuccess: () => showToast({ tone: 'good', text: settings('revoked') }),
    onError: (error) => showToast({ tone: 'bad', text: explain(error).title, detail: explain(error).hint }),
    onSettled: async () => {
      onClose();
      await readAgain('listApiKeys');
    },
  });
  return (
    <ConfirmDialog
      title={t('revokeTitle', { name: apiKey.name === '' ? `…${apiKey.hint}` : apiKey.name })}
      isOpen
      onClose={onClose}
      onConfirm={() => revoke.mutate()}
      confirm={settings('revoke')}
      isBusy={revoke.isPending}
      danger
    >
      {t('revokeText')}
    </ConfirmDialog>
  );
}
