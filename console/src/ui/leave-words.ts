import { defineWords } from '../i18n/index.ts';

export const leaveWords = defineWords(
  {
    title: 'Discard your changes?',
    text: 'What you entered is not saved yet.',
    discard: 'Discard changes',
    stay: 'Keep editing',
    restored: 'Your unsaved changes were restored.',
  },
  {
    title: 'تجاهل التعديلات؟',
    text: 'ما أدخلته لم يُحفظ بعد.',
    discard: 'تجاهل التعديلات',
    stay: 'متابعة التعديل',
    restored: 'استُعيدت تعديلاتك غير المحفوظة.',
  },
);
