import { isUtf8 } from 'node:buffer';
import { UnreadableFile } from './unreadable-file.ts';

const NEW_LINE = 0x0a;
/** A character has at most four bytes, so up to three can be an incomplete character at the end of a chunk. */
const MAX_OPEN_BYTES = 3;

/** Passes the chunks through. Throws at the first byte that is not UTF-8 and names the byte and its line. */
export async function* checkedUtf8(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let open: Buffer = Buffer.alloc(0);
  let bytesBefore = 0;
  let linesBefore = 0;
  for await (const piece of pieces) {
    const whole = open.length === 0 ? piece : Buffer.concat([open, piece]);
    const end = whole.length - openBytes(whole);
    const sound = whole.subarray(0, end);
    if (!isUtf8(sound)) throw notUtf8(sound, bytesBefore, linesBefore);
    yield piece;
    // Copied: the memory of the chunk may be reused.
    open = Buffer.from(whole.subarray(end));
    bytesBefore += end;
    linesBefore += countLines(sound);
  }
  if (open.length > 0) throw notUtf8(open, bytesBefore, linesBefore);
}

/** Number of bytes at the end that are an incomplete character. */
function openBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(MAX_OPEN_BYTES, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

function notUtf8(bytes: Buffer, bytesBefore: number, linesBefore: number): UnreadableFile {
  const at = firstWrongByte(bytes);
  const line = linesBefore + countLines(bytes.subarray(0, at)) + 1;
  const value = (bytes[at] ?? 0).toString(16).padStart(2, '0');
  return new UnreadableFile(
    `the file is not in UTF-8: line ${line} has the byte 0x${value} (byte ${bytesBefore + at + 1} of the file). ` +
      'Save it as "CSV UTF-8" and try again',
  );
}

/** Binary search: a prefix of valid UTF-8 is valid. */
function firstWrongByte(bytes: Buffer): number {
  let [sound, wrong] = [0, bytes.length];
  while (wrong - sound > 1) {
    const middle = (sound + wrong) >> 1;
    const head = bytes.subarray(0, middle);
    if (isUtf8(head.subarray(0, middle - openBytes(head)))) sound = middle;
    else wrong = middle;
  }
  // An unfinished character before the invalid byte is invalid from its first byte.
  return sound - openBytes(bytes.subarray(0, sound));
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEW_LINE); at !== -1; at = bytes.indexOf(NEW_LINE, at + 1)) lines += 1;
  return lines;
}
