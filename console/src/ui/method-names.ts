import { defineWords, useLanguage } from '../i18n/index.ts';

/** Ways to pay and to receive an order, in the words of the service and of the channels, without spaces, `_` and `-`. */
const methodWords = defineWords(
  {
    cash: 'Cash',
    cashondelivery: 'Cash on delivery',
    cod: 'Cash on delivery',
    card: 'Card',
    creditcard: 'Credit card',
    debitcard: 'mada',
    mada: 'mada',
    applepay: 'Apple Pay',
    stcpay: 'STC Pay',
    online: 'Online',
    prepaid: 'Paid online',
    wallet: 'Wallet',
    banktransfer: 'Bank transfer',
    bank: 'Bank transfer',
    bnpl: 'Pay later',
    tabby: 'Tabby',
    tamara: 'Tamara',
    mispay: 'MISPay',
    delivery: 'Delivery',
    shipping: 'Shipping',
    pickup: 'Pickup',
    instorepickup: 'Pickup',
    takeaway: 'Pickup',
    dinein: 'Dine in',
    curbside: 'Curbside pickup',
    drivethru: 'Drive-through',
  },
  {
    cash: 'نقدًا',
    cashondelivery: 'الدفع عند الاستلام',
    cod: 'الدفع عند الاستلام',
    card: 'بطاقة',
    creditcard: 'بطاقة ائتمانية',
    debitcard: 'مدى',
    mada: 'مدى',
    applepay: 'أبل باي',
    stcpay: 'STC Pay',
    online: 'دفع إلكتروني',
    prepaid: 'مدفوع إلكترونيًا',
    wallet: 'محفظة رقمية',
    banktransfer: 'تحويل بنكي',
    bank: 'تحويل بنكي',
    bnpl: 'دفع آجل',
    tabby: 'تابي',
    tamara: 'تمارا',
    mispay: 'ميس باي',
    delivery: 'توصيل',
    shipping: 'شحن',
    pickup: 'استلام من الفرع',
    instorepickup: 'استلام من الفرع',
    takeaway: 'استلام من الفرع',
    dinein: 'داخل المطعم',
    curbside: 'استلام من السيارة',
    drivethru: 'خدمة السيارات',
  },
);

/** Undefined for a word that only its channel knows; pages show that as received, in a `bdi`. */
export function useMethodName(): (method: string) => string | undefined {
  const words: Partial<Record<string, string>> = methodWords[useLanguage()];
  return (method) => words[method.toLowerCase().replace(/[\s_-]/g, '')];
}
