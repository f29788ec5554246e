import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useFormat, useName, useWords } from '../../../i18n/index.ts';
import { useApi, useExplainError, useRead, useReadAgain, useSession } from '../../../platform/index.ts';
import { Button, type Column, ConfirmDialog, DataTable, showToast } from '../../../ui/index.ts';
import { extentOfData, ListPage, useListSearch } from '../../../ui/list/index.ts';
import { isLive, SecretState } from '../expiry.tsx';
import { settingsWords } from '../words.ts';
import { tokensWords } from './words.ts';

const NewToken = lazy(() => import('./new-token.tsx'));

type Token = Schemas['SessionToken'];
const route = getRouteApi('/in/settings/tokens');
const PER_PAGE = 25;

export function TokensPage(): ReactNode {
  const t = useWords(tokensWords);
  const settings = useWords(settingsWords);
  const list = useListSearch(route.useSearch(), useNavigate({ from: '/settings/tokens' }));
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<Token | undefined>(undefined);
  const tokens = useRead('listSessionTokens', { query: { page: list.page, limit: PER_PAGE } }, { keepPrevious: true });
  return (
    <ListPage
      title={settings('tokens')}
      note={t('note')}
      tools={
        <Button look="primary" icon="plus" onPress={() => setMaking(true)}>
          {t('create')}
        </Button>
      }
      list={list}
      answer={tokens}
      extentOf={extentOfData}
      perPage={PER_PAGE}
      hideSinglePage
      skeletonRows={5}
      empty={{ icon: 'lock', title: t('empty'), hint: t('emptyHint') }}
      after={
        <>
          <Suspense>{isMaking && <NewToken onClose={() => setMaking(false)} />}</Suspense>
          {revoking !== undefined && <Revocation token={revoking} onClose={() => setRevoking(undefined)} />}
        </>
      }
    >
      {({ data }) => <Tokens rows={data} onRevoke={setRevoking} />}
    </ListPage>
  );
}

function Tokens({ rows, onRevoke }: { rows: readonly Token[]; onRevoke(token: Token): void }): ReactNode {
  const t = useWords(tokensWords);
  const settings = useWords(settingsWords);
  const { date, when, dateTime } = useFormat();
  const organizationName = useOrganizationName();
  const columns: Column<Token>[] = [
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
      id: 'organization',
      title: t('organization'),
      width: 'minmax(120px, 1fr)',
      from: 'medium',
      render: ({ organization_id }) => organizationName(organization_id),
    },
    { id: 'state', title: settings('state'), width: '80px', render: (token) => <SecretState secret={token} /> },
    {
      id: 'expires',
      title: settings('expires'),
      width: '120px',
      from: 'medium',
      render: ({ expires_at }) => (expires_at === null ? settings('expires.never') : date(expires_at)),
    },
    {
      id: 'created',
      title: settings('created'),
      width: '120px',
      from: 'wide',
      render: ({ created }) => (
        <time dateTime={created} title={dateTime(created)} className="soft">
          {when(created)}
        </time>
      ),
    },
    {
      id: 'revoke',
      title: settings('revoke'),
      hideTitle: true,
      width: '84px',
      end: true,
      render: (token) =>
        isLive(token) && (
          <Button size="small" onPress={() => onRevoke(token)} aria-label={`${settings('revoke')}: ${token.name}`}>
            {settings('revoke')}
          </Button>
        ),
    },
  ];
  return <DataTable label={settings('tokens')} columns={columns} rows={rows} keyOf={({ id }) => id} />;
}

function useOrganizationName(): (id: string | null) => string {
  const t = useWords(tokensWords);
  const name = useName();
  const session = useSession();
  const organizations = session.phase === 'in' ? session.account.organizations : [];
  return (id) => {
    if (id === null) return t('anyOrganization');
    const found = organizations.find((one) => one.id === id);
    return found === undefined ? t('otherOrganization') : name(found);
  };
}

function Revocation({ token, onClose }: { token: Token; onClose(): void }): ReactNode {
  const t = useWords(tokensWords);
  const settings = useWords(settingsWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const revoke = useMutation({
    mutationFn: () => api.call('revokeSessionToken', { path: { id: token.id } }),
    onSuccess: () => showToast({ tone: 'good', text: settings('revoked') }),
    onError: (error) => showToast({ tone: 'bad', text: explain(error).title, detail: explain(error).hint }),
    onSettled: async () => {
      onClose();
      await readAgain('listSessionTokens');
    },
  });
  return (
    <ConfirmDialog
      title={t('revokeTitle', { name: token.name === '' ? `…${token.hint}` : token.name })}
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
