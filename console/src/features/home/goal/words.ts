import { defineWords } from '../../../i18n/index.ts';

export const goalWords = defineWords(
  {
    revenue: 'Revenue goal ({currency})',
    hint: 'At the present pace the month ends at {amount}.',
    wrong: 'Enter an amount of 1 or more.',
    remove: 'Remove the goal',
  },
  {
    revenue: 'هدف الإيراد ({currency})',
    hint: 'بالوتيرة الحالية ينتهي الشهر عند {amount}.',
    wrong: 'أدخل مبلغًا لا يقل عن 1.',
    remove: 'حذف الهدف',
  },
);
