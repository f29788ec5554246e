import type { Feature } from '../../platform/index.ts';

export const settingsFeature: Feature = {
  navigation: [
    // Without a grant: every user has a password and a second factor.
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
