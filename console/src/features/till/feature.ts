import type { Feature } from '../../platform/index.ts';

export const tillFeature: Feature = {
  navigation: [
    {
      to: '/till',
      title: { en: 'Till', ar: 'نقطة البيع' },
      group: 'work',
      icon: 'till',
      grant: 'create:Orders',
      keys: 'g t',
    },
  ],
};
