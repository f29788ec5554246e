import { DukkanError } from '@dukkan/sdk';
import { defineWords, useFormat, useWords } from '../i18n/index.ts';
import { useExplainError } from '../platform/index.ts';

/** By `X-Error-Reason` of POST /orders/{id}/invoice. */
export const invoiceRefusalWords = defineWords(
  {
    'vat-number-missing': 'the organization has no VAT number yet: add it in the settings',
    'order-without-a-branch': 'the order has no branch, and an invoice is issued by a branch',
    'order-cancelled': 'the order is cancelled',
    'order-refunded': 'the order is refunded',
    'currency-not-supported': 'tax invoices are issued in Saudi riyals, and the order is in {currency}',
    'order-without-lines': 'the order has no lines',
    'line-without-an-amount': 'a line of the order has no price or no quantity',
    'order-without-a-total': 'the order has no total',
    'total-too-precise': 'the total has more than two decimals',
    'amounts-do-not-add-up': 'lines, discount, fees and VAT do not come to the total of {total}',
    'vat-missing': 'the order has no VAT, and its goods are taxed: {expected} is missing',
    'vat-does-not-agree': 'the VAT of {vat} does not agree with the amounts; {expected} is expected',
    'vat-rate-not-supported': 'VAT of {rate}% is no rate of the tax authority',
  },
  {
    'vat-number-missing': 'لا رقم ضريبي للمنشأة بعد: أضفه في الإعدادات',
    'order-without-a-branch': 'لا فرع لهذا الطلب، والفاتورة يصدرها فرع',
    'order-cancelled': 'الطلب ملغى',
    'order-refunded': 'الطلب مسترد',
    'currency-not-supported': 'الفواتير الضريبية تصدر بالريال السعودي، والطلب بعملة {currency}',
    'order-without-lines': 'لا بنود في الطلب',
    'line-without-an-amount': 'أحد بنود الطلب بلا سعر أو بلا كمية',
    'order-without-a-total': 'لا إجمالي للطلب',
    'total-too-precise': 'في الإجمالي أكثر من منزلتين عشريتين',
    'amounts-do-not-add-up': 'البنود والخصم والرسوم والضريبة لا تساوي الإجمالي {total}',
    'vat-missing': 'لا ضريبة في الطلب وبضاعته خاضعة للضريبة: ينقص {expected}',
    'vat-does-not-agree': 'الضريبة {vat} لا توافق المبالغ، والمتوقع {expected}',
    'vat-rate-not-supported': 'نسبة الضريبة {rate}% ليست من نسب هيئة الزكاة والضريبة والجمارك',
  },
);

/** Why an order gets no tax invoice, as a clause with the figures that decided it. */
export function useExplainInvoice(): (error: unknown) => string {
  const t = useWords(invoiceRefusalWords);
  const explain = useExplainError();
  const { money, number } = useFormat();
  return (error) => {
    if (!(error instanceof DukkanError) || !isKnown(error.reason)) return explain(error).title;
    const details = typeof error.details === 'object' && error.details !== null ? error.details : {};
    const figure = (name: string) => (typeof details[name] === 'number' ? details[name] : 0);
    return t(error.reason, {
      currency: typeof details.currency === 'string' ? details.currency : '',
      total: money(figure('total_amount')),
      vat: money(figure('vat_amount')),
      expected: money(figure('expected_vat_amount')),
      rate: number(figure('vat_value')),
    });
  };
}

type Reason = keyof (typeof invoiceRefusalWords)['en'];

function isKnown(reason: string): reason is Reason {
  return Object.hasOwn(invoiceRefusalWords.en, reason);
}
