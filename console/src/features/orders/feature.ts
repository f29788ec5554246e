import type { Feature } from '../../platform/index.ts';

export const ordersFeature: Feature = {
  navigation: [
    {
      to: '/orders',
      title: { en: 'Orders', ar: 'الطلبات' },
      group: 'work',
      icon: 'orders',
      grant: 'read:Orders',
      keys: 'g o',
    },
  ],
  watch: { grant: 'read:Orders', load: () => import('./alerts/watch-orders.tsx') },
  finder: {
    title: { en: 'Orders', ar: 'الطلبات' },
    grant: 'read:Orders',
    load: () => import('./find-orders.ts'),
  },
};
