import { type FileHandle, mkdir, open, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BackupError } from './backup-error.ts';
import { type BackupInfo, type BackupRepository, listBackups, listSegments } from './repository.ts';
import { unseal } from './sealed-file.ts';
import { readTar } from './tar.ts';
import { readBackupFile } from './verify-backup.ts';
import { parseLsn, segmentName } from './wal-position.ts';

/** The newest backup that was complete at the moment, or the one that is named. */
export async function chooseBackup(
  { store }: BackupRepository,
  { id, until }: { id: string | undefined; until: Date | undefined },
): Promise<BackupInfo> {
  const backups = await listBackups(store);
  if (backups.length === 0) throw new BackupError(`${store.location} has no complete backup`);
  if (id !== undefined) {
    const named = backups.find((backup) => backup.id === id);
    if (named === undefined) throw new BackupError(`${store.location} has no complete backup ${id}`);
    return named;
  }
  const chosen = backups.findLast(({ finished_at }) => until === undefined || new Date(finished_at) <= until);
  if (chosen !== undefined) return chosen;
  throw new BackupError(
    `The oldest backup in ${store.location} is of ${backups[0]?.finished_at}: an earlier moment cannot be restored`,
  );
}

/** Settings of the recovery, which PostgreSQL reads from its last file of settings. */
export const RECOVERY_SETTINGS = [
  'restore_command',
  'recovery_target',
  'recovery_target_time',
  'recovery_target_name',
  'recovery_target_timeline',
  'recovery_target_action',
] as const;

/** Makes a cluster of a base backup and all of the log after it, ready to recover at its first start.  */
export async function extractBackup(
  repository: BackupRepository,
  backup: BackupInfo,
  clusterDir: string,
  until: Date | { restorePoint: string } | undefined,
): Promise<void> {
  await mkdir(clusterDir, { recursive: true, mode: 0o700 });
  let handle: FileHandle | undefined;
  try {
    await readTar(readBackupFile(repository, backup, 'base.tar'), async ({ name, kind, linkTo, mode }) => {
      const target = path.join(clusterDir, name);
      if (kind === 'folder') await mkdir(target, { recursive: true, mode: 0o700 });
      if (kind === 'link') await symlink(linkTo, target);
      if (kind !== 'file') return undefined;
      handle = await open(target, 'w', mode & 0o700);
      return async (part) => {
        if (part !== undefined) return handle?.appendFile(part);
        await handle?.close();
        handle = undefined;
      };
    });
  } finally {
    await handle?.close();
  }
  await extractWal(repository, backup, path.join(clusterDir, 'pg_wal'));
  const settings = {
    // The log is in pg_wal already; a command that fails makes the server look there.
    restore_command: 'exit 1',
    recovery_target_timeline: 'current',
    recovery_target_action: 'promote',
    ...(until && targetOf(until)),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  await writeFile(path.join(clusterDir, 'postgresql.auto.conf'), lines.join(''), { flag: 'a', mode: 0o600 });
  await writeFile(path.join(clusterDir, 'recovery.signal'), '', { mode: 0o600 });
}

function targetOf(until: Date | { restorePoint: string }): Record<string, string> {
  // This setting is read before the server knows abbreviations of time zones such as Z.
  if (until instanceof Date) return { recovery_target_time: until.toISOString().replace('Z', '+00') };
  // Until it knows the new addresses, a restored coordinator would end prepared transactions of the former nodes, and drop shards that a move has
  // left on them. They may be working.
  return {
    recovery_target_name: until.restorePoint,
    'citus.recover_2pc_interval': '-1',
    'citus.defer_shard_delete_interval': '-1',
  };
}

/** Every segment from the start of the backup to the first that is missing. The last may be incomplete. */
async function extractWal(repository: BackupRepository, backup: BackupInfo, walDir: string): Promise<void> {
  const { timeline, wal_segment_bytes: segmentBytes } = backup;
  const { store, key } = repository;
  const stored = new Set(await listSegments(store, timeline, segmentBytes));
  for (let segment = parseLsn(backup.start_lsn) / BigInt(segmentBytes); ; segment += 1n) {
    const name = segmentName(timeline, segment, segmentBytes);
    const options = { file: `${store.location}/wal/${name}`, name, key };
    const target = path.join(walDir, name);
    if (stored.has(segment)) {
      await writeSegment(target, unseal(store.read(`wal/${name}`), options), segmentBytes);
      continue;
    }
    const candidate = `${target}.candidate`;
    let longest = 0;
    for (const unfinished of await store.listUnfinished(`wal/${name}`)) {
      const content = unseal(unfinished.read(), { ...options, allowCut: true });
      const bytes = await writeSegment(candidate, content, segmentBytes);
      if (bytes <= longest) continue;
      longest = bytes;
      await rename(candidate, target);
    }
    await rm(candidate, { force: true });
    // The base backup's own log is in its archive, so a missing segment there is not a gap.
    if (longest === 0 && (segment + 1n) * BigInt(segmentBytes) < parseLsn(backup.end_lsn)) continue;
    return;
  }
}

async function writeSegment(target: string, content: AsyncIterable<Buffer>, segmentBytes: number): Promise<number> {
  const handle = await open(target, 'w', 0o600);
  try {
    let bytes = 0;
    for await (const part of content) {
      await handle.appendFile(part);
      bytes += part.length;
    }
    // A segment has its full length: the server takes the zeros for the end of the log.
    await handle.truncate(segmentBytes);
    return bytes;
  } finally {
    await handle.close();
  }
}
