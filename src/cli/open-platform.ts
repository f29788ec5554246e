import type { FastifyBaseLogger } from 'fastify';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import {
  checkConnection,
  checkSchemaLevel,
  connectDatabase,
  type Upgrade,
  upgradeDatabase,
} from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { findRunningServer } from '../platform/postgres/index.ts';
import { createPlatform, MIGRATIONS_FOLDER, nameOfDatabase, openDatabase, readOrCreateSecret } from '../server.ts';

/**
 * For one command: joins the embedded server of a running service, or starts it for the length of the command. Only the
 * command that is asked to migrate does: any other could change tables under a service that does not know the new ones.
 */
export async function openPlatform(
  config: Config,
  log: FastifyBaseLogger,
  upgrade?: Upgrade,
): Promise<{ platform: Platform; applied: string[]; close(): Promise<void> }> {
  const running = config.databaseUrl === undefined ? await findRunningServer(config.dataDir) : undefined;
  const { address, embedded } = running ? { address: running, embedded: undefined } : await openDatabase(config, log);
  const sql = connectDatabase(address, { poolSize: 4, applicationName: 'dukkan command' });
  const close = async () => {
    await sql.end({ timeout: 5 });
    await embedded?.stop();
  };
  try {
    await checkConnection(sql, nameOfDatabase(config));
    let applied: string[] = [];
    if (upgrade === undefined) await checkSchemaLevel(sql, MIGRATIONS_FOLDER);
    else applied = await upgradeDatabase(sql, MIGRATIONS_FOLDER, upgrade);
    const secret = config.secret ?? (await readOrCreateSecret(config.dataDir));
    return {
      platform: await createPlatform({ config, log, sql, backgroundSql: sql, secret, clock: systemClock() }),
      applied,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
