import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useChannelName, useFormat, useName, useWords } from '../../../i18n/index.ts';
import { useLive, useMay, useRead, useReadAgain } from '../../../platform/index.ts';
import { Badge, Card, DataTable, EmptyState, Loaded, orderTone } from '../../../ui/index.ts';
import { useOrderStatus } from '../../../ui/order-status.ts';
import { workWords } from './words.ts';

const ROWS = 8;
const AGAIN_MS = 15_000;

/** The home of an account without analytics: orders to work on, branches and stock, as far as it may read them. */
export default function Work(): ReactNode {
  const t = useWords(workWords);
  const may = useMay();
  const [orders, branches, products] = [may('read:Orders'), may('read:Branches'), may('read:Products')];
  if (!orders && !branches && !products) return <EmptyState icon="home" title={t('nothing')} hint={t('nothingHint')} />;
  return (
    <div className="home-columns">
      <div className="home-column">
        {orders && <OrderList state="late" />}
        {orders && <OrderList state="open" />}
      </div>
      <div className="home-column">
        {branches && <Branches withOrders={orders} />}
        {products && <LowStock />}
      </div>
    </div>
  );
}

function OrderList({ state }: { state: 'late' | 'open' }): ReactNode {
  const t = useWords(workWords);
  const navigate = useNavigate();
  const channel = useChannelName();
  const statusOf = useOrderStatus();
  const { money, when } = useFormat();
  const query = { state, format: 'canonical', limit: ROWS } as const;
  const orders = useRead('listOrders', { query }, { staleTime: AGAIN_MS, refetchInterval: 60_000 });
  const readAgain = useReadAgain();
  useLive(() => {
    if (orders.isStale && !orders.isFetching) void readAgain('listOrders');
  });
  return (
    <Card
      title={t(state)}
      flush
      tools={
        <Link to="/orders" search={{ state }} className="small">
          {t('seeAll')}
        </Link>
      }
    >
      <div className="home-table">
        <Loaded of={orders} rows={3}>
          {({ orders: rows }) =>
            rows.length === 0 ? (
              <EmptyState icon="check" title={t(`none.${state}`)} />
            ) : (
              <DataTable
                label={t(state)}
                rows={rows}
                keyOf={({ id }) => id}
                onOpen={({ id }) => void navigate({ to: '/orders/$id', params: { id } })}
                columns={[
                  {
                    id: 'order',
                    title: t('order'),
                    width: 'minmax(120px, 1fr)',
                    render: (order) => (
                      <span className="ui-cell-two">
                        <span className="ltr strong clip">{order.external.code}</span>
                        <span className="soft small clip">
                          <bdi>{channel(order.channel.app_slug)}</bdi> · {when(order.created_at)}
                        </span>
                      </span>
                    ),
                  },
                  {
                    id: 'status',
                    title: t('status'),
                    width: '130px',
                    render: (order) => (
                      <Badge tone={orderTone(order.status)}>{statusOf(order.status, order.channel.app_slug)}</Badge>
                    ),
                  },
                  {
                    id: 'total',
                    title: t('total'),
                    width: '104px',
                    end: true,
                    from: 'medium',
                    render: ({ amounts }) => money(amounts.total, amounts.currency),
                  },
                ]}
              />
            )
          }
        </Loaded>
      </div>
    </Card>
  );
}

/** Open or closed, and the orders of today where the account may read orders. */
function Branches({ withOrders }: { withOrders: boolean }): ReactNode {
  const t = useWords(workWords);
  const name = useName();
  const branches = useRead('listBranches', { query: { limit: 100, sort: 'name_en' } }, { refetchInterval: 60_000 });
  const today = useRead('readOrdersDashboard', {}, { enabled: withOrders, staleTime: AGAIN_MS }).data;
  return (
    <Card title={t('branches')}>
      <Loaded of={branches} rows={4}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon="branches" title={t('noBranches')} />
          ) : (
            <ul className="home-low">
              {data.map((branch) => {
                const count = today?.by_branch.find(({ branch_id }) => branch_id === branch.id)?.orders ?? 0;
                return (
                  <li key={branch.id}>
                    <Link to="/branches/$ivId" params={{ ivId: branch.iv_id }} className="clip">
                      {name(branch) || branch.iv_id}
                    </Link>
                    <span className="home-branch">
                      {today !== undefined && <span className="soft small">{t('ordersToday', { count })}</span>}
                      <Badge tone={!branch.active ? 'warn' : branch.is_open ? 'good' : 'plain'}>
                        {t(!branch.active ? 'inactive' : branch.is_open ? 'openNow' : 'closed')}
                      </Badge>
                    </span>
                  </li>
                );
              })}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function LowStock(): ReactNode {
  const t = useWords(workWords);
  const name = useName();
  const low = useRead('countLowStock', {}, { refetchInterval: 60_000 });
  return (
    <Card title={t('lowStock')}>
      <Loaded of={low} rows={3}>
        {({ branches }) =>
          branches.length === 0 ? (
            <EmptyState icon="check" title={t('noLowStock')} />
          ) : (
            <ul className="home-low">
              {branches.map((branch) => (
                <li key={branch.branch_iv_id}>
                  <bdi className="clip">{name(branch) || branch.branch_iv_id}</bdi>
                  <span className="soft">{t('lowSkus', { count: branch.skus })}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
