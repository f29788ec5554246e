import type { Schemas } from '@dukkan/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { useApi, useMay, useRead } from '../../platform/index.ts';
import { showPhone } from '../../ui/contact-links.ts';
import { ExportButton } from '../../ui/export-button.tsx';
import { type Column, DataTable } from '../../ui/index.ts';
import { extentOfData, ListPage, sortBy, useListSearch } from '../../ui/list/index.ts';
import './customers.css';
import { PER_PAGE, type Sort } from './customer-search.ts';
import { customersWords } from './words.ts';

type Customer = Schemas['Customer'];
const route = getRouteApi('/in/customers');

export function CustomersPage(): ReactNode {
  const t = useWords(customersWords);
  const search = route.useSearch();
  const list = useListSearch(search, useNavigate({ from: '/customers' }));
  const sort = search.sort ?? '-last_order_at';
  const api = useApi();
  const mayExport = useMay()('export:Orders');
  const filter = { sort, ...(search.search && { search: search.search }) };
  const page = { page: search.page ?? 1, limit: PER_PAGE };
  const customers = useRead('listCustomers', { query: { ...page, ...filter } }, { keepPrevious: true });
  return (
    <ListPage
      title={t('title')}
      count={(total) => t('count', { count: total })}
      tools={
        mayExport && (
          <ExportButton
            name="customers"
            total={customers.data?.total_count}
            load={() => api.call('exportCustomers', { query: filter })}
          />
        )
      }
      list={list}
      searchField={{ label: t('searchLabel'), placeholder: t('search') }}
      answer={customers}
      extentOf={extentOfData}
      perPage={PER_PAGE}
      skeletonRows={10}
      empty={{ icon: 'customers', title: t('empty'), hint: t('emptyHint') }}
      noMatch={{ title: t('nothing'), hint: t('nothingHint') }}
    >
      {({ data }) => <CustomersTable rows={data} sort={sort} onSort={(next) => list.filter({ sort: next })} />}
    </ListPage>
  );
}

function CustomersTable(props: { rows: readonly Customer[]; sort: Sort; onSort(sort: Sort): void }): ReactNode {
  const t = useWords(customersWords);
  const { money, number, when, date, dateTime } = useFormat();
  const navigate = useNavigate();
  const sort = { by: props.sort, onSort: props.onSort };
  const columns: Column<Customer>[] = [
    {
      id: 'customer',
      title: t('column.customer'),
      width: 'minmax(130px, 1.6fr)',
      sort: sortBy('name', sort),
      render: ({ name }) => (
        <span className="strong">
          {name === null ? <span className="soft">{t('noName')}</span> : <bdi>{name}</bdi>}
        </span>
      ),
    },
    {
      id: 'phone',
      title: t('column.phone'),
      width: 'minmax(120px, 1fr)',
      from: 'medium',
      render: ({ phone }) => <span className="ltr">{phone === null ? '—' : showPhone(phone)}</span>,
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
      sort: sortBy('first_order_at', sort),
      render: ({ first_order_at }) => <span className="soft">{date(first_order_at)}</span>,
    },
    {
      id: 'last',
      title: t('column.last'),
      width: '116px',
      from: 'medium',
      sort: sortBy('last_order_at', sort),
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
      sort: sortBy('orders', sort),
      render: ({ orders }) => number(orders),
    },
    {
      id: 'spent',
      title: t('column.spent'),
      width: '120px',
      end: true,
      sort: sortBy('spent', sort),
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
