import { DukkanError } from '@dukkan/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useFormat, useLanguage, useName, useWords } from '../../i18n/index.ts';
import { useApi, useOrganization } from '../../platform/index.ts';
import { useExplainInvoice } from '../../ui/explain-invoice.ts';
import { Button, Card, Kbd, useShortcuts } from '../../ui/index.ts';
import { PrintSheet, Receipt, type ReceiptData } from '../../ui/receipt/index.ts';
import type { Sold as SoldSale } from './use-sale.ts';
import { tillWords } from './words.ts';

/** The completed sale: change to give and the receipt. Enter starts the next sale. */
export function Sold({ sale, branch, onNext }: { sale: SoldSale; branch: string; onNext(): void }): ReactNode {
  const t = useWords(tillWords);
  const api = useApi();
  const language = useLanguage();
  const seller = useName()(useOrganization());
  const { money } = useFormat();
  const why = useExplainInvoice();
  const { made, cash } = sale;
  const { order } = made;
  // Issuing is idempotent, so it also reads an existing invoice.
  const invoice = useQuery({
    queryKey: ['till-invoice', made.id],
    queryFn: () => api.call('issueInvoice', { path: { id: made.id } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isFinal = invoice.error instanceof DukkanError && invoice.error.status === 409;
  useShortcuts({ p: () => window.print(), Enter: onNext });
  useEffect(() => {
    window.scrollTo({ top: 0 });
  }, []);
  const data: ReceiptData = {
    orderCode: order.order_code,
    placedAt: order.created_at,
    branch,
    seller,
    currency: order.currency,
    lines: order.products.map((line) => lineOf(line, language)),
    amounts: {
      subtotal: order.subtotal,
      discounts: order.discounts_amount,
      deliveryFee: order.delivery_fee,
      serviceFee: order.service_fee,
      vat: order.vat_amount,
      total: order.total_amount,
    },
    paymentMethod: order.payment_method,
    ...(cash && { cash }),
    ...(invoice.data !== undefined && { invoice: invoice.data.data }),
    ...(isFinal && { noInvoice: why(invoice.error) }),
  };
  return (
    <div className="till-sold">
      <Card>
        <Receipt data={data} />
        <PrintSheet>
          <Receipt data={data} />
        </PrintSheet>
      </Card>
      <Card>
        <div className="till-done">
          <div role="status">
            <h2>{t('sold')}</h2>
          </div>
          <p className="soft">
            <Link to="/orders/$id" params={{ id: made.id }}>
              {t('soldOrder', { code: order.order_code })}
            </Link>
          </p>
          {cash !== undefined && (
            <p className="till-give">
              <span className="soft">{t('changeDue')}</span>
              <strong>{money(cash.change, order.currency)}</strong>
            </p>
          )}
          {invoice.isPending && <p className="soft">{t('issuing')}</p>}
          {invoice.isError && !isFinal && (
            <p className="till-ways">
              <span className="till-short">{t('noInvoice')}</span>
              <Button size="small" onPress={() => void invoice.refetch()}>
                {t('tryAgain')}
              </Button>
            </p>
          )}
          <Button look="primary" autoFocus onPress={onNext}>
            {t('newSale')} <Kbd>↵</Kbd>
          </Button>
          <Button icon="print" isPending={invoice.isPending} onPress={() => window.print()}>
            {t('print')} <Kbd>P</Kbd>
          </Button>
        </div>
      </Card>
    </div>
  );
}

function lineOf(line: Record<string, unknown>, language: 'en' | 'ar'): ReceiptData['lines'][number] {
  const text = (name: string) => (typeof line[name] === 'string' ? line[name] : '');
  const amount = (name: string) => (typeof line[name] === 'number' ? line[name] : null);
  const quantity = amount('quantity');
  const price = amount('price');
  return {
    name: (language === 'ar' && text('name_ar')) || text('name') || text('sku_id'),
    quantity,
    price,
    total: quantity === null || price === null ? null : Math.round(quantity * price * 100 + 1e-6) / 100,
  };
}
