import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { orderWords, useFormat, useWords } from '../../i18n/index.ts';
import { useApi, useExplainError, useMay, useOrganization, useRead, useReadAgain } from '../../platform/index.ts';
import { Badge, Button, Dialog, Facts, Loaded, Notice, paymentTone, showToast } from '../../ui/index.ts';
import { type Found, OrderChoice, OrderLine } from './order-choice.tsx';
import type { Transaction } from './tones.ts';
import { paymentsWords } from './words.ts';

const DAY_MS = 86_400_000;
/** Days around the transaction to search: gateways settle late. */
const AROUND_MS = 3 * DAY_MS;
const LOOKED_AT = 50;
const SUGGESTED = 5;

/** One transaction; if unmatched, the orders it may have paid. */
export function TransactionPanel({ row, onClose }: { row: Transaction | undefined; onClose(): void }): ReactNode {
  const t = useWords(paymentsWords);
  const word = useWords(orderWords);
  const may = useMay();
  const isWhole = useOrganization().branch_id === null;
  const { money, dateTime, hijri } = useFormat();
  return (
    <Dialog title={t('transaction')} isOpen onClose={onClose} place="side">
      {row === undefined ? (
        <p className="soft">{t('transactionGone')}</p>
      ) : (
        <>
          <div className="payments-amount">
            <strong>{money(row.amount, row.currency)}</strong>
            <Badge tone={paymentTone(row.status)}>{word(`payment.${row.status}`)}</Badge>
          </div>
          <Facts
            facts={[
              [
                t('reference'),
                <span key="reference" className="ltr">
                  {row.provider_reference}
                </span>,
              ],
              row.fee === null ? undefined : [t('fee'), money(row.fee, row.currency)],
              [t('column.time'), dateTime(row.occurred_at)],
              [t('hijri'), hijri(row.occurred_at)],
              [t('match'), row.matched_by === null ? t('unmatched') : t(`matchedBy.${row.matched_by}`)],
              row.order_id === null
                ? undefined
                : [
                    t('order'),
                    <Link key="order" to="/orders/$id" params={{ id: row.order_id }}>
                      {t('openOrder')}
                    </Link>,
                  ],
            ]}
          />
          {row.order_id === null && isWhole && may('update:Payments') && may('read:Orders') && (
            <Matching row={row} onMatched={onClose} />
          )}
        </>
      )}
    </Dialog>
  );
}

function Matching({ row, onMatched }: { row: Transaction; onMatched(): void }): ReactNode {
  const t = useWords(paymentsWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const [other, setOther] = useState<Found>();
  const suggestions = useSuggestions(row);
  const match = useMutation({
    mutationFn: (order: Found) => api.call('matchTransaction', { path: { id: row.id }, body: { order_id: order.id } }),
    onSuccess: async (_answer, order) => {
      showToast({ tone: 'good', text: t('matched', { order: order.external.code }) });
      onMatched();
      await readAgain('listTransactions', 'getOrder', 'listOrders');
    },
  });
  const refused = match.error === null ? undefined : explain(match.error);
  const matchButton = (order: Found) => (
    <Button
      size="small"
      look="primary"
      isPending={match.isPending}
      aria-label={t('matchNamed', { order: order.external.code })}
      onPress={() => match.mutate(order)}
    >
      {t('doMatch')}
    </Button>
  );
  return (
    <section className="payments-matching" aria-label={t('suggestions')}>
      <h3>{t('suggestions')}</h3>
      {refused !== undefined && (
        <Notice tone="bad">
          {refused.title} {refused.hint}
        </Notice>
      )}
      <Loaded of={suggestions} rows={3}>
        {({ orders }) => {
          const near = nearest(orders, row);
          if (near.length === 0) return <p className="soft small">{t('noSuggestion')}</p>;
          return (
            <ul className="payments-orders">
              {near.map((order) => (
                <OrderLine key={order.id} order={order} note={<Apart order={order} row={row} />}>
                  {matchButton(order)}
                </OrderLine>
              ))}
            </ul>
          );
        }}
      </Loaded>
      <h3>{t('otherOrder')}</h3>
      <OrderChoice chosen={other} onChoose={setOther} />
      {other !== undefined && (
        <div className="payments-confirm">
          {other.amounts.total !== row.amount && <Notice tone="warn">{t('amountsDiffer')}</Notice>}
          {matchButton(other)}
        </div>
      )}
    </section>
  );
}

/** Orders of exactly this amount and currency, some days around. */
function useSuggestions({ amount, currency, occurred_at }: Transaction) {
  const at = Date.parse(occurred_at);
  const query = {
    format: 'canonical',
    limit: LOOKED_AT,
    min_amount: amount,
    max_amount: amount,
    currency,
    from: new Date(at - AROUND_MS).toISOString(),
    to: new Date(at + AROUND_MS).toISOString(),
  } as const;
  return useRead('listOrders', { query });
}

function nearest(orders: readonly Found[], row: Transaction): Found[] {
  const settled = row.status === 'refunded' ? 'refunded' : 'paid';
  return orders
    .filter(({ payment }) => payment.status !== settled)
    .toSorted((a, b) => Math.abs(apartMs(a, row)) - Math.abs(apartMs(b, row)))
    .slice(0, SUGGESTED);
}

function apartMs(order: Found, { occurred_at }: Transaction): number {
  return Date.parse(order.external.placed_at) - Date.parse(occurred_at);
}

function Apart({ order, row }: { order: Found; row: Transaction }): ReactNode {
  const t = useWords(paymentsWords);
  const apart = apartMs(order, row);
  const minutes = Math.round(Math.abs(apart) / 60_000);
  const hours = Math.round(minutes / 60);
  const days = Math.round(hours / 24);
  if (minutes === 0) return `· ${t('sameMinute')}`;
  const span =
    minutes < 90
      ? t('minutes', { count: minutes })
      : hours < 48
        ? t('hours', { count: hours })
        : t('days', { count: days });
  return `· ${apart < 0 ? t('before', { span }) : t('after', { span })}`;
}
