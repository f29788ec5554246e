import type { Schemas } from '@dukkan/sdk';
import type { ReactNode } from 'react';
import { useFormat, useLanguage, useName, useWords } from '../../../i18n/index.ts';
import { QrCode } from '../../../ui/qr-code.tsx';
import { invoiceWords } from './invoice-words.ts';

type Invoice = Schemas['FeeInvoice'];

/** As it was issued, in the language of the page; a tax invoice shows the names in Arabic as well. */
export function InvoiceDocument({ invoice }: { invoice: Invoice }): ReactNode {
  const t = useWords(invoiceWords);
  const language = useLanguage();
  const name = useName();
  const { money, number, date, dateTime, locale } = useFormat();
  const { seller, buyer } = invoice;
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const sellerName = language === 'ar' ? seller.name_ar : seller.name;
  return (
    <article className="invoice" aria-label={t('title', { number: invoice.number })}>
      <header className="invoice-head">
        <div>
          <h2>{t('taxInvoice')}</h2>
          <p className="strong">
            <bdi>{invoice.number}</bdi>
          </p>
          <p className="soft">{t('for', { month: month.format(new Date(invoice.period)) })}</p>
        </div>
        <QrCode text={invoice.qr} label={t('qr')} />
      </header>
      <div className="invoice-parties">
        <Party
          title={t('seller')}
          name={sellerName}
          other={language === 'ar' ? seller.name : seller.name_ar}
          vat={seller.vat_number}
          address={seller.address}
        />
        <Party
          title={t('buyer')}
          name={name(buyer)}
          other={language === 'ar' ? buyer.name_en : buyer.name_ar}
          vat={buyer.vat_number}
          address={buyer.address}
        />
        <dl className="invoice-dates">
          <dt>{t('issued')}</dt>
          <dd>{dateTime(invoice.issued_at)}</dd>
          <dt>{t('due')}</dt>
          <dd>{date(invoice.due_date)}</dd>
        </dl>
      </div>
      <div className="invoice-scroll">
        <table className="invoice-lines">
          <thead>
            <tr>
              <th scope="col">{t('line')}</th>
              <th scope="col" className="end">
                {t('amount')}
              </th>
              <th scope="col" className="end">
                {t('vat')}
              </th>
              <th scope="col" className="end">
                {t('total')}
              </th>
            </tr>
          </thead>
          <tbody>
            {invoice.lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an issued invoice does not change, and two lines may be alike
              <tr key={index}>
                <td>
                  {t(line.kind === 'service' ? 'service' : 'branch')} <bdi>{name(line) || line.code}</bdi>
                </td>
                <td className="end">{money(line.amount_sar)}</td>
                <td className="end">
                  {money(line.vat_sar)} <span className="soft">({number(line.vat_percent)}%)</span>
                </td>
                <td className="end">{money(line.total_sar)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t('sum')}</th>
              <td className="end">{money(invoice.amount_sar)}</td>
              <td className="end">{money(invoice.vat_sar)}</td>
              <td className="end strong">{money(invoice.total_sar)}</td>
            </tr>
          </tfoot>
        </table>
      </div>
      <p className="strong">
        {invoice.outstanding_sar === 0 ? t('isPaid') : t('left', { amount: money(invoice.outstanding_sar) })}
      </p>
    </article>
  );
}

function Party(props: { title: string; name: string; other: string; vat: string; address: string }): ReactNode {
  const t = useWords(invoiceWords);
  const { title, name, other, vat, address } = props;
  return (
    <div>
      <h3 className="soft small">{title}</h3>
      <span className="strong">
        <bdi>{name}</bdi>
      </span>
      {other !== '' && other !== name && (
        <span className="soft">
          <bdi>{other}</bdi>
        </span>
      )}
      {vat !== '' && (
        <span>
          {t('vatNumber')} <span className="ltr">{vat}</span>
        </span>
      )}
      {address !== '' && (
        <span>
          <bdi>{address}</bdi>
        </span>
      )}
    </div>
  );
}
