import type { Schemas } from '@dukkan/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useFormat, useName, useWords } from '../../../i18n/index.ts';
import { useRead, useSession } from '../../../platform/index.ts';
import { Button, type Column, DataTable } from '../../../ui/index.ts';
import { extentOfData, ListPage, useListSearch } from '../../../ui/list/index.ts';
import { RevokeDialog } from '../revoke-dialog.tsx';
import { useSecretColumns } from '../secret-columns.tsx';
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
          {revoking !== undefined && (
            <RevokeDialog
              secret={revoking}
              operation="revokeSessionToken"
              list="listSessionTokens"
              title={(name) => t('revokeTitle', { name })}
              text={t('revokeText')}
              onClose={() => setRevoking(undefined)}
            />
          )}
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
  const { when, dateTime } = useFormat();
  const organizationName = useOrganizationName();
  const shared = useSecretColumns<Token>({ unnamed: t('unnamed'), onRevoke: onRevoke });
  const columns: Column<Token>[] = [
    shared.name,
    {
      id: 'organization',
      title: t('organization'),
      width: 'minmax(120px, 1fr)',
      from: 'medium',
      render: ({ organization_id }) => organizationName(organization_id),
    },
    shared.state,
    shared.expires,
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
    shared.revoke,
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
