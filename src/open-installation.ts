import { fileURLToPath } from 'node:url';
import { findSealedSecrets } from './modules/webhooks/index.ts';
import {
  checkConnection,
  checkSchemaLevel,
  checkServer,
  readLayout,
  type Sql,
  type Upgrade,
  upgradeDatabase,
} from './platform/database/index.ts';
import { checkKnownSecret, settleInstallation } from './platform/installation/index.ts';

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../migrations', import.meta.url));

/**
 * Checks the database before any use: the server is supported, the secret is the right one, and the schema is this version's. With
 * `upgrade`, migrates it first. Returns the applied migrations.
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
  sql.useLayout(await readLayout(sql));
  await settleInstallation(sql, secret, findSealedSecrets);
  return applied;
}
