import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { commonWords, useName, useWords } from '../../../i18n/index.ts';
import { useHasDraft, useRead } from '../../../platform/index.ts';
import { InPlace } from '../../../ui/in-place.tsx';
import { Button, type Column, DataTable, useShortcuts } from '../../../ui/index.ts';
import { extentOfData, ListPage, useListSearch } from '../../../ui/list/index.ts';
import '../catalog.css';
import type { GroupKind } from '../group-picker.tsx';
import { useMayCatalog } from '../may-catalog.ts';
import type { GroupsSearch } from '../searches.ts';
import { DeleteGroup } from './delete-group.tsx';
import type { Group } from './group-calls.ts';
import { GroupForm } from './group-form.tsx';
import './groups.css';
import { useRenameGroup } from './use-rename-group.ts';
import { groupsWords } from './words.ts';

const brandsRoute = getRouteApi('/in/brands');
const categoriesRoute = getRouteApi('/in/categories');
const PATHS = { brand: '/brands', category: '/categories' } as const;
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
  const may = useMayCatalog();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(useHasDraft(kind) && may.create);
  const [deleted, setDeleted] = useState<Group>();
  const list = useListSearch<GroupsSearch>(search, ({ search: change, replace = false }) => {
    void navigate({ to: PATHS[kind], search: change(search), replace });
  });
  const query = { page: list.page, limit: PER_PAGE, ...(search.search && { search: search.search }) };
  const brands = useRead('listBrands', { query }, { keepPrevious: true, enabled: kind === 'brand' });
  const categories = useRead('listCategories', { query }, { keepPrevious: true, enabled: kind === 'category' });
  useShortcuts(may.create ? { c: () => setCreating(true) } : {});
  return (
    <ListPage
      title={t('title')}
      count={(total) => t(`${kind}.count`, { count: total })}
      tools={
        may.create && (
          <Button look="primary" icon="plus" onPress={() => setCreating(true)}>
            {t(`${kind}.create`)}
          </Button>
        )
      }
      tabs={
        <nav className="groups-tabs" aria-label={t('tabs')}>
          {(['brand', 'category'] as const).map((one) => (
            <Link key={one} to={PATHS[one]} className="ui-tab" data-selected={one === kind || undefined}>
              {t(`${one}.title`)}
            </Link>
          ))}
        </nav>
      }
      list={list}
      searchField={{ label: t(`${kind}.search`) }}
      answer={kind === 'brand' ? brands : categories}
      extentOf={extentOfData}
      perPage={PER_PAGE}
      skeletonRows={10}
      empty={{ title: t(`${kind}.empty`), hint: t(`${kind}.emptyHint`) }}
      noMatch={{ title: t('nothing'), hint: t('nothingHint') }}
      after={
        <>
          {isCreating && <GroupForm kind={kind} onClose={() => setCreating(false)} />}
          {deleted !== undefined && <DeleteGroup kind={kind} group={deleted} onClose={() => setDeleted(undefined)} />}
        </>
      }
    >
      {({ data }) => <GroupsTable kind={kind} rows={data} onDelete={setDeleted} />}
    </ListPage>
  );
}

function GroupsTable(props: { kind: GroupKind; rows: readonly Group[]; onDelete(group: Group): void }): ReactNode {
  const t = useWords(groupsWords);
  const common = useWords(commonWords);
  const name = useName();
  const may = useMayCatalog();
  const { kind, rows, onDelete } = props;
  const { rename, dialog } = useRenameGroup(kind);
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
  return (
    <>
      <DataTable label={t(`${kind}.title`)} columns={columns} rows={rows} keyOf={({ id }) => id} />
      {dialog}
    </>
  );
}
