import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { memo, type ReactNode, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useLanguage, useWords } from '../../../i18n/index.ts';
import { useApi } from '../../../platform/index.ts';
import { EmptyState, ErrorState, Loaded, Page, Segments, Skeletons } from '../../../ui/index.ts';
import { ListFilters } from '../../../ui/list/index.ts';
import type { Branch } from '../branches.ts';
import { useBranches } from '../branches.ts';
import '../catalog.css';
import { GroupFilters } from '../group-filters.tsx';
import { useMayCatalog } from '../may-catalog.ts';
import { MATRIX_SHOWS, type MatrixSearch } from '../searches.ts';
import { columnsOf } from './columns.ts';
import { createMatrixData, type MatrixData, PER_PAGE, type Sku } from './matrix-data.ts';
import { MatrixGrid } from './matrix-grid.tsx';
import './matrix.css';
import { useEdits } from './use-edits.ts';
import { useNarrow } from './use-narrow.ts';
import { matrixWords } from './words.ts';

const route = getRouteApi('/in/matrix');
type Change = { [Key in keyof MatrixSearch]: MatrixSearch[Key] | undefined };

export function MatrixPage(): ReactNode {
  const t = useWords(matrixWords);
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/matrix' });
  const branches = useBranches();
  const data = useData(search);
  const [isBusy, setBusy] = useState(false);
  const total = useSyncExternalStore(data.subscribe, data.total);
  const filter = useCallback(
    (change: Change) =>
      void navigate({
        search: (before) =>
          Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined)),
        replace: true,
      }),
    [navigate],
  );
  return (
    <Page
      title={t('title')}
      note={
        total === undefined || branches.data === undefined
          ? ' '
          : t('size', {
              products: t('products', { count: total }),
              branches: t('branches', { count: branches.data.length }),
            })
      }
      tools={
        <span className="matrix-state soft small" role="status">
          {t(isBusy ? 'saving' : 'saved')}
        </span>
      }
    >
      <Filters search={search} filter={filter} />
      <Loaded of={branches} rows={12}>
        {(found) => <Matrix data={data} branches={found} search={search} onBusy={setBusy} />}
      </Loaded>
    </Page>
  );
}

/** Memoized: the answers that arrive below do not re-render it. */
const Filters = memo(function Filters(props: { search: MatrixSearch; filter(change: Change): void }): ReactNode {
  const t = useWords(matrixWords);
  const { search, filter } = props;
  return (
    <ListFilters
      search={{
        label: t('searchLabel'),
        placeholder: t('search'),
        text: search.search,
        onText: (text) => filter({ search: text === '' ? undefined : text }),
      }}
    >
      <Segments
        label={t('show')}
        value={search.show ?? 'stock'}
        onChange={(show) => filter({ show: show === 'stock' ? undefined : show })}
        options={MATRIX_SHOWS.map((value) => ({ value, text: t(`show.${value}`) }))}
      />
      <GroupFilters search={search} onFilter={filter} />
    </ListFilters>
  );
});

function Matrix(props: {
  data: MatrixData;
  branches: readonly Branch[];
  search: MatrixSearch;
  onBusy(isBusy: boolean): void;
}): ReactNode {
  const t = useWords(matrixWords);
  const language = useLanguage();
  const may = useMayCatalog();
  const isNarrow = useNarrow();
  const { data, branches, search, onBusy } = props;
  const columns = useMemo(() => columnsOf(branches, isNarrow), [branches, isNarrow]);
  const { edits, dialog } = useEdits(data, onBusy);
  useSyncExternalStore(data.subscribe, data.version);
  const total = data.total();
  useEffect(() => {
    if (total === undefined) data.see(0, 30);
  }, [data, total]);
  if (data.error() !== undefined) return <ErrorState error={data.error()} onRetry={data.retry} />;
  if (branches.length === 0) {
    return <EmptyState icon="branches" title={t('noBranches')} hint={t('noBranchesHint')} />;
  }
  if (total === undefined) return <Skeletons rows={14} label={t('loading')} />;
  if (total === 0) {
    const isFiltered = [search.search, search.brand, search.category].some((value) => value !== undefined);
    return (
      <EmptyState
        icon="products"
        title={t(isFiltered ? 'nothing' : 'empty')}
        hint={t(isFiltered ? 'nothingHint' : 'emptyHint')}
      />
    );
  }
  return (
    <>
      <MatrixGrid
        key={language}
        data={data}
        total={total}
        columns={columns}
        show={search.show ?? 'stock'}
        mayProducts={may.update}
        maySkus={may.updateSkus}
        edits={edits}
      />
      {dialog}
      <p className="soft small matrix-keys">{t(may.updateSkus ? 'keys' : 'keysRead')}</p>
    </>
  );
}

/** A changed search creates a new list. */
function useData({ search, brand, category }: MatrixSearch): MatrixData {
  const api = useApi();
  const data = useMemo(() => {
    const filter = {
      ...(search && { search }),
      ...(brand && { brand_id: brand }),
      ...(category && { category_id: category }),
    };
    return createMatrixData({
      async products(page, signal) {
        const query = { page, limit: PER_PAGE, sort: 'iv_id', ...filter };
        const answer = await api.call('listProducts', { query, signal });
        return { rows: answer.data, total: answer.total_count };
      },
      async shelf(ivId, signal) {
        const shelf = new Map<string, Sku>();
        for (let page = 1; ; page += 1) {
          const query = { product_iv_id: ivId, page, limit: 100, sort: 'iv_id' };
          const answer = await api.call('listSkus', { query, signal });
          for (const { iv_id, branch_iv_id, price, current_qty, reorder_threshold, is_enabled } of answer.data) {
            shelf.set(branch_iv_id, { iv_id, price, current_qty, reorder_threshold, is_enabled });
          }
          if (!answer.has_next) return shelf;
        }
      },
    });
  }, [api, search, brand, category]);
  useEffect(() => {
    data.begin();
    return data.end;
  }, [data]);
  return data;
}
