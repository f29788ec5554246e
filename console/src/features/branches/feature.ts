import type { Feature } from '../../platform/index.ts';

const TITLE = { en: 'Branches', ar: 'الفروع' };

export const branchesFeature: Feature = {
  navigation: [
    { to: '/branches', title: TITLE, group: 'catalog', icon: 'branches', grant: 'read:Branches', keys: 'g b' },
  ],
  finder: { title: TITLE, grant: 'read:Branches', load: () => import('./find-branches.ts') },
};
