import { defineWords } from '../../../i18n/index.ts';

export const alertWords = defineWords(
  {
    alerts: 'Alerts for new orders',
    soundOn: 'Turn sound on',
    soundOff: 'Turn sound off',
    noticeOn: 'Turn browser notifications on',
    noticeOff: 'Turn browser notifications off',
    soundNote: 'While the console is open',
    blocked: 'This browser blocks notifications for this site: allow them in its settings',
    newOrder: 'New order {code}',
  },
  {
    alerts: 'تنبيهات الطلبات الجديدة',
    soundOn: 'تشغيل الصوت',
    soundOff: 'إيقاف الصوت',
    noticeOn: 'تشغيل إشعارات المتصفح',
    noticeOff: 'إيقاف إشعارات المتصفح',
    soundNote: 'ما دامت لوحة التحكم مفتوحة',
    blocked: 'يمنع المتصفح الإشعارات لهذا الموقع: اسمح بها من إعداداته',
    newOrder: 'طلب جديد {code}',
  },
);
