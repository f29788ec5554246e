import type { Schemas } from '@dukkan/sdk';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { Bars } from '../../charts/index.ts';
import { useChannelName, useFormat, useWords } from '../../i18n/index.ts';
import { useRead } from '../../platform/index.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { useBranchName } from '../../ui/branch-names.ts';
import { mailtoLink, phoneLink, showPhone } from '../../ui/contact-links.ts';
import { EmailText } from '../../ui/email-text.tsx';
import {
  Badge,
  Card,
  type Column,
  DataTable,
  EmptyState,
  Facts,
  Loaded,
  orderTone,
  Page,
  Skeletons,
} from '../../ui/index.ts';
import { useOrderStatus } from '../../ui/order-status.ts';
import './customers.css';
import { channelsOf, favourites, isOf, queryFor } from './orders-of-customer.ts';
import { customersWords } from './words.ts';

type Customer = Schemas['Customer'];
type Order = Schemas['CanonicalOrder'];
const route = getRouteApi('/in/customers/$id');
const FAVOURITES = 5;

export function CustomerPage(): ReactNode {
  const t = useWords(customersWords);
  const { id } = route.useParams();
  const customer = useRead('getCustomer', { path: { id } });
  return (
    <Loaded of={customer} rows={8} back={<BackLink to="/customers">{t('back')}</BackLink>}>
      {(found) => <OneCustomer customer={found} />}
    </Loaded>
  );
}

function OneCustomer({ customer }: { customer: Customer }): ReactNode {
  const t = useWords(customersWords);
  const { dateTime, hijri } = useFormat();
  const { name, phone, email } = customer;
  const title = name ?? (phone === null ? email : showPhone(phone)) ?? t('noName');
  const orders = useRead('listOrders', { query: queryFor(customer) });
  const own = useMemo(() => orders.data?.orders.filter((order) => isOf(customer, order)), [orders.data, customer]);
  return (
    <Page
      title={<bdi>{title}</bdi>}
      name={title}
      note={<BackLink to="/customers">{t('back')}</BackLink>}
      tools={
        <>
          {phone !== null && (
            <a className="ui-button" href={phoneLink(phone)}>
              {t('call')}
            </a>
          )}
          {email !== null && (
            <a className="ui-button" href={mailtoLink(email)}>
              {t('write')}
            </a>
          )}
        </>
      }
    >
      <Figures customer={customer} own={own} />
      <div className="customer-columns">
        <Card title={t('theirOrders')} flush>
          <Loaded of={orders} rows={6}>
            {() => <TheirOrders customer={customer} orders={own ?? []} />}
          </Loaded>
        </Card>
        <div className="customer-column">
          <Card title={t('contact')}>
            <Facts
              facts={[
                phone === null
                  ? undefined
                  : [
                      t('phone'),
                      <span key="phone" className="ltr">
                        {showPhone(phone)}
                      </span>,
                    ],
                email === null ? undefined : [t('email'), <EmailText key="email" email={email} />],
                [t('lastOrder'), dateTime(customer.last_order_at)],
                [t('hijri'), hijri(customer.last_order_at)],
              ]}
            />
          </Card>
          {own === undefined ? (
            <Card>{orders.isPending && <Skeletons rows={5} label={t('buys')} />}</Card>
          ) : (
            own.length > 0 && <Habits orders={own} />
          )}
        </div>
      </div>
    </Page>
  );
}

function Figures({ customer, own }: { customer: Customer; own: readonly Order[] | undefined }): ReactNode {
  const t = useWords(customersWords);
  const { money, number, when, date, hijri } = useFormat();
  const { spent, currency, orders } = customer;
  const isWhole = own !== undefined && own.length >= orders;
  const cancelled = own?.filter(({ status }) => status === 'cancelled').length ?? 0;
  const counted = own?.filter(
    ({ status, payment, amounts }) =>
      status !== 'cancelled' && payment.status !== 'refunded' && amounts.currency === currency,
  ).length;
  const figures: readonly (readonly [name: string, value: string, note: string])[] = [
    [t('spent'), money(spent, currency), t('spentNote')],
    [t('orders'), number(orders), isWhole && cancelled > 0 ? t('cancelled', { count: cancelled }) : ' '],
    // Only when every order is loaded: an average of some would be wrong.
    [
      t('average'),
      isWhole && counted !== undefined && counted > 0 ? money(spent / counted, currency) : '—',
      t('averageNote'),
    ],
    [t('last'), when(customer.last_order_at), hijri(customer.last_order_at)],
    [t('since'), date(customer.first_order_at), hijri(customer.first_order_at)],
  ];
  return (
    <dl className="customer-figures">
      {figures.map(([name, value, note]) => (
        <div key={name} className="customer-figure">
          <dt className="soft small">{name}</dt>
          <dd>
            <strong>{value}</strong>
            <span className="soft small">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function TheirOrders({ customer, orders }: { customer: Customer; orders: readonly Order[] }): ReactNode {
  const t = useWords(customersWords);
  const statusOf = useOrderStatus();
  const branchName = useBranchName();
  const channel = useChannelName();
  const { money, when, dateTime } = useFormat();
  const navigate = useNavigate();
  const columns: Column<Order>[] = [
    {
      id: 'order',
      title: t('column.order'),
      width: 'minmax(136px, 1.2fr)',
      render: ({ external, created_at }) => (
        <span className="ui-cell-two">
          <span className="ltr strong clip">{external.code}</span>
          <time className="soft small" dateTime={created_at} title={dateTime(created_at)}>
            {when(created_at)}
          </time>
        </span>
      ),
    },
    {
      id: 'channel',
      title: t('column.channel'),
      width: 'minmax(90px, 1fr)',
      from: 'medium',
      render: (order) => channel(order.channel.app_slug),
    },
    {
      id: 'branch',
      title: t('column.branch'),
      width: 'minmax(90px, 1.3fr)',
      from: 'wide',
      render: ({ branch }) => <bdi>{branchName(branch) ?? '—'}</bdi>,
    },
    {
      id: 'status',
      title: t('column.status'),
      width: '128px',
      render: (order) => <Badge tone={orderTone(order.status)}>{statusOf(order.status, order.channel.app_slug)}</Badge>,
    },
    {
      id: 'total',
      title: t('column.total'),
      width: '104px',
      end: true,
      render: ({ amounts }) => money(amounts.total, amounts.currency),
    },
  ];
  if (orders.length === 0) {
    const search = customer.name ?? customer.phone ?? customer.email ?? '';
    return (
      <EmptyState
        icon="orders"
        title={t('noOrders')}
        hint={t('noOrdersHint')}
        action={
          <Link className="ui-button" to="/orders" search={{ search }}>
            {t('findOrders')}
          </Link>
        }
      />
    );
  }
  return (
    <>
      <DataTable
        label={t('theirOrders')}
        columns={columns}
        rows={orders}
        keyOf={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/orders/$id', params: { id } })}
      />
      {orders.length < customer.orders && (
        <p className="soft small customer-some">{t('someOrders', { shown: orders.length, all: customer.orders })}</p>
      )}
    </>
  );
}

function Habits({ orders }: { orders: readonly Order[] }): ReactNode {
  const t = useWords(customersWords);
  const channel = useChannelName();
  const items = favourites(orders, FAVOURITES);
  return (
    <>
      {items.length > 0 && (
        <Card title={t('buys')}>
          <Bars
            label={t('buys')}
            bars={items.map(({ id, title, count }) => ({ id, title, value: count, text: t('times', { count }) }))}
          />
        </Card>
      )}
      <Card title={t('comes')}>
        <Bars
          label={t('comes')}
          bars={channelsOf(orders).map(({ id, title, count }) => ({
            id,
            title: channel(title),
            value: count,
            text: t('timesOrdered', { count }),
          }))}
        />
      </Card>
    </>
  );
}
