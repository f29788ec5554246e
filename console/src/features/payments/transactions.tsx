import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { commonWords, orderWords, useFormat, useName, useWords } from '../../i18n/index.ts';
import { useRead } from '../../platform/index.ts';
import {
  Badge,
  Button,
  Card,
  type Column,
  DataTable,
  EmptyState,
  Loaded,
  Pager,
  paymentTone,
  Segments,
  Select,
} from '../../ui/index.ts';
import { PAYMENTS_PER_PAGE, type PaymentSearch, TRANSACTION_STATUSES } from './payment-search.ts';
import type { Provider, Transaction } from './tones.ts';
import { TransactionPanel } from './transaction-panel.tsx';
import { paymentsWords } from './words.ts';

const route = getRouteApi('/in/payments');
const AGAIN_MS = 15_000;
const ANY = 'any';

export function Transactions({ providers }: { providers: readonly Provider[] }): ReactNode {
  const t = useWords(paymentsWords);
  const common = useWords(commonWords);
  const word = useWords(orderWords);
  const name = useName();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/payments' });
  const { page = 1, open, provider, unmatched } = search;
  const status = TRANSACTION_STATUSES.find((one) => one === search.status);
  const gateways = providers.filter(({ type }) => type === 'gateway_sync');
  const query = {
    page,
    limit: PAYMENTS_PER_PAGE,
    ...(provider && { provider }),
    ...(status && { status }),
    ...(unmatched && { unmatched: true }),
  };
  const transactions = useRead('listTransactions', { query }, { keepPrevious: true, refetchInterval: AGAIN_MS });
  const filter: PaymentSearch = {
    view: 'transactions',
    ...(provider && { provider }),
    ...(status && { status }),
    ...(unmatched && { unmatched }),
  };
  const show = (next: PaymentSearch) => void navigate({ search: { ...next, view: 'transactions' }, replace: true });
  const isFiltered = provider !== undefined || status !== undefined || unmatched !== undefined;
  const without = (key: 'provider' | 'status' | 'unmatched') =>
    Object.fromEntries(Object.entries(filter).filter(([one]) => one !== key));
  return (
    <>
      <div className="payments-filters">
        <Segments<'all' | 'yes'>
          label={t('match')}
          value={unmatched ?? 'all'}
          onChange={(value) => show(value === 'yes' ? { ...filter, unmatched: 'yes' } : without('unmatched'))}
          options={[
            { value: 'all', text: common('all') },
            { value: 'yes', text: t('unmatched') },
          ]}
        />
        <Segments
          label={t('column.status')}
          value={status ?? 'all'}
          onChange={(value) => show(value === 'all' ? without('status') : { ...filter, status: value })}
          options={[
            { value: 'all' as const, text: t('anyStatus') },
            ...TRANSACTION_STATUSES.map((value) => ({ value, text: word(`payment.${value}`) })),
          ]}
        />
        <Select
          label={t('provider')}
          hideLabel
          value={provider ?? ANY}
          onChange={(value) => show(value === ANY ? without('provider') : { ...filter, provider: value })}
          options={[
            { value: ANY, text: t('allProviders') },
            ...gateways.map((one) => ({ value: one.id, text: name(one) })),
          ]}
        />
      </div>
      <Card flush>
        <Loaded of={transactions} rows={8}>
          {(answer) =>
            answer.data.length === 0 ? (
              <Nothing
                isFiltered={isFiltered}
                isUnmatched={unmatched !== undefined}
                hasGateway={gateways.some(({ installed }) => installed)}
                onClear={() => show({})}
              />
            ) : (
              <>
                <TransactionTable
                  rows={answer.data}
                  nameOf={(id) => name(providers.find((one) => one.id === id) ?? { name_en: id })}
                  onOpen={({ id }) => show({ ...filter, ...(page > 1 && { page }), open: id })}
                />
                <div className="payments-pager">
                  <Pager
                    page={answer.page}
                    perPage={PAYMENTS_PER_PAGE}
                    total={answer.total_count}
                    onPage={(next) => show({ ...filter, ...(next > 1 && { page: next }) })}
                  />
                </div>
                {open !== undefined && (
                  <TransactionPanel
                    row={answer.data.find(({ id }) => id === open)}
                    onClose={() => show({ ...filter, ...(page > 1 && { page }) })}
                  />
                )}
              </>
            )
          }
        </Loaded>
      </Card>
    </>
  );
}

function Nothing(props: {
  isFiltered: boolean;
  isUnmatched: boolean;
  hasGateway: boolean;
  onClear(): void;
}): ReactNode {
  const t = useWords(paymentsWords);
  const common = useWords(commonWords);
  if (props.isUnmatched) return <EmptyState icon="check" title={t('allMatched')} hint={t('allMatchedHint')} />;
  if (props.isFiltered) {
    return (
      <EmptyState
        icon="payments"
        title={t('noSuchTransactions')}
        action={<Button onPress={props.onClear}>{common('clearFilters')}</Button>}
      />
    );
  }
  return (
    <EmptyState
      icon="payments"
      title={t('noTransactions')}
      hint={props.hasGateway ? t('noTransactionsHint') : t('noGatewayHint')}
      action={
        !props.hasGateway && (
          <Link to="/payments" search={{ view: 'providers' }} className="ui-button">
            {t('view.providers')}
          </Link>
        )
      }
    />
  );
}

function TransactionTable(props: {
  rows: readonly Transaction[];
  nameOf(provider: string): string;
  onOpen(row: Transaction): void;
}): ReactNode {
  const t = useWords(paymentsWords);
  const word = useWords(orderWords);
  const { money, when, dateTime } = useFormat();
  const columns: Column<Transaction>[] = [
    {
      id: 'amount',
      title: t('column.amount'),
      width: 'minmax(110px, 1fr)',
      render: ({ amount, currency, provider }) => (
        <span className="ui-cell-two">
          <span className="strong">{money(amount, currency)}</span>
          <span className="soft small clip">{props.nameOf(provider)}</span>
        </span>
      ),
    },
    {
      id: 'status',
      title: t('column.status'),
      width: '110px',
      from: 'medium',
      render: ({ status }) => <Badge tone={paymentTone(status)}>{word(`payment.${status}`)}</Badge>,
    },
    {
      id: 'match',
      title: t('match'),
      width: 'minmax(120px, 1fr)',
      render: ({ matched_by }) =>
        matched_by === null ? <Badge tone="warn">{t('unmatched')}</Badge> : <span>{t(`matchedBy.${matched_by}`)}</span>,
    },
    {
      id: 'reference',
      title: t('reference'),
      width: 'minmax(120px, 1.4fr)',
      from: 'wide',
      render: ({ provider_reference }) => <span className="ltr">{provider_reference}</span>,
    },
    {
      id: 'fee',
      title: t('fee'),
      width: '110px',
      end: true,
      from: 'wide',
      render: ({ fee, currency }) => (fee === null ? <span className="soft">—</span> : money(fee, currency)),
    },
    {
      id: 'time',
      title: t('column.time'),
      width: '120px',
      end: true,
      from: 'medium',
      render: ({ occurred_at: at }) => (
        <time dateTime={at} title={dateTime(at)} className="soft">
          {when(at)}
        </time>
      ),
    },
  ];
  return (
    <DataTable
      label={t('view.transactions')}
      columns={columns}
      rows={props.rows}
      keyOf={({ id }) => id}
      onOpen={props.onOpen}
    />
  );
}
