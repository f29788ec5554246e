import type { Schemas } from '@dukkan/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { useMay, useRead, useSession } from '../../../platform/index.ts';
import { WithAvatar } from '../../../ui/avatar.tsx';
import { useBranchNameOfCode } from '../../../ui/branch-names.ts';
import { EmailText } from '../../../ui/email-text.tsx';
import { Badge, Button, type Column, DataTable } from '../../../ui/index.ts';
import { extentOfData, ListPage, useListSearch } from '../../../ui/list/index.ts';
import { grantsWords } from '../grants/words.ts';
import { settingsWords } from '../words.ts';
import { teamWords } from './words.ts';

const InviteDialog = lazy(() => import('./invite-dialog.tsx'));
const MemberPanel = lazy(() => import('./member-panel.tsx'));

type Member = Schemas['Member'];
const route = getRouteApi('/in/settings/team');
const PER_PAGE = 25;

export function TeamPage(): ReactNode {
  const t = useWords(teamWords);
  const settings = useWords(settingsWords);
  const may = useMay();
  const search = route.useSearch();
  const list = useListSearch(search, useNavigate({ from: '/settings/team' }));
  const [open, setOpen] = useState<Member | 'invite' | undefined>(undefined);
  const members = useRead(
    'listMembers',
    { query: { page: list.page, limit: PER_PAGE, sort: 'email', ...(search.search && { search: search.search }) } },
    { keepPrevious: true },
  );
  const close = () => setOpen(undefined);
  return (
    <ListPage
      title={settings('team')}
      count={(total) => t('note', { count: total })}
      tools={
        may('create:Settings') && (
          <Button look="primary" icon="plus" onPress={() => setOpen('invite')}>
            {t('invite')}
          </Button>
        )
      }
      list={list}
      searchField={{ label: t('search') }}
      answer={members}
      extentOf={extentOfData}
      perPage={PER_PAGE}
      hideSinglePage
      skeletonRows={6}
      empty={{ icon: 'customers', title: t('nothing'), hint: t('nothingHint') }}
      after={
        <Suspense>
          {open === 'invite' && <InviteDialog onClose={close} />}
          {open !== undefined && open !== 'invite' && <MemberPanel key={open.id} member={open} onClose={close} />}
        </Suspense>
      }
    >
      {({ data }) => <Members rows={data} onOpen={setOpen} />}
    </ListPage>
  );
}

function Members({ rows, onOpen }: { rows: readonly Member[]; onOpen(member: Member): void }): ReactNode {
  const t = useWords(teamWords);
  const settings = useWords(settingsWords);
  const branchName = useBranchNameOfCode();
  const { when, dateTime } = useFormat();
  const session = useSession();
  const ownId = session.phase === 'in' ? session.account.user.id : undefined;
  const columns: Column<Member>[] = [
    {
      id: 'member',
      title: t('member'),
      width: 'minmax(110px, 2fr)',
      render: ({ id, name, email, user_id }) => (
        <WithAvatar id={user_id ?? id} name={name === '' ? email : name}>
          <span className="ui-cell-two">
            <span className="clip">
              {name !== '' && name !== email ? name : <EmailText email={email} />}
              {user_id !== null && user_id === ownId && <span className="soft"> ({t('you')})</span>}
            </span>
            {name !== '' && name !== email && <span className="soft small ltr clip">{email}</span>}
          </span>
        </WithAvatar>
      ),
    },
    {
      id: 'role',
      title: t('role'),
      width: '64px',
      render: ({ role }) =>
        role === 'owner' || role === 'member' || role === 'viewer' ? settings(`role.${role}`) : role,
    },
    {
      id: 'branch',
      title: t('branch'),
      width: 'minmax(120px, 1fr)',
      from: 'medium',
      render: ({ branch_iv_id }) =>
        branch_iv_id === null ? (
          <span className="soft">{settings('wholeOrganization')}</span>
        ) : (
          <bdi>{branchName(branch_iv_id)}</bdi>
        ),
    },
    {
      id: 'access',
      title: t('access'),
      width: 'minmax(120px, 1fr)',
      from: 'wide',
      render: (member) => <Beyond member={member} />,
    },
    {
      id: 'state',
      title: t('state'),
      width: '84px',
      render: ({ status }) => (
        <Badge tone={status === 'invited' ? 'warn' : 'good'}>
          {t(status === 'invited' ? 'state.invited' : 'state.active')}
        </Badge>
      ),
    },
    {
      id: 'seen',
      title: t('lastSeen'),
      width: '120px',
      from: 'medium',
      render: ({ last_seen_at }) =>
        last_seen_at === null ? (
          <span className="soft">{settings('never')}</span>
        ) : (
          <time dateTime={last_seen_at} title={dateTime(last_seen_at)} className="soft">
            {when(last_seen_at)}
          </time>
        ),
    },
  ];
  return <DataTable label={settings('team')} columns={columns} rows={rows} keyOf={({ id }) => id} onOpen={onOpen} />;
}

function Beyond({ member: { grants_added, grants_withheld } }: { member: Member }): ReactNode {
  const t = useWords(grantsWords);
  const { list } = useFormat();
  const said = [
    ...(grants_added.length > 0 ? [t('added', { count: grants_added.length })] : []),
    ...(grants_withheld.length > 0 ? [t('withheld', { count: grants_withheld.length })] : []),
  ];
  return said.length === 0 ? <span className="soft">—</span> : list(said);
}
