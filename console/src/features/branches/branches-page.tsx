import type { Schemas } from '@dukkan/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { useFormat, useName, useWords } from '../../i18n/index.ts';
import { useHasDraft, useMay, useOrganization, useRead } from '../../platform/index.ts';
import { Badge, Button, Card, type Column, DataTable, Page } from '../../ui/index.ts';
import { extentOfData, ListCard, useListSearch } from '../../ui/list/index.ts';
import './branches.css';
import { BRANCH_DRAFT } from './branch-draft.ts';
import { BranchFilters } from './branch-filters.tsx';
import { BranchMap } from './branch-map.tsx';
import { type BranchesSearch, DEFAULT_RADIUS, PER_PAGE } from './branch-search.ts';
import { OpenState } from './open-state.tsx';
import { readPlace } from './places.ts';
import { STATUS_TONES } from './status-tone.ts';
import { branchesWords } from './words.ts';

const CreateBranch = lazy(() => import('./create-branch.tsx'));

type Branch = Schemas['Branch'];
const route = getRouteApi('/in/branches');
const MINUTE_MS = 60_000;

export function BranchesPage(): ReactNode {
  const t = useWords(branchesWords);
  const may = useMay();
  const { branch_id } = useOrganization();
  const search = route.useSearch();
  const list = useListSearch(search, useNavigate({ from: '/branches' }));
  const [isCreating, setCreating] = useState(useHasDraft(BRANCH_DRAFT));
  const [highlighted, setHighlighted] = useState<string>();
  const around = useMemo(() => aroundOf(search), [search]);
  const branches = useRead(
    'listBranches',
    { query: queryOf(search) },
    { keepPrevious: true, refetchInterval: MINUTE_MS },
  );
  const mayCreate = may('create:Branches') && branch_id === null;
  const data = branches.data?.data ?? [];
  const total = branches.data?.total_count;
  const open = data.filter(({ is_open, active }) => is_open && active).length;
  const placeless = data.filter(({ location }) => location === null).length;
  const create = mayCreate && (
    <Button look="primary" icon="plus" onPress={() => setCreating(true)}>
      {t('create')}
    </Button>
  );
  return (
    <Page
      title={t('title')}
      note={total === undefined ? ' ' : `${t('count', { count: total })} · ${t('openCount', { open })}`}
      tools={create}
    >
      <BranchFilters list={list} />
      <div className="branches-columns">
        <ListCard
          answer={branches}
          extentOf={extentOfData}
          pager={{ page: list.page, perPage: PER_PAGE, onPage: list.turnTo, hideSinglePage: true }}
          isFiltered={list.isFiltered}
          onClear={list.clear}
          empty={{ icon: 'branches', title: t('empty'), hint: t('emptyHint'), action: create }}
          noMatch={{ title: t('nothing'), hint: t('nothingHint') }}
        >
          {(answer) => <BranchTable rows={answer.data} highlighted={highlighted} onHighlight={setHighlighted} />}
        </ListCard>
        <div className="branches-map">
          <Card flush>
            <BranchMap branches={data} around={around} highlighted={highlighted} onHighlight={setHighlighted} />
          </Card>
          <p className="branches-legend soft small" aria-hidden="true">
            <span data-is="open">{t('open')}</span>
            <span data-is="closed">{t('closed')}</span>
            <span data-is="inactive">{t('inactive')}</span>
          </p>
          {placeless > 0 && <p className="soft small">{t('notOnMap', { count: placeless })}</p>}
        </div>
      </div>
      <Suspense>{isCreating && mayCreate && <CreateBranch onClose={() => setCreating(false)} />}</Suspense>
    </Page>
  );
}

function BranchTable(props: {
  rows: readonly Branch[];
  highlighted: string | undefined;
  onHighlight(id: string | undefined): void;
}): ReactNode {
  const t = useWords(branchesWords);
  const name = useName();
  const { number } = useFormat();
  const navigate = useNavigate();
  const { rows, highlighted, onHighlight } = props;
  const isNear = rows.some(({ distance_km }) => distance_km !== undefined);
  const rowAt = (target: EventTarget) => {
    const index = target instanceof Element ? target.closest('[data-index]')?.getAttribute('data-index') : undefined;
    onHighlight(index == null ? undefined : rows[Number(index)]?.id);
  };
  const columns: Column<Branch>[] = [
    {
      id: 'branch',
      title: t('column.branch'),
      width: 'minmax(140px, 1.5fr)',
      render: (branch) => (
        <span className="ui-cell-two">
          <span className="strong clip">{name(branch) || branch.iv_id}</span>
          <span className="soft small clip ltr">{branch.iv_id}</span>
        </span>
      ),
    },
    {
      id: 'status',
      title: t('column.status'),
      width: '112px',
      render: ({ status, active }) =>
        active ? (
          <Badge tone={STATUS_TONES[status]}>{t(`status.${status}`)}</Badge>
        ) : (
          <Badge tone="warn">{t('inactive')}</Badge>
        ),
    },
    {
      id: 'open',
      title: t('column.open'),
      width: 'minmax(168px, 1fr)',
      render: (branch) => <OpenState branch={branch} />,
    },
    ...(isNear
      ? [
          {
            id: 'distance',
            title: t('column.distance'),
            width: '76px',
            end: true,
            render: ({ distance_km }: Branch) =>
              distance_km === undefined ? '—' : t('distance', { km: number(Math.round(distance_km * 10) / 10) }),
          },
        ]
      : []),
  ];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only marks on the map what the pointer is at; rows have their own keys
    <div
      onPointerOver={({ target }) => rowAt(target)}
      onPointerLeave={() => onHighlight(undefined)}
      onFocus={({ target }) => rowAt(target)}
      onBlur={() => onHighlight(undefined)}
    >
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        isSelected={({ id }) => id === highlighted}
        onOpen={({ iv_id }) => void navigate({ to: '/branches/$ivId', params: { ivId: iv_id } })}
      />
    </div>
  );
}

function aroundOf({ near, km = DEFAULT_RADIUS }: BranchesSearch) {
  const place = near === undefined ? undefined : readPlace(near);
  return place === undefined ? undefined : { lat: place.lat, lon: place.lon, km };
}

function queryOf(search: BranchesSearch) {
  const around = aroundOf(search);
  // Rounded to the minute, so that the query is the same for a minute.
  const now = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS).toISOString();
  return {
    page: search.page ?? 1,
    limit: PER_PAGE,
    ...(around === undefined
      ? { sort: 'name_en' }
      : { near_lat: around.lat, near_lon: around.lon, radius_km: around.km }),
    ...(search.search && { search: search.search }),
    ...(search.status && { status: search.status }),
    ...(search.open && { open_at: now, active: true }),
  };
}
