import type { Feature } from '../../platform/index.ts';

export const settingsFeature: Feature = {
  navigation: [
    // Without a grant: everybody has a password and a second factor of his own.
    { to: '/settings', title: { en: 'Settings', ar: 'الإعدادات' }, group: 'manage', icon: 'settings', keys: 'g s' },
    {
      to: '/settings/security',
      title: { en: 'My account', ar: 'حسابي' },
      group: 'operator',
      icon: 'lock',
      commercial: true,
    },
  ],
};
