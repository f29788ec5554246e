import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { connectDatabase, migrate } from '../../src/platform/database/index.ts';
import { createJobs } from '../../src/platform/jobs/index.ts';
import { connectionUrl, startEmbeddedPostgres } from '../../src/platform/postgres/index.ts';
import { MIGRATIONS_FOLDER } from '../../src/server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A server to make databases on, as a URL whose database is the one to connect to for that. */
    serverUrl: string;
    templateName: string;
  }
}

const silent = pino({ level: 'silent' });

/** One server for the whole run, one migrated template in it; each test file clones the template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dukkan-test-'));
  const given = process.env.TEST_DATABASE_URL;
  const embedded =
    given === undefined
      ? await startEmbeddedPostgres({
          dataDir: folder,
          log: silent,
          listen: 'tcp',
          // What a test writes need not outlive the machine; crash tests start servers of their own with fsync on.
          extraSettings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
        })
      : undefined;
  const serverUrl = given ?? (embedded ? connectionUrl(embedded.connection) : '');
  const templateName = `dukkan_template_${process.pid}`;

  const admin = connectDatabase(serverUrl, { poolSize: 1, applicationName: 'tests' });
  await admin`create database ${admin(templateName)}`;
  const template = connectDatabase(databaseUrl(serverUrl, templateName), { poolSize: 4, applicationName: 'tests' });
  await migrate(template, MIGRATIONS_FOLDER);
  const jobs = createJobs({ sql: template, log: silent, runWorkers: false });
  await jobs.start();
  await jobs.stop();
  await template.end();

  project.provide('serverUrl', serverUrl);
  project.provide('templateName', templateName);
  return async () => {
    await admin`drop database if exists ${admin(templateName)} with (force)`;
    await admin.end();
    await embedded?.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
