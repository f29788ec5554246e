import type { Feature } from '../../platform/index.ts';

const TITLE = { en: 'Customers', ar: 'العملاء' };

export const customersFeature: Feature = {
  navigation: [{ to: '/customers', title: TITLE, group: 'work', icon: 'customers', grant: 'read:Orders', keys: 'g u' }],
  finder: { title: TITLE, grant: 'read:Orders', load: () => import('./find-customers.ts') },
};
