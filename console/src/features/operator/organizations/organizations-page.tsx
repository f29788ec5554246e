import type { Row } from '@dukkan/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { commonWords, useFormat, useLanguage, useName, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { Badge, Button, Card, type Column, EmptyState, Loaded, Page, Segments } from '../../../ui/index.ts';
import { PagedTable } from '../parts/paged-table.tsx';
import { present } from '../parts/present.ts';
import { useOperatorWords, useSay } from '../parts/say.ts';
import { SearchBox } from '../parts/search-box.tsx';
import { stateTone } from '../parts/tones.ts';
import { type OperatorSearch, STATES } from '../search.ts';
import { OpenOrganization } from './open-organization.tsx';
import { usePlanName } from './plans.ts';
import { ResetTotp } from './reset-totp.tsx';
import './organizations.css';
import { organizationsWords } from './words.ts';

const route = getRouteApi('/in/operator/organizations');
const PER_PAGE = 25;

export function OrganizationsPage(): ReactNode {
  const t = useWords(organizationsWords);
  const common = useWords(commonWords);
  const shared = useOperatorWords();
  const { search, status, page = 1, invite } = route.useSearch();
  const navigate = useNavigate({ from: '/operator/organizations' });
  const [isOpening, setOpening] = useState(invite !== undefined);
  const [isResetting, setResetting] = useState(false);
  const found = useRead(
    'listFleetOrganizations',
    { query: { page, limit: PER_PAGE, ...(search && { search }), ...(status && { status }) } },
    { keepPrevious: true },
  );
  const isFiltered = search !== undefined || status !== undefined;
  const filter = (change: Partial<OperatorSearch>) =>
    void navigate({ search: ({ page: _, invite: __, ...before }) => present({ ...before, ...change }), replace: true });
  const total = found.data?.total_count;
  return (
    <Page
      title={t('title')}
      note={total === undefined ? ' ' : t('count', { count: total })}
      tools={
        <>
          <Button icon="lock" onPress={() => setResetting(true)}>
            {t('resetTotp')}
          </Button>
          <Button look="primary" icon="plus" onPress={() => setOpening(true)}>
            {t('open')}
          </Button>
        </>
      }
    >
      <search className="operator-filters">
        <SearchBox
          label={t('searchLabel')}
          placeholder={t('search')}
          text={search ?? ''}
          onText={(text) => filter({ search: text })}
        />
        <Segments
          label={shared('status')}
          value={status ?? 'all'}
          onChange={(value) => filter({ status: value === 'all' ? undefined : value } as Partial<OperatorSearch>)}
          options={[
            { value: 'all' as const, text: common('all') },
            ...STATES.map((value) => ({ value, text: shared(`state.${value}`) })),
          ]}
        />
      </search>
      <Card flush>
        <Loaded of={found} rows={8}>
          {({ data, total_count }) =>
            data.length === 0 ? (
              <EmptyState
                icon="branches"
                title={isFiltered ? t('nothing') : t('empty')}
                hint={isFiltered ? t('nothingHint') : t('emptyHint')}
                action={
                  isFiltered ? (
                    <Button onPress={() => void navigate({ search: {} })}>{common('clearFilters')}</Button>
                  ) : (
                    <Button onPress={() => setOpening(true)}>{t('open')}</Button>
                  )
                }
              />
            ) : (
              <Table
                rows={data}
                page={page}
                total={total_count}
                onPage={(next) => void navigate({ search: (before) => present({ ...before, page: next }) })}
              />
            )
          }
        </Loaded>
      </Card>
      {isResetting && <ResetTotp onClose={() => setResetting(false)} />}
      {isOpening && (
        <OpenOrganization
          email={invite ?? ''}
          onClose={() => {
            setOpening(false);
            if (invite !== undefined) filter({});
          }}
        />
      )}
    </Page>
  );
}

function Table(props: {
  rows: Row<'listFleetOrganizations'>[];
  page: number;
  total: number;
  onPage(page: number): void;
}): ReactNode {
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
          <span className="soft small clip">{language === 'ar' ? one.name_en : one.name_ar}</span>
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
    <PagedTable
      label={t('title')}
      columns={columns}
      rows={props.rows}
      keyOf={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: '/operator/organizations/$id', params: { id } })}
      page={props.page}
      perPage={PER_PAGE}
      total={props.total}
      onPage={props.onPage}
    />
  );
}
