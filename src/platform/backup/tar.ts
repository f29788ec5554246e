import { BackupError } from './backup-error.ts';

export type TarEntry = { name: string; kind: 'file' | 'folder' | 'link'; bytes: number; linkTo: string; mode: number };

const BLOCK = 512;

/**
 * Reads the tar stream that PostgreSQL writes (ustar; long names do not occur, the server refuses them). `onEntry` returns where the
 * content of a file goes, which is called with its parts and then with `undefined`.
 */
export async function readTar(
  source: AsyncIterable<Buffer>,
  onEntry: (entry: TarEntry) => Promise<((part: Buffer | undefined) => Promise<void>) | undefined>,
): Promise<void> {
  let buffered: Buffer = Buffer.alloc(0);
  let content: ((part: Buffer | undefined) => Promise<void>) | undefined;
  let leftBytes = 0;
  let paddingBytes = 0;
  for await (const chunk of source) {
    buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk]);
    for (;;) {
      if (leftBytes > 0) {
        const part = buffered.subarray(0, leftBytes);
        buffered = buffered.subarray(part.length);
        leftBytes -= part.length;
        if (part.length > 0) await content?.(part);
        if (leftBytes > 0) break;
        await content?.(undefined);
      }
      if (paddingBytes > 0) {
        const skipped = Math.min(paddingBytes, buffered.length);
        buffered = buffered.subarray(skipped);
        paddingBytes -= skipped;
        if (paddingBytes > 0) break;
      }
      if (buffered.length < BLOCK) break;
      const head = buffered.subarray(0, BLOCK);
      buffered = buffered.subarray(BLOCK);
      if (head.every((byte) => byte === 0)) continue;
      const entry = parseHead(head);
      content = await onEntry(entry);
      leftBytes = entry.bytes;
      paddingBytes = (BLOCK - (entry.bytes % BLOCK)) % BLOCK;
      if (leftBytes === 0) await content?.(undefined);
    }
  }
  if (leftBytes > 0) throw new BackupError('The archive of the base backup is cut off');
}

function parseHead(head: Buffer): TarEntry {
  const text = (from: number, length: number) => {
    const field = head.subarray(from, from + length);
    const end = field.indexOf(0);
    return field.toString('utf8', 0, end === -1 ? length : end);
  };
  // Sizes above 8 GB are written in binary, which the first bit says.
  const sizeField = head.subarray(124, 136);
  const isBinary = ((sizeField[0] ?? 0) & 0x80) !== 0;
  const bytes = isBinary ? Number(sizeField.readBigUInt64BE(4)) : Number.parseInt(text(124, 12) || '0', 8);
  const type = text(156, 1);
  const kind = type === '5' ? 'folder' : type === '2' ? 'link' : 'file';
  const prefix = text(345, 155);
  const name = (prefix === '' ? '' : `${prefix}/`) + text(0, 100);
  const mode = Number.parseInt(text(100, 8) || '0', 8);
  if (name.split('/').includes('..') || name.startsWith('/')) throw new BackupError(`The archive names ${name}`);
  return { name, kind, bytes: kind === 'file' ? bytes : 0, linkTo: text(157, 100), mode };
}
