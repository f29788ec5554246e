import type { Feature } from '../../platform/index.ts';

export const appsFeature: Feature = {
  navigation: [
    {
      to: '/apps',
      title: { en: 'Apps', ar: 'التطبيقات' },
      group: 'connect',
      icon: 'apps',
      grant: 'read:Apps',
      keys: 'g a',
    },
    {
      to: '/staging',
      title: { en: 'Inbox', ar: 'الوارد' },
      group: 'connect',
      icon: 'empty',
      grant: 'read:Apps',
      wholeOrganization: true,
    },
  ],
  watch: { grant: 'read:Apps', wholeOrganization: true, load: () => import('./watch-staging.tsx') },
};
