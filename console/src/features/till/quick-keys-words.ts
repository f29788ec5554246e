import { defineWords } from '../../i18n/index.ts';

export const quickKeysWords = defineWords(
  {
    title: 'Quick keys',
    pin: 'Pin {name}',
    unpin: 'Take {name} off its key',
    edit: 'Edit keys',
    editDone: 'Done',
    hint: 'Alt with the number adds one',
  },
  {
    title: 'المفاتيح السريعة',
    pin: 'تثبيت {name}',
    unpin: 'إزالة {name} من مفتاحه',
    edit: 'تعديل المفاتيح',
    editDone: 'تم',
    hint: 'اضغط Alt مع الرقم لإضافة حبة',
  },
);
