import type { Feature } from '../../platform/index.ts';

export const forecastsFeature: Feature = {
  navigation: [
    {
      to: '/forecasts',
      title: { en: 'Forecasts', ar: 'التوقعات' },
      group: 'insight',
      icon: 'forecasts',
      grant: 'read:Analytics',
      keys: 'g f',
    },
  ],
};
