import type { DatabaseAddress } from '../database/index.ts';
import { receiveWal } from './receive-wal.ts';
import type { BackupRepository } from './repository.ts';
import { connectSource } from './take-backup.ts';
import { parseLsn } from './wal-position.ts';

/** Copies the log up to the position, whose segment has to be complete. False when another process follows it. */
export async function receiveUpTo(
  address: DatabaseAddress,
  repository: BackupRepository,
  lsn: string,
): Promise<boolean> {
  const source = await connectSource(address);
  try {
    return await receiveWal(source, repository, { until: parseLsn(lsn) });
  } finally {
    await source.replication.close();
  }
}
