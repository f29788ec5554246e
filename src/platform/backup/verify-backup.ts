import { createHash, type Hash } from 'node:crypto';
import { BackupError } from './backup-error.ts';
import { readAll } from './backup-store.ts';
import { type BackupInfo, type BackupRepository, baseName } from './repository.ts';
import { unseal } from './sealed-file.ts';
import { readTar } from './tar.ts';

type Manifest = { Files: { Path?: string; 'Encoded-Path'?: string; Size: number; Checksum?: string }[] };

/** Reads a base backup from the store as a restore would, and compares each file of the database with the server's checksum of it. */
export async function verifyBackup(repository: BackupRepository, backup: BackupInfo): Promise<void> {
  const manifest = JSON.parse((await readVerified(repository, backup, 'manifest')).toString('utf8')) as Manifest;
  const expected = new Map(
    manifest.Files.map((file) => [file.Path ?? Buffer.from(file['Encoded-Path'] ?? '', 'hex').toString('utf8'), file]),
  );
  const stored = createHash('sha256');
  await readTar(readBackupFile(repository, backup, 'base.tar', stored), async ({ name, kind, bytes }) => {
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
  refuseOtherDigest(repository, backup, 'base.tar', stored);
  const [missing] = expected.keys();
  if (missing !== undefined) throw new BackupError(`The backup lacks ${missing}`);
  for (const { name } of backup.files) {
    if (name !== 'manifest' && name !== 'base.tar') await readVerified(repository, backup, name);
  }
}

async function readVerified(repository: BackupRepository, backup: BackupInfo, file: string): Promise<Buffer> {
  const stored = createHash('sha256');
  const content = await readAll(readBackupFile(repository, backup, file, stored));
  refuseOtherDigest(repository, backup, file, stored);
  return content;
}

function refuseOtherDigest({ store }: BackupRepository, backup: BackupInfo, file: string, stored: Hash): void {
  if (stored.digest('hex') === backup.files.find(({ name }) => name === file)?.sha256) return;
  throw new BackupError(`${store.location}/${baseName(backup.id, file)} was not stored as written`);
}

/** The content of a file of a base backup. `stored`, when given, receives the bytes as they are in the store. */
export function readBackupFile({ store, key }: BackupRepository, { id }: BackupInfo, file: string, stored?: Hash) {
  const name = baseName(id, file);
  const source = store.read(name);
  const options = { file: `${store.location}/${name}`, name: `${id}/${file}`, key };
  return unseal(stored === undefined ? source : tap(source, stored), options);
}

async function* tap(source: AsyncIterable<Buffer>, digest: Hash): AsyncGenerator<Buffer> {
  for await (const part of source) {
    digest.update(part);
    yield part;
  }
}
