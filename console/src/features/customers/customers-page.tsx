import type { Schemas } from '@dukkan/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { commonWords, useFormat, useWords } from '../../i18n/index.ts';
import { useRead } from '../../platform/index.ts';
import { Button, Card, type Column, DataTable, EmptyState, Loaded, Page, Pager, SearchField } from '../../ui/index.ts';
import './customers.css';
import { type CustomersSearch, PER_PAGE, type Sort } from './customer-search.ts';
import { customersWords } from './words.ts';

type Customer = Schemas['Customer'];
const route = getRouteApi('/in/customers');
const TYPING_MS = 250;

export function CustomersPage(): ReactNode {
  const t = useWords(customersWords);
  const common = useWords(commonWords);
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/customers' });
  const sort = search.sort ?? '-last_order_at';
  const customers = useRead(
    'listCustomers',
    { query: { page: search.page ?? 1, limit: PER_PAGE, sort, ...(search.search && { search: search.search }) } },
    { keepPrevious: true },
  );
  const filter = (change: { [Key in keyof CustomersSearch]?: CustomersSearch[Key] | undefined }) =>
    void navigate({ search: ({ page: _, ...before }) => withoutAbsent({ ...before, ...change }), replace: true });
  const total = customers.data?.total_count;
  const isFiltered = search.search !== undefined;
  return (
    <Page title={t('title')} note={total === undefined ? ' ' : t('count', { count: total })}>
      <search className="customers-filters">
        <SearchBox text={search.search ?? ''} onText={(text) => filter({ search: text === '' ? undefined : text })} />
      </search>
      <div className="customers-list">
        <Card flush>
          <Loaded of={customers} rows={10}>
            {({ data, page, total_count }) =>
              data.length === 0 ? (
                <EmptyState
                  icon="customers"
                  title={isFiltered ? t('nothing') : t('empty')}
                  hint={isFiltered ? t('nothingHint') : t('emptyHint')}
                  {...(isFiltered && {
                    action: <Button onPress={() => void navigate({ search: {} })}>{common('clearFilters')}</Button>,
                  })}
                />
              ) : (
                <>
                  <CustomersTable rows={data} sort={sort} onSort={(next) => filter({ sort: next })} />
                  <div className="customers-pager">
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
                </>
              )
            }
          </Loaded>
        </Card>
      </div>
    </Page>
  );
}

function SearchBox({ text, onText }: { text: string; onText(text: string): void }): ReactNode {
  const t = useWords(customersWords);
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(() => onText(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, text, onText]);
  return <SearchField label={t('searchLabel')} placeholder={t('search')} value={typed} onChange={setTyped} />;
}

type SortColumn = 'name' | 'orders' | 'spent' | 'last_order_at' | 'first_order_at';

function CustomersTable(props: { rows: readonly Customer[]; sort: Sort; onSort(sort: Sort): void }): ReactNode {
  const t = useWords(customersWords);
  const { money, number, when, date, dateTime } = useFormat();
  const navigate = useNavigate();
  const sortOf = (column: SortColumn) => ({
    direction:
      props.sort === column
        ? ('ascending' as const)
        : props.sort === `-${column}`
          ? ('descending' as const)
          : undefined,
    onSort: () => props.onSort(props.sort === `-${column}` ? column : `-${column}`),
  });
  const columns: Column<Customer>[] = [
    {
      id: 'customer',
      title: t('column.customer'),
      width: 'minmax(130px, 1.6fr)',
      sort: sortOf('name'),
      render: ({ name, phone, email }) => (
        <span className="ui-cell-two">
          <span className="strong clip">{name ?? <span className="soft">{t('noName')}</span>}</span>
          <span className="soft small clip ltr customers-narrow">{phone ?? email}</span>
        </span>
      ),
    },
    {
      id: 'phone',
      title: t('column.phone'),
      width: 'minmax(120px, 1fr)',
      from: 'medium',
      render: ({ phone }) => <span className="ltr">{phone ?? '—'}</span>,
    },
    {
      id: 'email',
      title: t('column.email'),
      width: 'minmax(120px, 1.6fr)',
      from: 'wide',
      render: ({ email }) => <span className="ltr soft">{email ?? '—'}</span>,
    },
    {
      id: 'first',
      title: t('column.first'),
      width: '116px',
      from: 'wide',
      sort: sortOf('first_order_at'),
      render: ({ first_order_at }) => <span className="soft">{date(first_order_at)}</span>,
    },
    {
      id: 'last',
      title: t('column.last'),
      width: '116px',
      from: 'medium',
      sort: sortOf('last_order_at'),
      render: ({ last_order_at }) => (
        <time dateTime={last_order_at} title={dateTime(last_order_at)}>
          {when(last_order_at)}
        </time>
      ),
    },
    {
      id: 'orders',
      title: t('column.orders'),
      width: '76px',
      end: true,
      sort: sortOf('orders'),
      render: ({ orders }) => number(orders),
    },
    {
      id: 'spent',
      title: t('column.spent'),
      width: '120px',
      end: true,
      sort: sortOf('spent'),
      render: ({ spent, currency }) => money(spent, currency),
    },
  ];
  return (
    <DataTable
      label={t('title')}
      columns={columns}
      rows={props.rows}
      keyOf={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: '/customers/$id', params: { id } })}
    />
  );
}

function withoutAbsent(search: { [Key in keyof CustomersSearch]?: CustomersSearch[Key] | undefined }): CustomersSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}
