import type { Schemas } from '@dukkan/sdk';
import { type ReactNode, useState } from 'react';
import { orderWords, useFormat, useWords } from '../../i18n/index.ts';
import { useRead } from '../../platform/index.ts';
import { DebouncedSearch } from '../../ui/debounced-search.tsx';
import { Badge, Button, Loaded, paymentTone } from '../../ui/index.ts';
import { paymentsWords } from './words.ts';

export type Found = Schemas['CanonicalOrder'];

const AT_MOST = 6;

/** Searches and selects an order. */
export function OrderChoice(props: {
  chosen: Found | undefined;
  onChoose(order: Found | undefined): void;
  /** Shows the newest unpaid orders before typing, and excludes paid ones. */
  unpaid?: boolean;
}): ReactNode {
  const t = useWords(paymentsWords);
  const { chosen, onChoose, unpaid = false } = props;
  const [text, setText] = useState('');
  const isAsked = chosen === undefined && (unpaid || text !== '');
  const query = {
    format: 'canonical',
    limit: AT_MOST,
    ...(text && { search: text }),
    ...(unpaid && { payment_status: 'pending' }),
  } as const;
  const orders = useRead('listOrders', { query }, { keepPrevious: true, enabled: isAsked });
  if (chosen !== undefined) {
    return (
      <ul className="payments-orders">
        <OrderLine order={chosen}>
          <Button size="small" onPress={() => onChoose(undefined)}>
            {t('another')}
          </Button>
        </OrderLine>
      </ul>
    );
  }
  return (
    <div className="payments-choice">
      <DebouncedSearch label={t('findOrder')} placeholder={t('findOrderHint')} text={text} onText={setText} />
      {isAsked && (
        <Loaded of={orders} rows={4}>
          {({ orders: found }) =>
            found.length === 0 ? (
              <p className="soft small">{t('noOrder')}</p>
            ) : (
              <ul className="payments-orders">
                {found.map((order) => (
                  <OrderLine key={order.id} order={order}>
                    <Button
                      size="small"
                      aria-label={t('takeNamed', { order: order.external.code })}
                      onPress={() => onChoose(order)}
                    >
                      {t('take')}
                    </Button>
                  </OrderLine>
                ))}
              </ul>
            )
          }
        </Loaded>
      )}
    </div>
  );
}

export function OrderLine({
  order,
  note,
  children,
}: {
  order: Found;
  note?: ReactNode;
  children?: ReactNode;
}): ReactNode {
  const status = useWords(orderWords);
  const { money, when } = useFormat();
  return (
    <li className="payments-order">
      <div className="payments-order-text">
        <span className="ltr strong">{order.external.code}</span>
        <span className="soft small">
          {order.customer.name !== null && (
            <>
              <bdi>{order.customer.name}</bdi> ·{' '}
            </>
          )}
          <bdi>{when(order.created_at)}</bdi> {note}
        </span>
      </div>
      <div className="payments-order-amount">
        <span>{money(order.amounts.total, order.amounts.currency)}</span>
        <Badge tone={paymentTone(order.payment.status)}>{status(`payment.${order.payment.status}`)}</Badge>
      </div>
      {children}
    </li>
  );
}
