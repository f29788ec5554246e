import { randomBytes } from 'node:crypto';
import { chownSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import type { Placement } from './place-cluster.ts';
import { hasCode } from './process-state.ts';
import { runProgram } from './run-program.ts';

export const SUPERUSER = 'dukkan';

/** Folders of this name beside the cluster are incomplete, and removed by the next `initCluster` or restore. */
export const STAGING_PREFIX = 'cluster.new-';

/** Built in a temporary folder and renamed, so that an interrupted start leaves no incomplete cluster. */
export async function initCluster(placement: Placement, binaries: Binaries, password: string): Promise<void> {
  const { account, home, clusterDir } = placement;
  removeAbandoned(home);
  const staging = join(home, `${STAGING_PREFIX}${randomBytes(6).toString('hex')}`);
  const passwordFile = `${staging}.password`;
  try {
    writeFileSync(passwordFile, password, { mode: 0o600, flag: 'wx' });
    if (account) chownSync(passwordFile, account.uid, account.gid);
    const common = ['-D', staging, '--username', SUPERUSER, '--pwfile', passwordFile, '--auth', 'scram-sha-256'];
    await initWithCtype((ctype) => runProgram(binaries.initdb, [...common, ...COLLATION, ...ctype], { account }));
    renameSync(staging, clusterDir);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(staging, { recursive: true, force: true });
  }
}

// The built-in locale provider sorts the same on every machine, independent of its C library.
const COLLATION = [
  ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
  '--no-instructions',
];

// pg_trgm asks the C library, not the provider, which characters are letters: in plain C no Arabic character is one, and
// Arabic searches would not use the index.
const CTYPE_LOCALES = ['C.UTF-8', 'en_US.UTF-8', 'UTF-8'];

/** Uses the first of the locales that this machine has. Without any, search works but is slower. */
async function initWithCtype(init: (ctype: string[]) => Promise<unknown>): Promise<void> {
  for (const locale of CTYPE_LOCALES) {
    try {
      await init(['--lc-ctype', locale]);
      return;
    } catch (error) {
      if (!(error instanceof Error) || !/locale/i.test(error.message)) throw error;
    }
  }
  await init([]);
}

export function removeAbandoned(home: string): void {
  for (const name of readdirSync(home)) {
    if (!name.startsWith(STAGING_PREFIX)) continue;
    try {
      rmSync(join(home, name), { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // An initdb whose service was killed can still be writing here; the next one removes the rest.
    }
  }
}

/** The superuser's password, generated on the first start. */
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
