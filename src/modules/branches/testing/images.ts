import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** A header that says PNG, one by one pixel, filled up to the size asked for. */
export function png(sizeBytes = 100): Buffer {
  const image = Buffer.alloc(sizeBytes, 7);
  image.write('\x89PNG\r\n\x1a\n', 'latin1');
  image.writeUInt32BE(13, 8);
  image.write('IHDR', 12, 'latin1');
  image.writeUInt32BE(1, 16);
  image.writeUInt32BE(1, 20);
  image.writeUInt8(8, 24);
  image.writeUInt8(2, 25);
  return image;
}

export function jpeg(sizeBytes = 100): Buffer {
  const image = Buffer.alloc(sizeBytes, 9);
  Buffer.from('ffd8ffe000104a464946000101', 'hex').copy(image);
  return image;
}

export function gif(): Buffer {
  return Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00!\xf9\x04\x00\x00\x00\x00\x00', 'latin1');
}

export function webp(): Buffer {
  const image = Buffer.alloc(40);
  image.write('RIFF', 'latin1');
  image.writeUInt32LE(32, 4);
  image.write('WEBPVP8L', 8, 'latin1');
  image.writeUInt32LE(10, 16);
  image.writeUInt8(0x2f, 20);
  return image;
}

/** Every file under the store's folder, half-written ones included. */
export async function listStoredFiles(dataDir: string): Promise<string[]> {
  const folder = path.join(dataDir, 'files');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

export type FormParts = Record<string, string | Buffer | Buffer[]>;

/** Text as text parts, buffers as files. */
export function formOf(parts: FormParts): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === 'string') form.append(name, value);
    else for (const file of Array.isArray(value) ? value : [value]) form.append(name, new Blob([file]), 'picture.png');
  }
  return form;
}
