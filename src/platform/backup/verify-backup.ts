import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { BackupError } from './backup-error.ts';
import type { BackupFolder, BackupInfo } from './backup-folder.ts';
import { readSealedFile } from './sealed-file.ts';
import { readTar } from './tar.ts';

type Manifest = { Files: { Path?: string; 'Encoded-Path'?: string; Size: number; Checksum?: string }[] };

/** Reads a base backup from disk as a restore would, and compares each file of the database with the server's checksum of it. */
export async function verifyBackup(folder: BackupFolder, location: string, backup: BackupInfo): Promise<void> {
  for (const { name, sha256 } of backup.files) {
    const digest = createHash('sha256');
    for await (const chunk of createReadStream(path.join(location, name))) digest.update(chunk as Buffer);
    if (digest.digest('hex') !== sha256)
      throw new BackupError(`${path.join(location, name)} was not stored as written`);
  }
  const parts: Buffer[] = [];
  for await (const part of readBackupFile(folder, location, backup, 'manifest')) parts.push(part);
  const manifest = JSON.parse(Buffer.concat(parts).toString('utf8')) as Manifest;
  const expected = new Map(
    manifest.Files.map((file) => [file.Path ?? Buffer.from(file['Encoded-Path'] ?? '', 'hex').toString('utf8'), file]),
  );
  await readTar(readBackupFile(folder, location, backup, 'base.tar'), async ({ name, kind, bytes }) => {
    const file = expected.get(name);
    if (kind !== 'file' || file === undefined) return undefined;
    const digest = createHash('sha256');
    return async (part) => {
      if (part !== undefined) return void digest.update(part);
      if (file.Size !== bytes || (file.Checksum !== undefined && digest.digest('hex') !== file.Checksum)) {
        throw new BackupError(`The backup of ${name} differs from the server's checksum`);
      }
      expected.delete(name);
    };
  });
  const [missing] = expected.keys();
  if (missing !== undefined) throw new BackupError(`The backup lacks ${missing}`);
}

export function readBackupFile({ key }: BackupFolder, location: string, { id }: BackupInfo, name: string) {
  return readSealedFile(path.join(location, name), { name: `${id}/${name}`, key });
}
