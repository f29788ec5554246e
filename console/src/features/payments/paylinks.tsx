import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { commonWords, useFormat, useName, useWords } from '../../i18n/index.ts';
import { useMay, useOrganization, useRead } from '../../platform/index.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import {
  Badge,
  Button,
  Card,
  type Column,
  DataTable,
  EmptyState,
  Loaded,
  Pager,
  Segments,
  Select,
} from '../../ui/index.ts';
import { PaylinkPanel } from './paylink-panel.tsx';
import { PAYLINK_STATUSES, PAYMENTS_PER_PAGE, type PaymentSearch } from './payment-search.ts';
import { type Paylink, type Provider, paylinkTone } from './tones.ts';
import { paymentsWords } from './words.ts';

const route = getRouteApi('/in/payments');
const AGAIN_MS = 10_000;

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
  const navigate = useNavigate({ from: '/payments' });
  const { page = 1, open } = search;
  const status = PAYLINK_STATUSES.find((word) => word === search.status);
  const query = { page, limit: PAYMENTS_PER_PAGE, ...(status && { status }) };
  const paylinks = useRead(
    'listPaylinks',
    { path: { id: maker.id }, query },
    { keepPrevious: true, refetchInterval: AGAIN_MS },
  );
  const show = (next: PaymentSearch) => void navigate({ search: { provider: maker.id, ...next }, replace: true });
  const filter = status === undefined ? {} : { status };
  return (
    <>
      <div className="payments-filters">
        {makers.length > 1 && (
          <Select
            label={t('provider')}
            hideLabel
            value={maker.id}
            onChange={(provider) => show({ ...filter, provider })}
            options={makers.map((one) => ({ value: one.id, text: name(one) }))}
          />
        )}
        <Segments
          label={t('column.status')}
          value={status ?? 'all'}
          onChange={(value) => show(value === 'all' ? {} : { status: value })}
          options={[
            { value: 'all' as const, text: common('all') },
            ...PAYLINK_STATUSES.map((value) => ({ value, text: t(`status.${value}`) })),
          ]}
        />
      </div>
      <Card flush>
        <Loaded of={paylinks} rows={8}>
          {(answer) =>
            answer.data.length === 0 ? (
              <EmptyState
                icon="payments"
                title={status === undefined ? t('noPaylinks') : t('noSuchPaylinks')}
                hint={status === undefined ? t('noPaylinksHint') : undefined}
                action={status !== undefined && <Button onPress={() => show({})}>{common('clearFilters')}</Button>}
              />
            ) : (
              <>
                <PaylinkTable
                  rows={answer.data}
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
              </>
            )
          }
        </Loaded>
      </Card>
      {open !== undefined && (
        <PaylinkPanel provider={maker} id={open} onClose={() => show({ ...filter, ...(page > 1 && { page }) })} />
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

/** A click in it is its own, not the row's. */
function Still({ children }: { children: ReactNode }): ReactNode {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it does nothing itself
    // biome-ignore lint/a11y/useKeyWithClickEvents: rows listen to keys on themselves alone
    <span onClick={(event) => event.stopPropagation()}>{children}</span>
  );
}
