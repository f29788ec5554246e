import type { FastifyBaseLogger } from 'fastify';
import { openInstallation } from '../open-installation.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { BACKGROUND_LIMITS, connectDatabase, type Upgrade } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { findRunningServer } from '../platform/postgres/index.ts';
import { createPlatform, nameOfDatabase, openDatabase, readOrCreateSecret } from '../server.ts';

/** A service retries by itself; a command would have to be typed again. */
const COMMAND_LIMITS = { ...BACKGROUND_LIMITS, connectMs: 30_000 };

/**
 * For one command: joins the embedded server of a running service, or starts it for the length of the command. Only the
 * command that is asked to migrate does: any other could change tables under a service that does not know the new ones.
 */
export async function openPlatform(
  config: Config,
  log: FastifyBaseLogger,
  upgrade?: Upgrade,
): Promise<{ platform: Platform; applied: string[]; close(): Promise<void> }> {
  for (const warning of config.warnings) log.warn(warning);
  const running = config.databaseUrl === undefined ? await findRunningServer(config.dataDir) : undefined;
  const { address, embedded } = running ? { address: running, embedded: undefined } : await openDatabase(config, log);
  const sql = connectDatabase(address, { poolSize: 4, applicationName: 'dukkan command', limits: COMMAND_LIMITS });
  const close = async () => {
    await sql.end({ timeout: 5 });
    await embedded?.stop();
  };
  try {
    const secret = config.secret ?? (await readOrCreateSecret(config.dataDir));
    const applied = await openInstallation(sql, { called: nameOfDatabase(config), secret, upgrade });
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
