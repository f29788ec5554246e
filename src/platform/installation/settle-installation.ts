import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Sql } from '../database/index.ts';
import { newId } from '../ids.ts';
import { deriveKey, secretBox } from '../secret-box.ts';
import { findFact, settleFact } from './facts.ts';

/** The secret is not the one that the database was made with. */
export class WrongSecret extends Error {}

/** Something that was sealed before there were fingerprints, or nothing. */
export type FindSealed = (sql: Sql) => Promise<Buffer[]>;

const MARK = 'the secret of this installation';

/**
 * Gives the installation its id, and refuses a secret other than the one it was created with: stored secrets could not be decrypted,
 * every token would be invalid, and processes with the right secret could not decrypt what this one encrypts. Of two processes that
 * start on an empty database, the secret written first stays.
 */
export async function settleInstallation(sql: Sql, secret: string, findSealed: FindSealed): Promise<void> {
  const own = fingerprintOf(secret);
  const known = await findFact(sql, 'secret_fingerprint');
  if (known === undefined && !opensAny(secret, await findSealed(sql))) throw wrongSecret();
  if (!isSame(own, known ?? (await settleFact(sql, 'secret_fingerprint', own)))) throw wrongSecret();
  await settleFact(sql, 'installation_id', newId());
}

/** The same check before the migrations. Without tables or fingerprint there is nothing to compare, and any secret passes. */
export async function checkKnownSecret(sql: Sql, secret: string): Promise<void> {
  const [table] = await sql<{ present: boolean }[]>`select to_regclass('service_facts') is not null as present`;
  const known = table?.present ? await findFact(sql, 'secret_fingerprint') : undefined;
  if (known !== undefined && !isSame(fingerprintOf(secret), known)) throw wrongSecret();
}

/** Says no more about the secret than whatever is sealed with it does. */
function fingerprintOf(secret: string): string {
  return createHmac('sha256', deriveKey(secret, 'fingerprint')).update(MARK).digest('hex');
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** Where nothing was ever sealed, any secret will do. */
function opensAny(secret: string, sealed: Buffer[]): boolean {
  const box = secretBox(secret);
  return sealed.length === 0 || sealed.some((item) => canOpen(box, item));
}

function canOpen(box: ReturnType<typeof secretBox>, sealed: Buffer): boolean {
  try {
    box.open(sealed);
    return true;
  } catch {
    return false;
  }
}

function wrongSecret(): WrongSecret {
  return new WrongSecret(
    'DUKKAN_SECRET (or the file "secret" in the data folder) is not the one this database was made with: what is ' +
      'stored sealed could not be opened. Set the one it was made with',
  );
}
