import type { Sql } from '../../platform/database/index.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { RetrySchedule } from '../../platform/work-queue/index.ts';
import type { Ordering } from '../orders/index.ts';

/** What the workers process payloads with. */
export type ProcessingContext = { sql: Sql; box: SecretBox; ordering: Ordering; retries: RetrySchedule };
