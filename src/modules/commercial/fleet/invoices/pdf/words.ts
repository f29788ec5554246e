export type Language = 'ar' | 'en';

/** A tax invoice names its fields in both languages: the reader's first. */
export const WORDS = {
  taxInvoice: { en: 'Tax invoice', ar: 'فاتورة ضريبية' },
  number: { en: 'Invoice number', ar: 'رقم الفاتورة' },
  period: { en: 'Fees of', ar: 'رسوم شهر' },
  seller: { en: 'Seller', ar: 'البائع' },
  buyer: { en: 'Buyer', ar: 'المشتري' },
  vatNumber: { en: 'VAT number', ar: 'الرقم الضريبي' },
  issued: { en: 'Issued', ar: 'تاريخ الإصدار' },
  due: { en: 'Due', ar: 'تاريخ الاستحقاق' },
  line: { en: 'For', ar: 'البيان' },
  branch: { en: 'Branch', ar: 'فرع' },
  service: { en: 'Service', ar: 'خدمة' },
  amount: { en: 'Amount (SAR)', ar: 'المبلغ (ر.س)' },
  vat: { en: 'VAT (SAR)', ar: 'الضريبة (ر.س)' },
  total: { en: 'Total (SAR)', ar: 'الإجمالي (ر.س)' },
  sumAmount: { en: 'Total without VAT', ar: 'الإجمالي قبل الضريبة' },
  sumVat: { en: 'VAT', ar: 'ضريبة القيمة المضافة' },
  sumTotal: { en: 'Total with VAT', ar: 'الإجمالي شامل الضريبة' },
  page: { en: 'Page {nth} of {count}', ar: 'صفحة {nth} من {count}' },
} satisfies Record<string, Record<Language, string>>;

export type Word = keyof typeof WORDS;

const LOCALES = { en: 'en-GB-u-ca-gregory-nu-latn', ar: 'ar-SA-u-ca-gregory-nu-latn' };
/** Dates of invoices are those of the operator. */
const TIME_ZONE = 'Asia/Riyadh';
const amounts = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export function formatsOf(language: Language) {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(LOCALES[language], options);
  const day = format({ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  const month = format({ month: 'long', year: 'numeric', timeZone: 'UTC' });
  const time = format({
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: TIME_ZONE,
  });
  return {
    amount: (value: number) => amounts.format(value),
    day: (date: string) => day.format(new Date(date)),
    month: (date: string) => month.format(new Date(date)),
    time: (moment: string) => time.format(new Date(moment)),
  };
}
