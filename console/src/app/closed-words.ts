import { defineWords } from '../i18n/index.ts';

export const closedWords = defineWords(
  {
    suspendedTitle: 'This organization is suspended',
    suspendedHint: 'Its pages are closed. All data is kept.',
    suspendedForFees: 'They open again when the outstanding amount is paid.',
    suspendedByOperator: 'The operator of the service gives this reason: {reason}',
    toBilling: 'See the outstanding amount',
    toOwner: 'Ask an owner of the organization for the reason.',
  },
  {
    suspendedTitle: 'هذه المنشأة موقوفة',
    suspendedHint: 'صفحاتها مغلقة. لم يُفقد شيء، وبياناتها محفوظة كما هي.',
    suspendedForFees: 'تُفتح مجددًا عند سداد المستحق.',
    suspendedByOperator: 'السبب كما ذكره مشغّل الخدمة: {reason}',
    toBilling: 'عرض المستحقات',
    toOwner: 'اسأل مالك المنشأة عن السبب.',
  },
);
