import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import { buildService } from '../app.ts';
import { systemClock } from '../platform/clock.ts';
import { connectDatabase } from '../platform/database/index.ts';
import { createPlatform } from '../server.ts';
import type { Settings } from '../settings.ts';

const OPENAPI_FILE = fileURLToPath(new URL('../../openapi.json', import.meta.url));

/** Puts the service together without starting it, so that no database is needed to say what it would answer. */
export async function describeApi(settings: Settings, log: FastifyBaseLogger, { write }: { write: boolean }) {
  const config = settings.platform;
  const sql = connectDatabase('postgres://none@127.0.0.1:1/none', { poolSize: 1, applicationName: 'dukkan' });
  const files = { driver: 'local', folder: path.join(config.dataDir, 'files') } as const;
  const platform = await createPlatform({
    config: { ...config, files },
    log,
    sql,
    backgroundSql: sql,
    secret: 'signs and encrypts nothing here',
    clock: systemClock(),
  });
  const { app } = await buildService(platform, settings);
  try {
    await app.ready();
    const description = app.swagger();
    if (!write) return { description };
    await writeFile(OPENAPI_FILE, `${JSON.stringify(description, null, 2)}\n`);
    return { description, file: OPENAPI_FILE };
  } finally {
    await app.close();
    await sql.end({ timeout: 1 });
  }
}
