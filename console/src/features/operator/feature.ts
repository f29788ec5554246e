import type { Feature, NavigationEntry } from '../../platform/index.ts';

const entry = (to: string, en: string, ar: string, icon: string, keys?: string): NavigationEntry => ({
  to: `/operator${to}`,
  title: { en, ar },
  group: 'operator',
  icon,
  commercial: true,
  ...(keys && { keys }),
});

export const operatorFeature: Feature = {
  navigation: [
    entry('', 'Overview', 'نظرة عامة', 'home', 'g v'),
    entry('/organizations', 'Organizations', 'المنشآت', 'branches', 'g n'),
    entry('/money', 'Money', 'المالية', 'payments'),
    entry('/partners', 'Partners', 'الشركاء', 'customers'),
    entry('/leads', 'Leads', 'العملاء المحتملون', 'empty'),
    entry('/announcements', 'Announcements', 'الإعلانات', 'info'),
    entry('/system', 'System', 'النظام', 'operator'),
  ],
  finder: {
    title: { en: 'Organizations', ar: 'المنشآت' },
    commercial: true,
    load: () => import('./organizations/find-organizations.ts'),
  },
};
