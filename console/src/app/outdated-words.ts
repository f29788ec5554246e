import { defineWords } from '../i18n/index.ts';

export const outdatedWords = defineWords(
  { outdated: 'Part of this page could not be refreshed. It is shown as of {time}.', retry: 'Try again' },
  { outdated: 'تعذّر تحديث جزء من هذه الصفحة، وهو معروض كما كان في {time}.', retry: 'إعادة المحاولة' },
);
