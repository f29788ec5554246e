import type { Schemas } from '@dukkan/sdk';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { useMethodName } from '../method-names.ts';
import { QrCode } from '../qr-code.tsx';
import './receipt.css';
import { receiptWords } from './words.ts';

export type ReceiptData = {
  orderCode: string;
  placedAt: string;
  branch: string | null;
  currency: string;
  lines: readonly { name: string; quantity: number | null; price: number | null; total: number | null }[];
  amounts: {
    subtotal: number;
    discounts: number;
    deliveryFee: number;
    serviceFee: number;
    vat: number;
    total: number;
  };
  paymentMethod: string | null;
  cash?: { given: number; change: number };
  /** Absent: not issued, and `noInvoice` says why. */
  invoice?: Schemas['Invoice'];
  noInvoice?: string;
  seller?: string;
};

/** The receipt of an 80 mm printer. The same component is shown on screen and printed. */
export function Receipt({ data }: { data: ReceiptData }): ReactNode {
  const t = useWords(receiptWords);
  const method = useMethodName();
  const { money, number, dateTime, hijri } = useFormat();
  const { invoice, amounts, currency, cash } = data;
  const at = invoice?.issued_at ?? data.placedAt;
  const withoutVat = amounts.subtotal - amounts.discounts + amounts.deliveryFee + amounts.serviceFee;
  const sums = [
    [t('subtotal'), amounts.subtotal],
    [t('discounts'), -amounts.discounts],
    [t('deliveryFee'), amounts.deliveryFee],
    [t('serviceFee'), amounts.serviceFee],
    [Math.abs(withoutVat - amounts.total) < 0.005 ? t('vatIncluded') : t('vat'), invoice?.vat ?? amounts.vat],
  ] as const;
  return (
    <article className="receipt" aria-label={invoice === undefined ? t('receipt') : t('taxInvoice')}>
      <header className="receipt-head">
        <strong>
          <bdi>{invoice?.seller_name ?? data.seller}</bdi>
        </strong>
        {data.branch !== null && <bdi>{data.branch}</bdi>}
        <span>{invoice === undefined ? t('receipt') : t('taxInvoice')}</span>
      </header>
      <dl className="receipt-facts">
        {invoice !== undefined && (
          <>
            <dt>{t('vatNumber')}</dt>
            <dd className="ltr">{invoice.vat_number}</dd>
            <dt>{t('invoiceNumber')}</dt>
            <dd className="ltr">{invoice.invoice_number}</dd>
          </>
        )}
        <dt>{t('orderNumber')}</dt>
        <dd className="ltr">{data.orderCode}</dd>
        <dt>{t('date')}</dt>
        <dd>{dateTime(at)}</dd>
        <dt>{t('hijri')}</dt>
        <dd>{hijri(at)}</dd>
      </dl>
      <ul className="receipt-lines">
        {data.lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a product may appear twice, and lines do not move
          <li key={index}>
            <bdi>{line.name}</bdi>
            <span>{line.total === null ? '—' : money(line.total, currency)}</span>
            {line.quantity !== null && line.price !== null && (
              <span className="receipt-each">
                {t('each', { quantity: number(line.quantity), price: money(line.price, currency) })}
              </span>
            )}
          </li>
        ))}
      </ul>
      <dl className="receipt-facts receipt-sums">
        {sums
          .filter(([, amount], index) => index === 0 || amount !== 0)
          .map(([name, amount]) => (
            <div key={name} className="receipt-sum">
              <dt>{name}</dt>
              <dd>{money(amount, currency)}</dd>
            </div>
          ))}
        <div className="receipt-sum receipt-total">
          <dt>{t('total')}</dt>
          <dd>{money(amounts.total, currency)}</dd>
        </div>
        {data.paymentMethod !== null && (
          <div className="receipt-sum">
            <dt>{t('paidBy')}</dt>
            <dd>{method(data.paymentMethod) ?? <bdi>{data.paymentMethod}</bdi>}</dd>
          </div>
        )}
        {cash !== undefined && (
          <>
            <div className="receipt-sum">
              <dt>{t('given')}</dt>
              <dd>{money(cash.given, currency)}</dd>
            </div>
            <div className="receipt-sum">
              <dt>{t('change')}</dt>
              <dd>{money(cash.change, currency)}</dd>
            </div>
          </>
        )}
      </dl>
      <footer className="receipt-foot">
        {invoice !== undefined && <QrCode text={invoice.qr} label={t('qr')} />}
        {data.noInvoice !== undefined && <span>{t('noTax', { why: data.noInvoice })}</span>}
        <span>{t('thanks')}</span>
      </footer>
    </article>
  );
}
