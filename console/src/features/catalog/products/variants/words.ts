import { defineWords } from '../../../../i18n/index.ts';

export const variantsWords = defineWords(
  {
    group: 'Group variants',
    count: { one: '{count} variant', other: '{count} variants' },
    show: 'Show the variants of {name}',
    select: 'Select all variants of {name}',
    someOnSale: '{on} of {all} on sale',
    title: 'Variants',
    this: 'This product',
    variant: 'Variant',
    stock: 'Stock',
    toStock: 'Prices and stock',
  },
  {
    group: 'تجميع الأنواع',
    count: {
      zero: 'لا أنواع',
      one: 'نوع واحد',
      two: 'نوعان',
      few: '{count} أنواع',
      many: '{count} نوعًا',
      other: '{count} نوع',
    },
    show: 'عرض أنواع {name}',
    select: 'تحديد كل أنواع {name}',
    someOnSale: '{on} من {all} معروضة للبيع',
    title: 'الأنواع',
    this: 'هذا المنتج',
    variant: 'النوع',
    stock: 'المخزون',
    toStock: 'الأسعار والمخزون',
  },
);
