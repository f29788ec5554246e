import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { commonWords, useName, useWords } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';
import { InPlace } from '../../../ui/in-place.tsx';
import {
  Button,
  Card,
  type Column,
  DataTable,
  EmptyState,
  Loaded,
  Page,
  Pager,
  useShortcuts,
} from '../../../ui/index.ts';
import '../catalog.css';
import type { GroupKind } from '../group-picker.tsx';
import { useMayCatalog } from '../may-catalog.ts';
import { SearchBox } from '../search-box.tsx';
import type { GroupsSearch } from '../searches.ts';
import { DeleteGroup } from './delete-group.tsx';
import { type Group, useGroupCalls } from './group-calls.ts';
import { GroupForm } from './group-form.tsx';
import './groups.css';
import { groupsWords } from './words.ts';

const brandsRoute = getRouteApi('/in/brands');
const categoriesRoute = getRouteApi('/in/categories');
const PER_PAGE = 50;
const LONGEST = 255;

export function BrandsPage(): ReactNode {
  return <GroupsPage key="brand" kind="brand" search={brandsRoute.useSearch()} />;
}

export function CategoriesPage(): ReactNode {
  return <GroupsPage key="category" kind="category" search={categoriesRoute.useSearch()} />;
}

function GroupsPage({ kind, search }: { kind: GroupKind; search: GroupsSearch }): ReactNode {
  const t = useWords(groupsWords);
  const common = useWords(commonWords);
  const may = useMayCatalog();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const [deleted, setDeleted] = useState<Group>();
  const given = {
    query: { page: search.page ?? 1, limit: PER_PAGE, ...(search.search && { search: search.search }) },
  };
  const brands = useRead('listBrands', given, { keepPrevious: true, enabled: kind === 'brand' });
  const categories = useRead('listCategories', given, { keepPrevious: true, enabled: kind === 'category' });
  const groups = kind === 'brand' ? brands : categories;
  const to = kind === 'brand' ? '/brands' : '/categories';
  const go = (next: GroupsSearch, replace = false) => void navigate({ to, search: next, replace });
  useShortcuts(may.create ? { c: () => setCreating(true) } : {});
  const total = groups.data?.total_count;
  return (
    <Page
      title={t('title')}
      note={total === undefined ? ' ' : t(`${kind}.count`, { count: total })}
      tools={
        may.create && (
          <Button look="primary" icon="plus" onPress={() => setCreating(true)}>
            {t(`${kind}.create`)}
          </Button>
        )
      }
    >
      <nav className="groups-tabs" aria-label={t('tabs')}>
        {(['brand', 'category'] as const).map((one) => (
          <Link
            key={one}
            to={one === 'brand' ? '/brands' : '/categories'}
            className="ui-tab"
            data-selected={one === kind || undefined}
          >
            {t(`${one}.title`)}
          </Link>
        ))}
      </nav>
      <search className="catalog-filters">
        <SearchBox
          label={t(`${kind}.search`)}
          placeholder={t(`${kind}.search`)}
          text={search.search ?? ''}
          onText={(text) => go(text === '' ? {} : { search: text }, true)}
        />
      </search>
      <Card flush>
        <Loaded of={groups} rows={10}>
          {({ data, total_count }) =>
            data.length === 0 ? (
              <EmptyState
                title={search.search === undefined ? t(`${kind}.empty`) : t('nothing')}
                hint={search.search === undefined ? t(`${kind}.emptyHint`) : t('nothingHint')}
                {...(search.search !== undefined && {
                  action: <Button onPress={() => go({})}>{common('clearFilters')}</Button>,
                })}
              />
            ) : (
              <>
                <GroupsTable kind={kind} rows={data} onDelete={setDeleted} />
                <div className="catalog-pager">
                  <Pager
                    page={search.page ?? 1}
                    perPage={PER_PAGE}
                    total={total_count}
                    onPage={(page) =>
                      go({ ...(search.search && { search: search.search }), ...(page > 1 && { page }) })
                    }
                  />
                </div>
              </>
            )
          }
        </Loaded>
      </Card>
      {isCreating && <GroupForm kind={kind} onClose={() => setCreating(false)} />}
      {deleted !== undefined && <DeleteGroup kind={kind} group={deleted} onClose={() => setDeleted(undefined)} />}
    </Page>
  );
}

function GroupsTable(props: { kind: GroupKind; rows: readonly Group[]; onDelete(group: Group): void }): ReactNode {
  const t = useWords(groupsWords);
  const common = useWords(commonWords);
  const name = useName();
  const may = useMayCatalog();
  const { kind, rows, onDelete } = props;
  const { rename } = useGroupCalls(kind);
  const nameColumn = (field: 'name_en' | 'name_ar'): Column<Group> => ({
    id: field,
    title: t(`column.${field}`),
    width: 'minmax(110px, 2fr)',
    render: (group) => (
      <InPlace
        label={t(field)}
        value={group[field]}
        isReadOnly={!may.update}
        check={(text) => {
          if (text === '' && group[field === 'name_en' ? 'name_ar' : 'name_en'] === '') return t('nameNeeded');
          return text.length > LONGEST ? t('tooLong') : undefined;
        }}
        onSave={(text) => rename(group, { [field]: text })}
      />
    ),
  });
  const columns: Column<Group>[] = [
    nameColumn('name_en'),
    nameColumn('name_ar'),
    {
      id: 'products',
      title: t('column.products'),
      width: '130px',
      from: 'medium',
      render: ({ id }) => (
        <Link to="/products" search={kind === 'brand' ? { brand: id } : { category: id }}>
          {t('show')}
        </Link>
      ),
    },
    ...(may.delete
      ? [
          {
            id: 'delete',
            title: common('delete'),
            hideTitle: true,
            width: '40px',
            end: true,
            render: (group: Group) => (
              <Button
                look="quiet"
                size="small"
                icon="close"
                aria-label={t('deleteOne', { name: name(group) })}
                onPress={() => onDelete(group)}
              />
            ),
          },
        ]
      : []),
  ];
  return <DataTable label={t(`${kind}.title`)} columns={columns} rows={rows} keyOf={({ id }) => id} />;
}
