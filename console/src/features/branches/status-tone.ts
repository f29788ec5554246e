import type { Tone } from '../../ui/index.ts';
import type { BranchStatus } from './branch-search.ts';

export const STATUS_TONES: Record<BranchStatus, Tone> = {
  New: 'info',
  Pending: 'warn',
  Verifying: 'warn',
  Published: 'good',
  Rejected: 'bad',
  Terminated: 'plain',
};
