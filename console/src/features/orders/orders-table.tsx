import type { Schemas } from '@dukkan/sdk';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { orderWords, useChannelName, useFormat, useWords } from '../../i18n/index.ts';
import { useBranchName } from '../../ui/branch-names.ts';
import { Badge, type Column, DataTable, orderTone, paymentTone } from '../../ui/index.ts';
import { type Selection, selectColumn, sortBy } from '../../ui/list/index.ts';
import { useOrderStatus } from '../../ui/order-status.ts';
import type { Sort } from './order-search.ts';
import { ordersWords } from './words.ts';

type Order = Schemas['CanonicalOrder'];

export function OrdersTable(props: {
  rows: readonly Order[];
  isChanged(id: string): boolean;
  selection: Selection<Order>;
  sort: Sort;
  onSort(sort: Sort): void;
}): ReactNode {
  const t = useWords(ordersWords);
  const status = useWords(orderWords);
  const statusOf = useOrderStatus();
  const branchName = useBranchName();
  const channel = useChannelName();
  const { money, dateTime, when } = useFormat();
  const navigate = useNavigate();
  const { selection } = props;
  const sort = { by: props.sort, onSort: props.onSort };
  const columns: Column<Order>[] = [
    selectColumn(selection, props.rows, {
      all: t('selectAll'),
      of: ({ external }) => t('select', { code: external.code }),
    }),
    {
      id: 'order',
      title: t('column.order'),
      width: 'minmax(150px, 1.2fr)',
      render: ({ external }) => <span className="ltr strong orders-code">{external.code}</span>,
    },
    {
      id: 'customer',
      title: t('column.customer'),
      width: 'minmax(120px, 1.4fr)',
      from: 'medium',
      sort: sortBy('customer_name', sort),
      render: ({ customer }) =>
        customer.name === null ? <span className="soft">{t('noName')}</span> : <bdi>{customer.name}</bdi>,
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
      render: ({ branch }) => <bdi>{branchName(branch) ?? '—'}</bdi>,
    },
    {
      id: 'status',
      title: t('column.status'),
      width: '140px',
      render: (order) => <Badge tone={orderTone(order.status)}>{statusOf(order.status, order.channel.app_slug)}</Badge>,
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
      sort: sortBy('created', sort),
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
      sort: sortBy('total_amount', sort),
      render: ({ amounts }) => money(amounts.total, amounts.currency),
    },
  ];
  return (
    <DataTable
      label={t('title')}
      columns={columns}
      rows={props.rows}
      keyOf={({ id }) => id}
      isFresh={({ id }) => props.isChanged(id)}
      isSelected={selection.has}
      onSelect={selection.toggle}
      onOpen={({ id }) => void navigate({ to: '/orders/$id', params: { id } })}
    />
  );
}
