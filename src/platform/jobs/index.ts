export { type CreateJobsOptions, createJobs } from './create-jobs.ts';
export type { EnqueueOptions, JobCounts, JobFigures, JobHandler, JobOptions, Jobs } from './jobs.ts';
