import type { FastifyBaseLogger } from 'fastify';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { checkConnection, connectDatabase, migrate } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { findRunningServer } from '../platform/postgres/index.ts';
import { createPlatform, MIGRATIONS_FOLDER, nameOfDatabase, openDatabase, readOrCreateSecret } from '../server.ts';

/** For one command: joins the embedded server of a running service, or starts it for the length of the command. */
export async function openPlatform(
  config: Config,
  log: FastifyBaseLogger,
): Promise<{ platform: Platform; close(): Promise<void> }> {
  const running = config.databaseUrl === undefined ? await findRunningServer(config.dataDir) : undefined;
  const { address, embedded } = running ? { address: running, embedded: undefined } : await openDatabase(config, log);
  const sql = connectDatabase(address, { poolSize: 4, applicationName: 'dukkan command' });
  const close = async () => {
    await sql.end({ timeout: 5 });
    await embedded?.stop();
  };
  try {
    await checkConnection(sql, nameOfDatabase(config));
    await migrate(sql, MIGRATIONS_FOLDER);
    const secret = config.secret ?? (await readOrCreateSecret(config.dataDir));
    return {
      platform: await createPlatform({ config, log, sql, backgroundSql: sql, secret, clock: systemClock() }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
