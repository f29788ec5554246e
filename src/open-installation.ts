import { fileURLToPath } from 'node:url';
import { findSealedSecrets } from './modules/webhooks/index.ts';
import {
  checkConnection,
  checkSchemaLevel,
  checkServer,
  type Sql,
  type Upgrade,
  upgradeDatabase,
} from './platform/database/index.ts';
import { checkKnownSecret, settleInstallation } from './platform/installation/index.ts';

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../migrations', import.meta.url));

/**
 * Whoever works on the database comes in here: the server can be used, the secret is the right one, and the tables are
 * those this version knows, with `upgrade` by bringing them up to date. Gives what was applied.
 */
export async function openInstallation(
  sql: Sql,
  { called, secret, upgrade }: { called: string; secret: string; upgrade: Upgrade | undefined },
): Promise<string[]> {
  await checkConnection(sql, called);
  await checkServer(sql, called);
  await checkKnownSecret(sql, secret);
  const applied = upgrade === undefined ? [] : await upgradeDatabase(sql, MIGRATIONS_FOLDER, upgrade);
  if (upgrade === undefined) await checkSchemaLevel(sql, MIGRATIONS_FOLDER);
  await settleInstallation(sql, secret, findSealedSecrets);
  return applied;
}
