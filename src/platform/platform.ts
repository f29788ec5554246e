import type { FastifyBaseLogger } from 'fastify';
import type { DuePoll } from './background/index.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Sql } from './database/index.ts';
import type { FileStore } from './files/index.ts';
import type { IdempotentWrite } from './http/idempotent-write.ts';
import type { Jobs } from './jobs/index.ts';
import type { SecretBox } from './secret-box.ts';

/** What every module may lean on. Built once at start and passed down; there are no globals. */
export type Platform = {
  config: Config;
  /** Signs tokens and encrypts secrets; settled by the time the platform exists. */
  secret: string;
  /** For requests: shared out fairly by tenant, with short limits. */
  sql: Sql;
  /** For loops and jobs: connections that no request can take away, with long limits. */
  backgroundSql: Sql;
  clock: Clock;
  /** Wakes loops that have something to do although no notification came. */
  duePoll: DuePoll;
  log: FastifyBaseLogger;
  files: FileStore;
  jobs: Jobs;
  box: SecretBox;
  idempotentWrite: IdempotentWrite;
};

/** The same platform for work that no request waits for. */
export function inBackground(platform: Platform): Platform {
  return { ...platform, sql: platform.backgroundSql };
}
