import type { Schemas } from '@dukkan/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode } from 'react';
import { useFormat, useName, useWords } from '../../../i18n/index.ts';
import { useRead, useSession } from '../../../platform/index.ts';
import { type Column, DataTable } from '../../../ui/index.ts';
import { useListSearch } from '../../../ui/list/index.ts';
import { useSecretColumns } from '../secret-columns.tsx';
import { SECRETS_PER_PAGE, SecretsPage } from '../secrets-page.tsx';
import { settingsWords } from '../words.ts';
import { tokensWords } from './words.ts';

const NewToken = lazy(() => import('./new-token.tsx'));

type Token = Schemas['SessionToken'];
const route = getRouteApi('/in/settings/tokens');

export function TokensPage(): ReactNode {
  const t = useWords(tokensWords);
  const settings = useWords(settingsWords);
  const list = useListSearch(route.useSearch(), useNavigate({ from: '/settings/tokens' }));
  const query = { page: list.page, limit: SECRETS_PER_PAGE };
  const tokens = useRead('listSessionTokens', { query }, { keepPrevious: true });
  return (
    <SecretsPage<Token>
      title={settings('tokens')}
      t={t}
      revokeTitle={(name) => t('revokeTitle', { name })}
      list={list}
      answer={tokens}
      mayCreate={true}
      NewSecret={NewToken}
      operations={{ operation: 'revokeSessionToken', list: 'listSessionTokens' }}
    >
      {(rows, onRevoke) => <Tokens rows={rows} onRevoke={onRevoke} />}
    </SecretsPage>
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
