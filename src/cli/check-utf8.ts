import { type FileHandle, open, stat } from 'node:fs/promises';
import { checkedUtf8 } from '../platform/csv/index.ts';

export { checkedUtf8 };

const READ_BYTES = 128 * 1024;

/**
 * Reads the whole file before the first row is saved, so that one in another encoding leaves nothing behind: half of an
 * Arabic list in the wrong letters is worse than none. 200 MB take a third of a second. What can be read once only (a
 * pipe) is checked as it comes, by the same function.
 */
export async function checkEncoding(file: string): Promise<void> {
  // Not by opening it: the writer of a named pipe would take the close for the end.
  if (!(await stat(file)).isFile()) return;
  const handle = await open(file);
  try {
    for await (const _ of checkedUtf8(readThrough(handle)));
  } finally {
    await handle.close();
  }
}

/** Piece by piece through the same memory: a stream makes new memory for each, which is taken back late. */
async function* readThrough(handle: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, READ_BYTES, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}
