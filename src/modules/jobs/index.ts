export { createTrackedJobs, type NewTrackedJob, type TrackedJobs } from './create-tracked-jobs.ts';
export { queuedAnswer } from './queued-answer.ts';
export { jobsRoutes } from './routes.ts';
export type { TrackedContext, TrackedHandler } from './run-tracked-job.ts';
export { EXAMPLE_JOB_ID, QueuedAnswer } from './schema.ts';
export { finishJob, insertJob } from './sql/jobs.ts';
