import type { Feature } from '../../platform/index.ts';

export const webhooksFeature: Feature = {
  navigation: [
    {
      to: '/webhooks',
      title: { en: 'Webhooks', ar: 'الويب هوك' },
      group: 'connect',
      icon: 'webhooks',
      grant: 'read:Webhooks',
      wholeOrganization: true,
      keys: 'g w',
    },
  ],
};
