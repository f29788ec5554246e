import { defineWords } from '../i18n/index.ts';

export const supportWords = defineWords(
  {
    label: 'Support visit',
    inside: 'You are in {organization} for support, as {operator}',
    'scope.read': 'Read-only',
    'scope.full': 'Can make changes',
    left: 'Ends in {time}',
    minutes: { one: '{count} minute', other: '{count} minutes' },
    hours: { one: '{count} hour', other: '{count} hours' },
    recorded: 'Everything you do is recorded',
    leave: 'Leave',
  },
  {
    label: 'زيارة الدعم',
    inside: 'أنت داخل {organization} للدعم باسم {operator}',
    'scope.read': 'اطلاع فقط',
    'scope.full': 'يمكنك التعديل',
    left: 'ينتهي بعد {time}',
    minutes: {
      zero: 'أقل من دقيقة',
      one: 'دقيقة',
      two: 'دقيقتين',
      few: '{count} دقائق',
      many: '{count} دقيقة',
      other: '{count} دقيقة',
    },
    hours: {
      zero: 'أقل من ساعة',
      one: 'ساعة',
      two: 'ساعتين',
      few: '{count} ساعات',
      many: '{count} ساعة',
      other: '{count} ساعة',
    },
    recorded: 'كل ما تفعله مسجّل',
    leave: 'خروج',
  },
);
