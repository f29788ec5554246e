import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { commonWords, useFormat, useName, useWords } from '../../i18n/index.ts';
import { useMay, useOrganization, useRead } from '../../platform/index.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Badge, Card, type Column, DataTable, EmptyState, Segments, Select } from '../../ui/index.ts';
import { extentOfData, ListCard, ListFilters, useListSearch } from '../../ui/list/index.ts';
import { PaylinkPanel } from './paylink-panel.tsx';
import { PAYLINK_STATUSES, PAYMENTS_PER_PAGE } from './payment-search.ts';
import { type Paylink, type Provider, paylinkTone } from './tones.ts';
import { paymentsWords } from './words.ts';

const route = getRouteApi('/in/payments');
const REFETCH_MS = 10_000;

export function Paylinks({ makers, maker }: { makers: readonly Provider[]; maker: Provider | undefined }): ReactNode {
  const t = useWords(paymentsWords);
  const may = useMay();
  const isWhole = useOrganization().branch_id === null;
  if (maker !== undefined) return <List makers={makers} maker={maker} />;
  return (
    <Card flush>
      <EmptyState
        icon="payments"
        title={t('noMaker')}
        hint={t('noMakerHint')}
        action={
          isWhole &&
          may('create:Apps') && (
            <Link to="/payments" search={{ view: 'providers' }} className="ui-button">
              {t('view.providers')}
            </Link>
          )
        }
      />
    </Card>
  );
}

function List({ makers, maker }: { makers: readonly Provider[]; maker: Provider }): ReactNode {
  const t = useWords(paymentsWords);
  const common = useWords(commonWords);
  const name = useName();
  const search = route.useSearch();
  const list = useListSearch(search, useNavigate({ from: '/payments' }), { keep: ['view', 'provider'], panel: 'open' });
  const status = PAYLINK_STATUSES.find((word) => word === search.status);
  const query = { page: list.page, limit: PAYMENTS_PER_PAGE, ...(status && { status }) };
  const paylinks = useRead(
    'listPaylinks',
    { path: { id: maker.id }, query },
    { keepPrevious: true, refetchInterval: REFETCH_MS },
  );
  return (
    <>
      <ListFilters>
        {makers.length > 1 && (
          <Select
            label={t('provider')}
            hideLabel
            value={maker.id}
            onChange={(provider) => list.filter({ provider })}
            options={makers.map((one) => ({ value: one.id, text: name(one) }))}
          />
        )}
        <Segments
          label={t('column.status')}
          value={status ?? 'all'}
          onChange={(value) => list.filter({ status: value === 'all' ? undefined : value })}
          options={[
            { value: 'all' as const, text: common('all') },
            ...PAYLINK_STATUSES.map((value) => ({ value, text: t(`status.${value}`) })),
          ]}
        />
      </ListFilters>
      <ListCard
        answer={paylinks}
        extentOf={extentOfData}
        pager={{ page: list.page, perPage: PAYMENTS_PER_PAGE, onPage: list.turnTo }}
        isFiltered={status !== undefined}
        onClear={list.clear}
        empty={{ icon: 'payments', title: t('noPaylinks'), hint: t('noPaylinksHint') }}
        noMatch={{ title: t('noSuchPaylinks') }}
      >
        {({ data }) => <PaylinkTable rows={data} onOpen={({ id }) => list.showPanel(id)} />}
      </ListCard>
      {search.open !== undefined && (
        <PaylinkPanel provider={maker} id={search.open} onClose={() => list.showPanel(undefined)} />
      )}
    </>
  );
}

function PaylinkTable({ rows, onOpen }: { rows: readonly Paylink[]; onOpen(row: Paylink): void }): ReactNode {
  const t = useWords(paymentsWords);
  const { money, when, dateTime, relative } = useFormat();
  const columns: Column<Paylink>[] = [
    {
      id: 'amount',
      title: t('column.amount'),
      width: 'minmax(110px, 1fr)',
      render: ({ amount, currency }) => <span className="strong">{money(amount, currency)}</span>,
    },
    {
      id: 'status',
      title: t('column.status'),
      width: '150px',
      render: ({ status }) => <Badge tone={paylinkTone(status)}>{t(`status.${status}`)}</Badge>,
    },
    {
      id: 'captured',
      title: t('column.captured'),
      width: 'minmax(110px, 1fr)',
      from: 'wide',
      render: ({ captured_amount, currency }) =>
        captured_amount === 0 ? <span className="soft">—</span> : money(captured_amount, currency),
    },
    {
      id: 'for',
      title: t('column.for'),
      width: 'minmax(100px, 1fr)',
      from: 'wide',
      render: ({ order_id }) => (order_id === null ? <span className="soft">{t('anAmount')}</span> : t('anOrder')),
    },
    {
      id: 'created',
      title: t('column.created'),
      width: '130px',
      from: 'medium',
      render: ({ created, expires_at, status }) => (
        <span className="ui-cell-two">
          <time dateTime={created} title={dateTime(created)}>
            {when(created)}
          </time>
          {status === 'created' && expires_at !== null && (
            <span className="soft small">{t('expires', { when: relative(expires_at) })}</span>
          )}
        </span>
      ),
    },
    {
      id: 'copy',
      title: t('column.link'),
      width: '110px',
      end: true,
      from: 'medium',
      render: ({ url, status }) =>
        status === 'created' ? (
          <Still>
            <CopyButton text={url} label={t('column.link')} size="small" />
          </Still>
        ) : (
          <span className="soft">—</span>
        ),
    },
  ];
  return <DataTable label={t('view.paylinks')} columns={columns} rows={rows} keyOf={({ id }) => id} onOpen={onOpen} />;
}

/** Clicks inside do not open the row. */
function Still({ children }: { children: ReactNode }): ReactNode {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it does nothing itself
    // biome-ignore lint/a11y/useKeyWithClickEvents: rows listen to keys on themselves alone
    <span onClick={(event) => event.stopPropagation()}>{children}</span>
  );
}
