import { defineWords } from '../../i18n/index.ts';

export const conflictWords = defineWords(
  {
    title: 'Someone else changed this too',
    text: 'It was saved with another value while you were editing. Which one should stay?',
    field: 'Field',
    theirs: 'Saved now',
    mine: 'Yours',
    keepTheirs: 'Keep the saved value',
    saveMine: 'Save mine',
    kept: 'The saved value was kept',
    empty: 'Empty',
    yes: 'Yes',
    no: 'No',
  },
  {
    title: 'غيّر مستخدم آخر هذه القيمة أيضًا',
    text: 'حُفظت قيمة أخرى أثناء تعديلك. أي القيمتين تبقى؟',
    field: 'الحقل',
    theirs: 'المحفوظ الآن',
    mine: 'تعديلك',
    keepTheirs: 'إبقاء القيمة المحفوظة',
    saveMine: 'حفظ تعديلي',
    kept: 'أُبقيت القيمة المحفوظة',
    empty: 'فارغ',
    yes: 'نعم',
    no: 'لا',
  },
);
