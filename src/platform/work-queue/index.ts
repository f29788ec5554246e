export { parseRetryDelays, type RetrySchedule, retryDelayMs } from './retry-schedule.ts';
export { ClaimLost, createWorkQueue, type Settling, type StartItems, type WorkQueue } from './work-queue.ts';
