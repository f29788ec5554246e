import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { commonWords, orderWords, useFormat, useName, useWords } from '../../i18n/index.ts';
import { useRead } from '../../platform/index.ts';
import { Badge, type Column, DataTable, paymentTone, Segments, Select } from '../../ui/index.ts';
import { extentOfData, ListCard, ListFilters, type ListSearch, useListSearch } from '../../ui/list/index.ts';
import { PAYMENTS_PER_PAGE, type PaymentSearch, TRANSACTION_STATUSES } from './payment-search.ts';
import type { Provider, Transaction } from './tones.ts';
import { TransactionPanel } from './transaction-panel.tsx';
import { paymentsWords } from './words.ts';

const route = getRouteApi('/in/payments');
const REFETCH_MS = 15_000;
const ANY = 'any';

export function Transactions({ providers }: { providers: readonly Provider[] }): ReactNode {
  const t = useWords(paymentsWords);
  const name = useName();
  const search = route.useSearch();
  const list = useListSearch(search, useNavigate({ from: '/payments' }), { keep: ['view'], panel: 'open' });
  const { open, provider, unmatched } = search;
  const status = TRANSACTION_STATUSES.find((one) => one === search.status);
  const gateways = providers.filter(({ type }) => type === 'gateway_sync');
  const hasGateway = gateways.some(({ installed }) => installed);
  const query = {
    page: list.page,
    limit: PAYMENTS_PER_PAGE,
    ...(provider && { provider }),
    ...(status && { status }),
    ...(unmatched && { unmatched: true }),
  };
  const transactions = useRead('listTransactions', { query }, { keepPrevious: true, refetchInterval: REFETCH_MS });
  const isFiltered = provider !== undefined || status !== undefined;
  return (
    <>
      <Filters list={list} gateways={gateways} />
      <ListCard
        answer={transactions}
        extentOf={extentOfData}
        pager={{ page: list.page, perPage: PAYMENTS_PER_PAGE, onPage: list.turnTo }}
        isFiltered={isFiltered && unmatched === undefined}
        onClear={list.clear}
        empty={
          unmatched !== undefined
            ? { icon: 'check', title: t('allMatched'), hint: t('allMatchedHint') }
            : {
                icon: 'payments',
                title: t('noTransactions'),
                hint: hasGateway ? t('noTransactionsHint') : t('noGatewayHint'),
                action: !hasGateway && (
                  <Link to="/payments" search={{ view: 'providers' }} className="ui-button">
                    {t('view.providers')}
                  </Link>
                ),
              }
        }
        noMatch={{ title: t('noSuchTransactions') }}
      >
        {({ data }) => (
          <>
            <TransactionTable
              rows={data}
              nameOf={(id) => name(providers.find((one) => one.id === id) ?? { name_en: id })}
              onOpen={({ id }) => list.showPanel(id)}
            />
            {open !== undefined && (
              <TransactionPanel row={data.find(({ id }) => id === open)} onClose={() => list.showPanel(undefined)} />
            )}
          </>
        )}
      </ListCard>
    </>
  );
}

function Filters(props: { list: ListSearch<PaymentSearch>; gateways: readonly Provider[] }): ReactNode {
  const t = useWords(paymentsWords);
  const common = useWords(commonWords);
  const word = useWords(orderWords);
  const name = useName();
  const { filter, search } = props.list;
  return (
    <ListFilters>
      <Segments<'all' | 'yes'>
        label={t('match')}
        value={search.unmatched ?? 'all'}
        onChange={(value) => filter({ unmatched: value === 'yes' ? 'yes' : undefined })}
        options={[
          { value: 'all', text: common('all') },
          { value: 'yes', text: t('unmatched') },
        ]}
      />
      <Segments
        label={t('column.status')}
        value={TRANSACTION_STATUSES.find((one) => one === search.status) ?? 'all'}
        onChange={(value) => filter({ status: value === 'all' ? undefined : value })}
        options={[
          { value: 'all' as const, text: t('anyStatus') },
          ...TRANSACTION_STATUSES.map((value) => ({ value, text: word(`payment.${value}`) })),
        ]}
      />
      <Select
        label={t('provider')}
        hideLabel
        value={search.provider ?? ANY}
        onChange={(value) => filter({ provider: value === ANY ? undefined : value })}
        options={[
          { value: ANY, text: t('allProviders') },
          ...props.gateways.map((one) => ({ value: one.id, text: name(one) })),
        ]}
      />
    </ListFilters>
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
