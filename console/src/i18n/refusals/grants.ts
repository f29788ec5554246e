import { defineWords } from '../define-words.ts';

/** Actions and resources of grants, as `X-Error-Reason: missing-grant` names them: `update on Orders`. */
const grantWords = defineWords(
  {
    read: 'Read',
    create: 'Create',
    update: 'Change',
    delete: 'Delete',
    export: 'Export',
    import: 'Import',
    Branches: 'branches',
    Products: 'products',
    Orders: 'orders',
    Payments: 'payments',
    Webhooks: 'webhooks',
    Apps: 'apps',
    Analytics: 'analytics',
    Reports: 'reports',
    Settings: 'settings',
  },
  {
    read: 'الاطلاع على',
    create: 'الإضافة إلى',
    update: 'التعديل في',
    delete: 'الحذف من',
    export: 'التصدير من',
    import: 'الاستيراد إلى',
    Branches: 'الفروع',
    Products: 'المنتجات',
    Orders: 'الطلبات',
    Payments: 'المدفوعات',
    Webhooks: 'الويب هوك',
    Apps: 'التطبيقات',
    Analytics: 'التحليلات',
    Reports: 'التقارير',
    Settings: 'الإعدادات',
  },
);

/** `update on Orders` is `Change orders`. Undefined for a grant that is not known here. */
export function wordGrant(language: 'en' | 'ar', grant: string): string | undefined {
  const words: Partial<Record<string, string>> = grantWords[language];
  const [action = '', resource = ''] = grant.split(' on ');
  const [actionWord, resourceWord] = [words[action], words[resource]];
  return actionWord === undefined || resourceWord === undefined ? undefined : `${actionWord} ${resourceWord}`;
}
