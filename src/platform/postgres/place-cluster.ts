import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Account, canEnter, findServerAccount } from './account.ts';
import { hasCode } from './process-state.ts';
import { openSharedRoot } from './shared-root.ts';

/** `home` holds the cluster and, when its path is short enough, the socket. It is `postgres` in the data folder, or the target of that link. */
export type Placement = { home: string; clusterDir: string; account: Account | undefined; moved: boolean };

/** sun_path holds 108 bytes with the closing NUL on Linux, 104 on macOS and the BSDs. */
const SOCKET_PATH_MAX_BYTES = process.platform === 'linux' ? 107 : 103;
const SOCKET_NAME = '/.s.PGSQL.5432';

export function placeCluster(dataDir: string, sharedRoot?: string): Placement {
  const entry = join(dataDir, 'postgres');
  const existing = findExisting(entry);
  const existingCluster = existing && existsSync(join(existing, 'cluster')) ? join(existing, 'cluster') : undefined;
  const account = findServerAccount(existingCluster);
  const home = existing ?? makeHome(dataDir, entry, account, sharedRoot);
  if (!account && process.getuid && lstatSync(home).uid !== process.getuid()) {
    throw new Error(
      `${home} belongs to another account: start Dukkan as the account that made it, or choose another data folder`,
    );
  }
  chmodSync(home, 0o700);
  if (account) {
    chownSync(home, account.uid, account.gid);
    if (existingCluster && lstatSync(existingCluster).uid === 0) chownCluster(existingCluster, account);
    if (home === entry) openToAccount(dataDir, account);
    if (!canEnter(home, account)) {
      throw new Error(
        `The account ${account.name}, which runs PostgreSQL for root, may not enter ${home}: open the folders above it`,
      );
    }
  }
  return { home, clusterDir: join(home, 'cluster'), account, moved: home !== entry };
}

function findExisting(entry: string): string | undefined {
  const found = lstatSync(entry, { throwIfNoEntry: false });
  if (!found) return undefined;
  try {
    return realpathSync(entry);
  } catch {
    throw new Error(
      `${entry} points to a folder that is gone: bring it back, or remove the link to begin with an empty database`,
    );
  }
}

function makeHome(dataDir: string, entry: string, account: Account | undefined, sharedRoot?: string): string {
  if (!account || (openToAccount(dataDir, account) && canOwn(entry, account))) {
    mkdirSync(entry, { recursive: true, mode: 0o700 });
    return entry;
  }
  // A new name every time: after the data folder was deleted the database must be empty, not the one of the old link.
  const home = join(
    openSharedRoot(account, sharedRoot),
    `${basename(dataDir)}-${shortHash(dataDir)}-${randomBytes(4).toString('hex')}`,
  );
  mkdirSync(home, { mode: 0o700 });
  symlinkSync(home, entry);
  return home;
}

/** Adds the search bit to the data folder, which does not make its contents listable. Parent folders are left unchanged. */
function openToAccount(dataDir: string, account: Account): boolean {
  if (!canEnter(dirname(dataDir), account)) return false;
  const { mode, uid } = lstatSync(dataDir);
  if (uid === 0) chmodSync(dataDir, (mode & 0o777) | 0o011);
  return canEnter(dataDir, account);
}

/** A cluster that root copied or restored from a backup belongs to root, and PostgreSQL rejects files of another owner. */
function chownCluster(clusterDir: string, account: Account): void {
  for (const name of readdirSync(clusterDir, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(clusterDir, name), account.uid, account.gid);
  }
  // The folder itself last: after an interrupted start it still belongs to root, and the next start repeats the work.
  chmodSync(clusterDir, 0o700);
  chownSync(clusterDir, account.uid, account.gid);
}

/** On some mounts not even root may change the owner of a file. */
function canOwn(entry: string, account: Account): boolean {
  mkdirSync(entry, { mode: 0o700 });
  try {
    chownSync(entry, account.uid, account.gid);
    return true;
  } catch (error) {
    if (!hasCode(error, 'EPERM')) throw error;
    rmdirSync(entry);
    return false;
  }
}

/** The major version of an existing cluster, `undefined` when there is none yet. */
export function findClusterVersion(clusterDir: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8'), 10);
  } catch {
    return undefined;
  }
}

/** A folder for the socket that only the server's account (and root) can enter, short enough for the kernel. */
export function openSocketFolder(placement: Placement): string {
  const uid = placement.account?.uid ?? process.getuid?.();
  const name = `dukkan-${uid}-${shortHash(placement.home)}`;
  const candidates = [
    join(placement.home, 'run'),
    ...[tmpdir(), '/tmp'].flatMap((folder) => [
      join(folder, name),
      join(folder, `${name}-${randomBytes(4).toString('hex')}`),
    ]),
  ];
  for (const folder of candidates) {
    if (Buffer.byteLength(folder + SOCKET_NAME) > SOCKET_PATH_MAX_BYTES) continue;
    try {
      if (mkdirSync(folder, { recursive: true, mode: 0o700 }) && placement.account) {
        chownSync(folder, placement.account.uid, placement.account.gid);
      }
      const found = lstatSync(folder);
      // In a world-writable folder another user may have created the name first.
      if (!found.isDirectory() || found.uid !== uid || !canEnter(folder, placement.account)) continue;
      chmodSync(folder, 0o700);
      return folder;
    } catch {}
  }
  throw new Error(`No folder short enough for a socket: neither ${placement.home} nor ${tmpdir()} can be used`);
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
