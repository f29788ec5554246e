import { randomBytes } from 'node:crypto';
import { chownSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import type { Placement } from './place-cluster.ts';
import { hasCode } from './process-state.ts';
import { runProgram } from './run-program.ts';

export const SUPERUSER = 'dukkan';

const STAGING_PREFIX = 'cluster.new-';

/** Built aside and renamed into place, so that a start that dies in the middle leaves nothing that looks like a cluster. */
export async function initCluster(placement: Placement, binaries: Binaries, password: string): Promise<void> {
  const { account, home, clusterDir } = placement;
  removeAbandoned(home);
  const staging = join(home, `${STAGING_PREFIX}${randomBytes(6).toString('hex')}`);
  const passwordFile = `${staging}.password`;
  try {
    writeFileSync(passwordFile, password, { mode: 0o600, flag: 'wx' });
    if (account) chownSync(passwordFile, account.uid, account.gid);
    const common = ['-D', staging, '--username', SUPERUSER, '--pwfile', passwordFile, '--auth', 'scram-sha-256'];
    await initWithLetters((letters) => runProgram(binaries.initdb, [...common, ...SORTING, ...letters], { account }));
    renameSync(staging, clusterDir);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(staging, { recursive: true, force: true });
  }
}

// The built-in provider sorts the same on every machine, whatever its C library.
const SORTING = [
  ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
  '--no-instructions',
];

// Trigrams ask the C library, not the provider, what a letter is: in plain C Arabic has none, and its searches no index.
const LETTER_LOCALES = ['C.UTF-8', 'en_US.UTF-8', 'UTF-8'];

/** With the first of the locales that this machine has; on one that has none, search still works, only slower. */
async function initWithLetters(init: (letters: string[]) => Promise<unknown>): Promise<void> {
  for (const locale of LETTER_LOCALES) {
    try {
      await init(['--lc-ctype', locale]);
      return;
    } catch (error) {
      if (!(error instanceof Error) || !/locale/i.test(error.message)) throw error;
    }
  }
  await init([]);
}

function removeAbandoned(home: string): void {
  for (const name of readdirSync(home)) {
    if (!name.startsWith(STAGING_PREFIX)) continue;
    try {
      rmSync(join(home, name), { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // An initdb whose service was killed can still be writing here; the next start removes the rest.
    }
  }
}

/** The superuser's password, made on the first start. */
export function readPassword(dataDir: string, clusterExists: boolean): string {
  const file = join(dataDir, 'postgres.password');
  try {
    const password = readFileSync(file, 'utf8').trim();
    if (password !== '') return password;
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw new Error(`Cannot read ${file}: it belongs to another account`);
  }
  if (clusterExists) throw new Error(`${file} is missing, and the database in ${dataDir} cannot be opened without it`);
  const password = randomBytes(24).toString('base64url');
  writeFileSync(`${file}.new`, `${password}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  return password;
}
