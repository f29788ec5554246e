import type { Row } from '@dukkan/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { commonWords, useFormat, useLanguage, useName, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { Badge, Button, type Column, DataTable, Segments } from '../../../ui/index.ts';
import { extentOfData, ListPage, useListSearch } from '../../../ui/list/index.ts';
import { usePlanName } from '../../../ui/plan-names.ts';
import { useOperatorWords, useSay } from '../parts/say.ts';
import { stateTone } from '../parts/tones.ts';
import { STATES } from '../search.ts';
import { CreateResetLink } from './create-reset-link.tsx';
import { OpenOrganization } from './open-organization.tsx';
import { ResetTotp } from './reset-totp.tsx';
import './organizations.css';
import { organizationsWords } from './words.ts';

const route = getRouteApi('/in/operator/organizations');
const PER_PAGE = 25;

export function OrganizationsPage(): ReactNode {
  const t = useWords(organizationsWords);
  const common = useWords(commonWords);
  const shared = useOperatorWords();
  const parameters = route.useSearch();
  const { search, status, invite } = parameters;
  const list = useListSearch(parameters, useNavigate({ from: '/operator/organizations' }), { panel: 'invite' });
  const [isOpening, setOpening] = useState(invite !== undefined);
  const [resetting, setResetting] = useState<'totp' | 'password' | undefined>(undefined);
  const found = useRead(
    'listFleetOrganizations',
    { query: { page: list.page, limit: PER_PAGE, ...(search && { search }), ...(status && { status }) } },
    { keepPrevious: true },
  );
  return (
    <ListPage
      title={t('title')}
      count={(total) => t('count', { count: total })}
      tools={
        <>
          <Button icon="lock" onPress={() => setResetting('password')}>
            {t('resetLinkTitle')}
          </Button>
          <Button icon="lock" onPress={() => setResetting('totp')}>
            {t('resetTotp')}
          </Button>
          <Button look="primary" icon="plus" onPress={() => setOpening(true)}>
            {t('open')}
          </Button>
        </>
      }
      list={list}
      searchField={{ label: t('searchLabel'), placeholder: t('search') }}
      filters={
        <Segments
          label={shared('status')}
          value={status ?? 'all'}
          onChange={(value) => list.filter({ status: value === 'all' ? undefined : value })}
          options={[
            { value: 'all' as const, text: common('all') },
            ...STATES.map((value) => ({ value, text: shared(`state.${value}`) })),
          ]}
        />
      }
      answer={found}
      extentOf={extentOfData}
      perPage={PER_PAGE}
      hideSinglePage
      empty={{
        icon: 'branches',
        title: t('empty'),
        hint: t('emptyHint'),
        action: <Button onPress={() => setOpening(true)}>{t('open')}</Button>,
      }}
      noMatch={{ title: t('nothing'), hint: t('nothingHint') }}
      after={
        <>
          {resetting === 'totp' && <ResetTotp onClose={() => setResetting(undefined)} />}
          {resetting === 'password' && <CreateResetLink onClose={() => setResetting(undefined)} />}
          {isOpening && (
            <OpenOrganization
              email={invite ?? ''}
              onClose={() => {
                setOpening(false);
                list.showPanel(undefined);
              }}
            />
          )}
        </>
      }
    >
      {({ data }) => <Table rows={data} />}
    </ListPage>
  );
}

function Table({ rows }: { rows: Row<'listFleetOrganizations'>[] }): ReactNode {
  const t = useWords(organizationsWords);
  const shared = useOperatorWords();
  const say = useSay();
  const plan = usePlanName();
  const name = useName();
  const language = useLanguage();
  const navigate = useNavigate();
  const { money, number } = useFormat();
  const sum = (amount: number) => (amount === 0 ? <span className="soft">—</span> : money(amount));
  const columns: Column<Row<'listFleetOrganizations'>>[] = [
    {
      id: 'name',
      title: t('name'),
      width: 'minmax(110px, 2fr)',
      render: (one) => (
        <span className="ui-cell-two">
          <span className="strong clip">{name(one)}</span>
          <bdi className="soft small clip">{language === 'ar' ? one.name_en : one.name_ar}</bdi>
        </span>
      ),
    },
    {
      id: 'status',
      title: shared('status'),
      width: '96px',
      render: ({ status }) => <Badge tone={stateTone(status)}>{say('state', status)}</Badge>,
    },
    { id: 'plan', title: t('plan'), width: '100px', from: 'wide', render: (one) => plan(one.plan) },
    {
      id: 'branches',
      title: t('branches'),
      width: '80px',
      end: true,
      from: 'wide',
      render: ({ branch_count }) => number(branch_count),
    },
    {
      id: 'people',
      title: t('people'),
      width: '80px',
      end: true,
      from: 'wide',
      render: ({ user_count }) => number(user_count),
    },
    {
      id: 'wallet',
      title: t('wallet'),
      width: '130px',
      end: true,
      from: 'medium',
      render: ({ balance_sar }) => sum(balance_sar),
    },
    {
      id: 'outstanding',
      title: t('outstanding'),
      width: '130px',
      end: true,
      from: 'medium',
      render: ({ outstanding_sar }) => sum(outstanding_sar),
    },
    {
      id: 'overdue',
      title: t('overdue'),
      width: '108px',
      end: true,
      render: ({ overdue_sar }) =>
        overdue_sar === 0 ? sum(0) : <span className="organizations-overdue">{money(overdue_sar)}</span>,
    },
  ];
  return (
    <DataTable
      label={t('title')}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: '/operator/organizations/$id', params: { id } })}
    />
  );
}
