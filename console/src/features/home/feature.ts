import type { Feature } from '../../platform/index.ts';

export const homeFeature: Feature = {
  navigation: [{ to: '/', title: { en: 'Home', ar: 'الرئيسية' }, group: 'work', icon: 'home', keys: 'g h' }],
};
