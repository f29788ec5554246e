import { parseDate } from '@internationalized/date';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { commonWords, orderWords, useFormat, useWords } from '../../i18n/index.ts';
import { useMay, useRead } from '../../platform/index.ts';
import { DateRange } from '../../ui/date-range.tsx';
import { Button, Card, EmptyState, Loaded, Page, Pager, SearchField, Segments } from '../../ui/index.ts';
import './orders.css';
import { BulkMoves } from './bulk-moves.tsx';
import { ExportOrders } from './export-orders.tsx';
import { FILTER_STATUSES, type OrdersSearch, PER_PAGE } from './order-search.ts';
import { OrdersTable } from './orders-table.tsx';
import { SavedViews } from './saved-views.tsx';
import { useLiveOrders } from './use-live-orders.ts';
import { useOrderSelection } from './use-order-selection.ts';
import { ordersWords } from './words.ts';

const route = getRouteApi('/in/orders');
const TYPING_MS = 250;

export function OrdersPage(): ReactNode {
  const t = useWords(ordersWords);
  const common = useWords(commonWords);
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/orders' });
  const { timeZone } = useFormat();
  const orders = useRead('listOrders', { query: queryOf(search, timeZone) }, { keepPrevious: true });
  const { rows, arrived, isChanged } = useLiveOrders(orders.data, search);
  const may = useMay();
  const selection = useOrderSelection();

  /** Every other filter begins at the first page again. */
  const filter = (change: Partial<OrdersSearch>) =>
    void navigate({ search: ({ page: _, ...before }) => withoutAbsent({ ...before, ...change }), replace: true });
  const isFiltered = Object.keys(search).some((name) => name !== 'page' && name !== 'sort');
  const total = orders.data?.pagination.total_items;

  return (
    <Page
      title={t('title')}
      note={total === undefined ? ' ' : t('count', { count: total })}
      tools={
        <>
          <SavedViews search={search} onOpen={(view) => void navigate({ search: view })} />
          {may('export:Orders') && <ExportOrders query={filtersOf(search, timeZone)} />}
        </>
      }
    >
      <Filters search={search} onFilter={filter} isFiltered={isFiltered} />
      <Card flush>
        <div role="status">
          {arrived > 0 && (
            <div className="orders-arrived">
              <Button look="quiet" size="small" icon="bolt" onPress={() => void orders.refetch()}>
                {t('arrived', { count: arrived })}
              </Button>
            </div>
          )}
        </div>
        <Loaded of={orders} rows={10}>
          {({ pagination }) =>
            rows.length === 0 ? (
              <EmptyState
                icon="orders"
                title={isFiltered ? t('nothing') : t('empty')}
                hint={isFiltered ? t('nothingHint') : t('emptyHint')}
                {...(isFiltered && {
                  action: <Button onPress={() => void navigate({ search: {} })}>{common('clearFilters')}</Button>,
                })}
              />
            ) : (
              <>
                <OrdersTable
                  rows={rows}
                  isChanged={isChanged}
                  selection={may('update:Orders') ? selection : undefined}
                  sort={search.sort ?? '-created'}
                  onSort={(sort) => filter({ sort })}
                />
                <div className="orders-pager">
                  <Pager
                    page={pagination.page}
                    perPage={PER_PAGE}
                    total={pagination.total_items}
                    onPage={(page) =>
                      void navigate({
                        search: (before) => withoutAbsent({ ...before, page: page > 1 ? page : undefined }),
                      })
                    }
                  />
                </div>
              </>
            )
          }
        </Loaded>
        {selection.orders.length > 0 && <BulkMoves selection={selection} />}
      </Card>
    </Page>
  );
}

function Filters(props: {
  search: OrdersSearch;
  onFilter(change: Partial<OrdersSearch>): void;
  isFiltered: boolean;
}): ReactNode {
  const t = useWords(ordersWords);
  const common = useWords(commonWords);
  const status = useWords(orderWords);
  const { search, onFilter, isFiltered } = props;
  const { from, to } = search;
  const words = {
    RECEIVED: 'status.received',
    READY_FOR_PICKUP: 'status.ready_for_pickup',
    DISPATCHED: 'status.dispatched',
    DELIVERED: 'status.delivered',
    CANCELLED: 'status.cancelled',
  } as const;
  return (
    <search className="orders-filters">
      <SearchBox text={search.search ?? ''} onText={(text) => onFilter({ search: text === '' ? undefined : text })} />
      <Segments
        label={t('status')}
        value={search.status ?? 'all'}
        onChange={(value) => onFilter({ status: value === 'all' ? undefined : value })}
        options={[
          { value: 'all' as const, text: common('all') },
          ...FILTER_STATUSES.map((value) => ({ value, text: status(words[value]) })),
        ]}
      />
      <DateRange
        label={t('dates')}
        value={from !== undefined && to !== undefined ? { from, to } : undefined}
        onChange={(days) => onFilter({ from: days?.from, to: days?.to })}
      />
      {isFiltered && (
        <Button
          look="quiet"
          onPress={() =>
            onFilter({ status: undefined, search: undefined, source: undefined, from: undefined, to: undefined })
          }
        >
          {common('clearFilters')}
        </Button>
      )}
    </search>
  );
}

/** Asks when the typing pauses, and follows the address when that changes by other means. */
function SearchBox({ text, onText }: { text: string; onText(text: string): void }): ReactNode {
  const t = useWords(ordersWords);
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(() => onText(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, text, onText]);
  return <SearchField label={t('searchLabel')} placeholder={t('search')} value={typed} onChange={setTyped} />;
}

function queryOf(search: OrdersSearch, timeZone: string) {
  return {
    format: 'canonical',
    page: search.page ?? 1,
    limit: PER_PAGE,
    ...filtersOf(search, timeZone),
  } as const;
}

function filtersOf({ status, search, source, from, to, sort }: OrdersSearch, timeZone: string) {
  return {
    ...(status && { status }),
    ...(search && { search }),
    ...(source && { source }),
    ...(sort && { sort }),
    // Days as the organization has them, both included.
    ...(from && { from: parseDate(from).toDate(timeZone).toISOString() }),
    ...(to && { to: new Date(parseDate(to).add({ days: 1 }).toDate(timeZone).getTime() - 1).toISOString() }),
  };
}

function withoutAbsent(search: { [Key in keyof OrdersSearch]: OrdersSearch[Key] | undefined }): OrdersSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}
