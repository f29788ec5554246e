import type { Feature } from '../../platform/index.ts';

export const paymentsFeature: Feature = {
  navigation: [
    {
      to: '/payments',
      title: { en: 'Payments', ar: 'المدفوعات' },
      group: 'connect',
      icon: 'payments',
      grant: 'read:Payments',
      keys: 'g y',
    },
  ],
};
