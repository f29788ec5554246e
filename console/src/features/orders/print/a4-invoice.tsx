import type { Schemas } from '@dukkan/sdk';
import type { ReactNode } from 'react';
import { useFormat, useLanguage } from '../../../i18n/index.ts';
import { Facts } from '../../../ui/index.ts';
import { QrCode } from '../../../ui/qr-code.tsx';
import './print.css';
import type { InvoiceDocument } from './read-invoice-xml.ts';
import { invoiceLabels } from './words.ts';

type Label = keyof (typeof invoiceLabels)['en'];
const COLUMNS = ['item', 'quantity', 'unitPrice', 'net', 'rate', 'vat', 'total'] as const;

/** Characters of an amount; four columns of longer ones leave no space for the item. */
const LONG_AMOUNT = 15;

/** A page of A4 in both languages: the tax authority asks for Arabic, and many buyers read English. */
export function A4Invoice(props: { invoice: Schemas['Invoice']; document: InvoiceDocument }): ReactNode {
  const { invoice, document } = props;
  const language = useLanguage();
  const { money, number, percent, dateTime } = useFormat();
  const { seller, currency } = document;
  const other = language === 'ar' ? 'en' : 'ar';
  // The second language is isolated (U+2068, U+2069): its full stop stays at its end.
  const both = (label: Label) => `${invoiceLabels[language][label]} / \u2068${invoiceLabels[other][label]}\u2069`;
  const inMoney = (amount: number) => money(amount, currency);
  const isLong = document.lines.some(({ total }) => inMoney(total).length > LONG_AMOUNT);
  const extraName = (reason: string) => (reason in invoiceLabels.en ? both(reason as Label) : reason);
  const code = (text: string) => <span className="ltr">{text}</span>;
  return (
    <article className="a4-invoice" aria-label={invoiceLabels[language].title}>
      <header className="a4-invoice-head">
        <div>
          <h1>{invoiceLabels[language].title}</h1>
          <p lang={other} dir={other === 'ar' ? 'rtl' : 'ltr'}>
            {invoiceLabels[other].title}
          </p>
          <Facts
            look="print"
            facts={[
              [both('number'), code(invoice.invoice_number)],
              [both('date'), dateTime(invoice.issued_at)],
              [both('order'), code(document.orderCode)],
            ]}
          />
        </div>
        <QrCode text={invoice.qr} label={invoiceLabels[language].qr} />
      </header>
      <div className="a4-invoice-parties">
        <section aria-label={both('seller')}>
          <h2>{both('seller')}</h2>
          <bdi className="strong">{seller.name}</bdi>
          <Facts
            look="print"
            facts={[
              [both('vatNumber'), code(seller.vatNumber)],
              seller.address === '' ? undefined : [both('address'), <bdi key="address">{seller.address}</bdi>],
            ]}
          />
        </section>
        <section aria-label={both('buyer')}>
          <h2>{both('buyer')}</h2>
          <bdi className="strong">{document.buyer === '' ? '—' : document.buyer}</bdi>
        </section>
      </div>
      <table className="a4-invoice-lines" data-long={isLong || undefined}>
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {invoiceLabels[language][column]}
                <br />
                <bdi lang={other}>{invoiceLabels[other][column]}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {document.lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a product may appear twice, and lines do not move
            <tr key={index}>
              <td>
                <bdi>{line.name}</bdi>
                <div className="ltr small">{line.sku}</div>
              </td>
              <td>{number(line.quantity)}</td>
              <td>{inMoney(line.unitPrice)}</td>
              <td>{inMoney(line.net)}</td>
              <td>{percent(line.percent / 100)}</td>
              <td>{inMoney(line.vat)}</td>
              <td>{inMoney(line.total)}</td>
            </tr>
          ))}
          {document.extras.map((extra, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they do not move
            <tr key={`extra-${index}`}>
              <td colSpan={3}>{extraName(extra.reason)}</td>
              <td>{inMoney(extra.net)}</td>
              <td>{percent(extra.percent / 100)}</td>
              <td colSpan={2} />
            </tr>
          ))}
        </tbody>
      </table>
      <dl className="a4-invoice-sums">
        <dt>{both('totalNet')}</dt>
        <dd>{inMoney(document.net)}</dd>
        <dt>{both('totalVat')}</dt>
        <dd>{inMoney(document.vat)}</dd>
        <dt className="strong">{both('totalDue')}</dt>
        <dd className="strong">{inMoney(document.total)}</dd>
      </dl>
      <footer className="ltr small">{document.uuid}</footer>
    </article>
  );
}
