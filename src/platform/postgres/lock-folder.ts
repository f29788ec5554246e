import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from './process-state.ts';

export type FolderLock = { release(): void };

const SQLITE_BUSY = 5;

/**
 * One service per data folder. The lock is a kernel record lock, taken through SQLite because Node has no flock: it is free
 * of races, is released when its process dies (also by kill -9) and does not depend on pids, which can be reused; a pid
 * file has none of these properties. Children do not inherit it, so an orphaned PostgreSQL does not hold it.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const pidFile = join(folder, 'dukkan.pid');
  let handle: DatabaseSync | undefined;
  try {
    handle = new DatabaseSync(join(folder, 'dukkan.lock'), { timeout: 0 });
    handle.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    // Removed first: the file may belong to root after an earlier start.
    rmSync(pidFile, { force: true });
    writeFileSync(pidFile, `${process.pid}\n`);
  } catch (error) {
    handle?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      throw new Error(`Another Dukkan (pid ${await readHolder(pidFile)}) is using ${folder}`);
    }
    throw new Error(`Cannot lock ${folder}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const held = handle;
  return {
    release() {
      if (!held.isOpen) return;
      rmSync(pidFile, { force: true });
      held.close();
    },
  };
}

/** Throws when a service uses the folder. Creates no lock file. */
export async function refuseFolderInUse(folder: string): Promise<void> {
  if (existsSync(join(folder, 'dukkan.lock'))) (await lockFolder(folder)).release();
}

/** The holder writes its pid just after taking the lock, so the file is read again for half a second. */
async function readHolder(pidFile: string): Promise<string> {
  for (let attempt = 0; attempt < 25; attempt += 1) {
    const pid = readPid(pidFile);
    if (pid !== undefined && isAlive(pid)) return String(pid);
    await delay(20);
  }
  return 'unknown';
}

function readPid(pidFile: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(pidFile, 'utf8'), 10) || undefined;
  } catch {
    return undefined;
  }
}
