import type { Schemas } from '@dukkan/sdk';

export const STATUSES = [
  'New',
  'Pending',
  'Verifying',
  'Published',
  'Rejected',
  'Terminated',
] as const satisfies readonly Schemas['BranchStatus'][];
export type BranchStatus = (typeof STATUSES)[number];

/** In the address: what is shown can be sent to a colleague. */
export type BranchesSearch = {
  search?: string;
  status?: BranchStatus;
  open?: 'now';
  /** `24.7136,46.6753` */
  near?: string;
  km?: number;
  page?: number;
};

export const RADIUSES = [5, 10, 25, 50, 100] as const;
export const DEFAULT_RADIUS = 25;
/** The most that the service gives at once: the map shows what the list shows. */
export const PER_PAGE = 100;
