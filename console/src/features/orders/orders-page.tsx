import type { Schemas } from '@dukkan/sdk';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { useMay, useRead } from '../../platform/index.ts';
import { Button, Icon } from '../../ui/index.ts';
import { ListPage, useListSearch, useSelection } from '../../ui/list/index.ts';
import './orders.css';
import { AlertsMenu } from './alerts/alerts-menu.tsx';
import { ExportOrders } from './export-orders.tsx';
import { OrderFilters } from './order-filters.tsx';
import { filtersOf, queryOf } from './order-query.ts';
import { PER_PAGE } from './order-search.ts';
import { OrdersTable } from './orders-table.tsx';
import { SavedViews } from './saved-views.tsx';
import { useLiveOrders } from './use-live-orders.ts';
import { ordersWords } from './words.ts';

const BulkTools = lazy(() => import('./bulk-tools.tsx'));
const route = getRouteApi('/in/orders');
type Order = Schemas['CanonicalOrder'];

export function OrdersPage(): ReactNode {
  const t = useWords(ordersWords);
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/orders' });
  const list = useListSearch(search, navigate);
  const { timeZone } = useFormat();
  const orders = useRead('listOrders', { query: queryOf(search, timeZone) }, { keepPrevious: true });
  const { rows, arrived, isChanged } = useLiveOrders(orders.data, search);
  const may = useMay();
  const selection = useSelection<Order>(({ id }) => id);
  return (
    <ListPage
      title={t('title')}
      count={(total) => t('count', { count: total })}
      tools={
        <>
          <AlertsMenu />
          <SavedViews search={search} onOpen={(view) => void navigate({ search: view })} />
          {may('create:Orders') && <NewOrderLink />}
          {may('export:Orders') && <ExportOrders query={filtersOf(search, timeZone)} />}
        </>
      }
      list={list}
      searchField={{ label: t('searchLabel'), placeholder: t('search') }}
      filters={<OrderFilters search={search} onFilter={list.filter} />}
      answer={orders}
      extentOf={({ pagination }) => ({ shown: rows.length, total: pagination.total_items, page: pagination.page })}
      perPage={PER_PAGE}
      skeletonRows={10}
      empty={{ icon: 'orders', title: t('empty'), hint: t('emptyHint') }}
      noMatch={{ title: t('nothing'), hint: t('nothingHint') }}
      notice={<Arrived count={arrived} onShow={() => void orders.refetch()} />}
      bulk={
        selection.rows.length > 0 && (
          <Suspense>
            <BulkTools selection={selection} />
          </Suspense>
        )
      }
    >
      {() => (
        <OrdersTable
          rows={rows}
          isChanged={isChanged}
          selection={selection}
          sort={search.sort ?? '-created'}
          onSort={(sort) => list.filter({ sort })}
        />
      )}
    </ListPage>
  );
}

function NewOrderLink(): ReactNode {
  const t = useWords(ordersWords);
  return (
    <Link to="/orders/new" className="ui-button" data-look="primary">
      <Icon name="plus" /> {t('newOrder')}
    </Link>
  );
}

function Arrived({ count, onShow }: { count: number; onShow(): void }): ReactNode {
  const t = useWords(ordersWords);
  return (
    <div role="status">
      {count > 0 && (
        <div className="orders-arrived">
          <Button look="quiet" size="small" icon="bolt" onPress={onShow}>
            {t('arrived', { count })}
          </Button>
        </div>
      )}
    </div>
  );
}
