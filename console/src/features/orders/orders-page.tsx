import type { Schemas } from '@dukkan/sdk';
import { parseDate } from '@internationalized/date';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { commonWords, orderWords, useChannelName, useFormat, useWords } from '../../i18n/index.ts';
import { useRead } from '../../platform/index.ts';
import { DateRange } from '../../ui/date-range.tsx';
import {
  Badge,
  Button,
  Card,
  type Column,
  DataTable,
  EmptyState,
  Loaded,
  orderTone,
  Page,
  Pager,
  paymentTone,
  SearchField,
  Segments,
} from '../../ui/index.ts';
import './orders.css';
import { FILTER_STATUSES, type OrdersSearch, PER_PAGE, type Sort } from './order-search.ts';
import { useLiveOrders } from './use-live-orders.ts';
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

  /** Every other filter begins at the first page again. */
  const filter = (change: Partial<OrdersSearch>) =>
    void navigate({ search: ({ page: _, ...before }) => withoutAbsent({ ...before, ...change }), replace: true });
  const isFiltered = Object.keys(search).some((name) => name !== 'page' && name !== 'sort');
  const total = orders.data?.pagination.total_items;

  return (
    <Page title={t('title')} note={total === undefined ? ' ' : t('count', { count: total })}>
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

type Order = Schemas['CanonicalOrder'];

function OrdersTable(props: {
  rows: readonly Order[];
  isChanged(id: string): boolean;
  sort: Sort;
  onSort(sort: Sort): void;
}): ReactNode {
  const t = useWords(ordersWords);
  const status = useWords(orderWords);
  const channel = useChannelName();
  const { money, dateTime, when } = useFormat();
  const navigate = useNavigate();
  const sortOf = (column: 'created' | 'total_amount' | 'customer_name') => ({
    direction:
      props.sort === column
        ? ('ascending' as const)
        : props.sort === `-${column}`
          ? ('descending' as const)
          : undefined,
    onSort: () => props.onSort(props.sort === `-${column}` ? column : `-${column}`),
  });
  const columns: Column<Order>[] = [
    {
      id: 'order',
      title: t('column.order'),
      width: 'minmax(150px, 1.2fr)',
      render: ({ external, customer }) => (
        <span className="ui-cell-two">
          <span className="ltr strong clip orders-code">{external.code}</span>
          <span className="soft small clip orders-narrow">{customer.name ?? t('noName')}</span>
        </span>
      ),
    },
    {
      id: 'customer',
      title: t('column.customer'),
      width: 'minmax(120px, 1.4fr)',
      from: 'medium',
      sort: sortOf('customer_name'),
      render: ({ customer }) => customer.name ?? <span className="soft">{t('noName')}</span>,
    },
    {
      id: 'channel',
      title: t('column.channel'),
      width: 'minmax(96px, 1fr)',
      from: 'wide',
      render: ({ channel: { app_slug } }) => channel(app_slug),
    },
    {
      id: 'branch',
      title: t('column.branch'),
      width: 'minmax(96px, 1.2fr)',
      from: 'wide',
      render: ({ branch }) => branch.name ?? branch.reference ?? '—',
    },
    {
      id: 'status',
      title: t('column.status'),
      width: '140px',
      from: 'medium',
      render: (order) => <Badge tone={orderTone(order.status)}>{status(`status.${order.status}`)}</Badge>,
    },
    {
      id: 'payment',
      title: t('column.payment'),
      width: '110px',
      from: 'wide',
      render: ({ payment }) => <Badge tone={paymentTone(payment.status)}>{status(`payment.${payment.status}`)}</Badge>,
    },
    {
      id: 'time',
      title: t('column.time'),
      width: '110px',
      from: 'medium',
      sort: sortOf('created'),
      render: ({ created_at }) => (
        <time dateTime={created_at} title={dateTime(created_at)} className="soft">
          {when(created_at)}
        </time>
      ),
    },
    {
      id: 'total',
      title: t('column.total'),
      width: '120px',
      end: true,
      sort: sortOf('total_amount'),
      render: (order) => (
        <span className="ui-cell-two">
          <span>{money(order.amounts.total, order.amounts.currency)}</span>
          <span className="orders-narrow">
            <Badge tone={orderTone(order.status)}>{status(`status.${order.status}`)}</Badge>
          </span>
        </span>
      ),
    },
  ];
  return (
    <DataTable
      label={t('title')}
      columns={columns}
      rows={props.rows}
      keyOf={({ id }) => id}
      isFresh={({ id }) => props.isChanged(id)}
      onOpen={({ id }) => void navigate({ to: '/orders/$id', params: { id } })}
    />
  );
}

function queryOf({ status, search, source, from, to, sort, page }: OrdersSearch, timeZone: string) {
  return {
    format: 'canonical',
    page: String(page ?? 1),
    limit: String(PER_PAGE),
    ...(status && { status }),
    ...(search && { search }),
    ...(source && { source }),
    ...(sort && { sort }),
    // Days as the organization has them, both included.
    ...(from && { from: parseDate(from).toDate(timeZone).toISOString() }),
    ...(to && { to: new Date(parseDate(to).add({ days: 1 }).toDate(timeZone).getTime() - 1).toISOString() }),
  } as const;
}

function withoutAbsent(search: { [Key in keyof OrdersSearch]: OrdersSearch[Key] | undefined }): OrdersSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}
