import { defineWords } from '../../../i18n/index.ts';

export const supportWords = defineWords(
  {
    asks: '{name} from support asks for access to your organization:',
    review: 'Allow…',
    refuse: 'Refuse',
    refused: 'The request is refused',
    open: 'Support has access until {until}.',
    manage: 'Manage',
  },
  {
    asks: 'يطلب {name} من الدعم الوصول إلى منشأتك:',
    review: 'السماح…',
    refuse: 'رفض',
    refused: 'رُفض الطلب',
    open: 'الوصول متاح للدعم حتى {until}.',
    manage: 'إدارة',
  },
);
