import { defineWords } from '../../../i18n/index.ts';

export const applicationWords = defineWords(
  {
    fee: 'Fee',
    due: 'Due',
    owed: 'Owed',
    gets: 'Gets',
    serviceFee: 'Service',
    toWallet: 'Left over, to the wallet',
    walletAfter: 'Wallet afterwards',
    nothingOpen: 'No fee is open: all of it goes to the wallet.',
    inPart: 'in part',
  },
  {
    fee: 'الرسم',
    due: 'الاستحقاق',
    owed: 'المستحق',
    gets: 'يُسدَّد منه',
    serviceFee: 'خدمة',
    toWallet: 'الباقي إلى المحفظة',
    walletAfter: 'رصيد المحفظة بعدها',
    nothingOpen: 'لا رسوم مفتوحة: يذهب المبلغ كله إلى المحفظة.',
    inPart: 'جزئيًا',
  },
);

/** Operator actions by verb, or by verb and resource where the verb alone is not enough. */
export const actionWords = defineWords(
  {
    open: 'Opened the organization',
    create: 'Added to the catalog, the announcements or the partners',
    'create Payments': 'Recorded a payout to a partner',
    update: 'Changed the catalog, the announcements or the partners',
    delete: 'Removed an announcement',
    'add-note': 'Wrote a note on a lead',
    'record-payment': 'Recorded a payment',
    credit: 'Gave credit',
    refund: 'Paid back',
    suspend: 'Suspended',
    resume: 'Resumed',
    'reset-totp': 'Removed a second factor',
    'assign-service': 'Assigned a service',
    'update-service': 'Changed its service',
    'unassign-service': 'Ended a service',
  },
  {
    open: 'فتح المنشأة',
    create: 'أضاف إلى الخدمات أو الإعلانات أو الشركاء',
    'create Payments': 'سجّل تحويلًا لشريك',
    update: 'غيّر في الخدمات أو الإعلانات أو الشركاء',
    delete: 'حذف إعلانًا',
    'add-note': 'كتب ملاحظة على عميل محتمل',
    'record-payment': 'سجّل دفعة',
    credit: 'منح رصيدًا',
    refund: 'أعاد مبلغًا',
    suspend: 'أوقف المنشأة',
    resume: 'استأنف المنشأة',
    'reset-totp': 'أزال التحقق بخطوتين لحساب',
    'assign-service': 'أسند خدمة',
    'update-service': 'غيّر الخدمة',
    'unassign-service': 'أنهى خدمة',
  },
);
