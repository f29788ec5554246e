import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseAddress } from '../database/index.ts';
import { BackupError } from './backup-error.ts';
import { receiveWal } from './receive-wal.ts';
import { type BackupRepository, listBackups } from './repository.ts';
import { connectSource, refuseOtherDatabase } from './take-backup.ts';

const RETRY_AFTER_MS = 1_000;

/** Copies the log into the repository as the server writes it, until the signal aborts. Reconnects after a restart of the server. */
export async function followWal(options: {
  /** Read for each attempt: after a failover, or a restart of the embedded server, it may have changed. */
  address(): Promise<DatabaseAddress>;
  repository: BackupRepository;
  signal: AbortSignal;
  onProgress(lsn: string): void;
  onLost(reason: string): void;
}): Promise<void> {
  const { repository, signal, onProgress, onLost } = options;
  const lock = await repository.store.lock('wal/');
  try {
    while (!signal.aborted) {
      try {
        const source = await connectSource(await options.address());
        try {
          await refuseOtherDatabase(source, repository);
          const newest = (await listBackups(repository.store)).at(-1);
          if (newest !== undefined && newest.timeline !== source.timeline) {
            throw new BackupError(
              'The server was restored or promoted since the last base backup: run dukkan backup first',
            );
          }
          const isAlone = await receiveWal(source, repository, { signal, onProgress });
          if (!isAlone) onLost('another connection still holds the replication slot');
        } finally {
          await source.replication.close();
        }
      } catch (error) {
        if (error instanceof BackupError) throw error;
        onLost(error instanceof Error ? error.message : String(error));
      }
      await pause(RETRY_AFTER_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    lock.release();
  }
}
