import type { Dukkan } from '@dukkan/sdk';
import type { Grant } from './account.ts';
import type { Watch } from './badges.ts';

export type NavigationGroup = 'work' | 'catalog' | 'connect' | 'insight' | 'manage' | 'operator';

/** Where a page stands in the navigation. In the first load of every page, so its name is here and not in its dictionary. */
export type NavigationEntry = {
  to: string;
  title: { en: string; ar: string };
  group: NavigationGroup;
  icon: string;
  /** The grant that shows the entry. Without one, every member sees it. */
  grant?: Grant;
  /** Hidden from accounts of one branch. */
  wholeOrganization?: boolean;
  /** For the operator of the service. */
  commercial?: boolean;
  /** `g o`: G, then O. */
  keys?: string;
};

export type Found = { id: string; text: string; note?: string; to: string };

/** The search of the command palette. Loaded with the first letter. */
export type Finder = {
  title: { en: string; ar: string };
  grant?: Grant;
  /** For the operator of the service. */
  commercial?: boolean;
  load(): Promise<{ find(api: Dukkan, text: string, signal: AbortSignal): Promise<Found[]> }>;
};

/** What the frame needs of a feature besides its routes. */
export type Feature = { navigation: readonly NavigationEntry[]; finder?: Finder; watch?: Watch };
