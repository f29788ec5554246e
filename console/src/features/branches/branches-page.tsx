import type { Schemas } from '@dukkan/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { commonWords, useFormat, useName, useWords } from '../../i18n/index.ts';
import { useMay, useOrganization, useRead } from '../../platform/index.ts';
import { Badge, Button, Card, type Column, DataTable, EmptyState, Loaded, Page, Pager } from '../../ui/index.ts';
import './branches.css';
import { BranchFilters } from './branch-filters.tsx';
import { BranchMap } from './branch-map.tsx';
import { type BranchesSearch, DEFAULT_RADIUS, PER_PAGE } from './branch-search.ts';
import { CreateBranch } from './create-branch.tsx';
import { OpenState } from './open-state.tsx';
import { readPlace } from './places.ts';
import { STATUS_TONES } from './status-tone.ts';
import { branchesWords } from './words.ts';

type Branch = Schemas['Branch'];
const route = getRouteApi('/in/branches');
const MINUTE_MS = 60_000;

export function BranchesPage(): ReactNode {
  const t = useWords(branchesWords);
  const common = useWords(commonWords);
  const may = useMay();
  const { branch_id } = useOrganization();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/branches' });
  const [isCreating, setCreating] = useState(false);
  const [highlighted, setHighlighted] = useState<string>();
  const around = useMemo(() => aroundOf(search), [search]);
  const branches = useRead(
    'listBranches',
    { query: queryOf(search) },
    { keepPrevious: true, refetchInterval: MINUTE_MS },
  );
  const filter = (change: { [Key in keyof BranchesSearch]?: BranchesSearch[Key] | undefined }) =>
    void navigate({ search: ({ page: _, ...before }) => withoutAbsent({ ...before, ...change }), replace: true });
  const isFiltered = Object.keys(search).some((name) => name !== 'page');
  const mayCreate = may('create:Branches') && branch_id === null;
  const data = branches.data?.data ?? [];
  const total = branches.data?.total_count;
  const open = data.filter(({ is_open }) => is_open).length;
  const placeless = data.filter(({ location }) => location === null).length;
  return (
    <Page
      title={t('title')}
      note={total === undefined ? ' ' : `${t('count', { count: total })} · ${t('openCount', { open })}`}
      tools={
        mayCreate && (
          <Button look="primary" icon="plus" onPress={() => setCreating(true)}>
            {t('create')}
          </Button>
        )
      }
    >
      <BranchFilters search={search} onFilter={filter} isFiltered={isFiltered} />
      <div className="branches-columns">
        <Card flush>
          <Loaded of={branches} rows={8}>
            {({ total_count, page }) =>
              data.length === 0 ? (
                <EmptyState
                  icon="branches"
                  title={isFiltered ? t('nothing') : t('empty')}
                  hint={isFiltered ? t('nothingHint') : t('emptyHint')}
                  action={
                    isFiltered ? (
                      <Button onPress={() => void navigate({ search: {} })}>{common('clearFilters')}</Button>
                    ) : (
                      mayCreate && (
                        <Button look="primary" icon="plus" onPress={() => setCreating(true)}>
                          {t('create')}
                        </Button>
                      )
                    )
                  }
                />
              ) : (
                <>
                  <BranchTable rows={data} highlighted={highlighted} onHighlight={setHighlighted} />
                  {total_count > PER_PAGE && (
                    <div className="branches-pager">
                      <Pager
                        page={page}
                        perPage={PER_PAGE}
                        total={total_count}
                        onPage={(next) =>
                          void navigate({
                            search: (before) => withoutAbsent({ ...before, page: next > 1 ? next : undefined }),
                          })
                        }
                      />
                    </div>
                  )}
                </>
              )
            }
          </Loaded>
        </Card>
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
      {isCreating && <CreateBranch onClose={() => setCreating(false)} />}
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
      from: 'medium',
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
      width: 'minmax(128px, 1fr)',
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
  // By the minute, so that it is one question for a minute.
  const now = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS).toISOString();
  return {
    page: search.page ?? 1,
    limit: PER_PAGE,
    ...(around === undefined
      ? { sort: 'name_en' }
      : { near_lat: around.lat, near_lon: around.lon, radius_km: around.km }),
    ...(search.search && { search: search.search }),
    ...(search.status && { status: search.status }),
    ...(search.open && { open_at: now }),
  };
}

function withoutAbsent(search: { [Key in keyof BranchesSearch]?: BranchesSearch[Key] | undefined }): BranchesSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}
