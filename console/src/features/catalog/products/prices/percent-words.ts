import { defineWords } from '../../../../i18n/index.ts';

export const percentWords = defineWords(
  {
    percent: 'Change in %',
    percentBad: 'A number from -90 to 500, with at most two decimals',
    branch: 'Branch',
    everyBranch: 'Every branch',
  },
  {
    percent: 'نسبة التغيير %',
    percentBad: 'رقم من ‎-90 إلى 500 بخانتين عشريتين كحد أقصى',
    branch: 'الفرع',
    everyBranch: 'كل الفروع',
  },
);
