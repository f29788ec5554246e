import { defineWords } from '../../../i18n/index.ts';

export const sessionsWords = defineWords(
  {
    title: 'Where you are signed in',
    current: 'This device',
    unknown: 'Unknown device',
    seen: 'Last used {when}',
    end: 'End',
    ended: 'The session has ended',
    signOut: 'Sign out',
    endOthers: 'End all others',
    endedOthers: 'All other sessions have ended',
    endOthersTitle: 'End all other sessions?',
    endOthersText:
      'Every other browser and program signed in with your account has to sign in again. This one continues.',
    more: { one: '{count} more session is not shown', other: '{count} more sessions are not shown' },
    hint: 'If you do not recognise a device, end its session and change your password.',
  },
  {
    title: 'الأجهزة المسجَّل دخولها',
    current: 'هذا الجهاز',
    unknown: 'جهاز غير معروف',
    seen: 'آخر استخدام {when}',
    end: 'إنهاء',
    ended: 'انتهت الجلسة',
    signOut: 'تسجيل الخروج',
    endOthers: 'إنهاء كل ما عداها',
    endedOthers: 'انتهت كل الجلسات الأخرى',
    endOthersTitle: 'إنهاء كل الجلسات الأخرى؟',
    endOthersText: 'يُطلب تسجيل الدخول من جديد في كل متصفح أو برنامج آخر يستخدم حسابك، وتستمر هذه الجلسة.',
    more: {
      zero: 'كل الجلسات معروضة',
      one: 'جلسة أخرى غير معروضة',
      two: 'جلستان أخريان غير معروضتين',
      few: '{count} جلسات أخرى غير معروضة',
      many: '{count} جلسة أخرى غير معروضة',
      other: '{count} جلسة أخرى غير معروضة',
    },
    hint: 'إذا لم تعرف أحد الأجهزة فأنهِ جلسته وغيّر كلمة المرور.',
  },
);
