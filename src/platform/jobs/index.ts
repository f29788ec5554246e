export { createJobs } from './create-jobs.ts';
export type { JobOptions, Jobs } from './jobs.ts';
