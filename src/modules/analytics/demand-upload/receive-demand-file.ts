import { createHash } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import { checkedUtf8, openCsv, UnreadableFile } from '../../../platform/csv/index.ts';
import { inTransaction, type Sql } from '../../../platform/database/index.ts';
import { Problem, tooLarge, unprocessable } from '../../../platform/http/problem.ts';
import { newId } from '../../../platform/ids.ts';
import { insertPiece, insertUpload, type UploadKey } from '../sql/demand-uploads.ts';
import { type DemandHeader, readDemandHeader } from './demand-columns.ts';

export const MAX_UPLOAD_BYTES = 32 * 1024 * 1024;
/** Uploads of one organization that are being received or wait for their job. */
const MAX_UPLOADS = 4;
/** The file of an abandoned job must not block further uploads for ever. */
const COUNTED_MS = 3_600_000;
const PIECE_BYTES = 256 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
const RETRY_AFTER_SECONDS = 10;
const LINE_FEED = 0x0a;

export type ReceivedFile = UploadKey & { sha256: string; lines: number; header: DemandHeader };

/** Registers an upload before its first byte, so that a failed request can be cleaned up. */
export async function openDemandUpload(sql: Sql, clock: Clock, organizationId: string): Promise<UploadKey> {
  const key = { organizationId, id: newId() };
  const now = clock.now();
  const since = new Date(now.getTime() - COUNTED_MS);
  const isOpen = await inTransaction(sql, (tx) => insertUpload(tx, key, { now, most: MAX_UPLOADS, since }));
  if (!isOpen) throw tooManyUploads();
  return key;
}

export function tooManyUploads(): Problem {
  const details = { limit: MAX_UPLOADS, retry_after_seconds: RETRY_AFTER_SECONDS };
  return new Problem(429, 'Too many uploads', details, { 'retry-after': String(RETRY_AFTER_SECONDS) });
}

/**
 * Stores a file in pieces, one statement each: no database connection waits for a slow client, and only one piece is in
 * memory. Encoding and header are checked on the way, so that an unusable file is rejected at once.
 */
export async function receiveDemandFile(
  sql: Sql,
  key: UploadKey,
  source: AsyncIterable<Buffer>,
): Promise<ReceivedFile> {
  const sha256 = createHash('sha256');
  let header: DemandHeader | undefined;
  let waiting: Buffer[] = [];
  let [waitingBytes, bytes, lines, pieces] = [0, 0, 0, 0];

  const flush = async () => {
    const piece = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    header ??= await readHeader(piece);
    await insertPiece(sql, key, pieces, piece);
    pieces += 1;
  };
  try {
    for await (const chunk of checkedUtf8(source)) {
      bytes += chunk.length;
      if (bytes > MAX_UPLOAD_BYTES) throw tooLarge({ file: `must be at most ${MAX_UPLOAD_BYTES} bytes` });
      sha256.update(chunk);
      lines += countLineFeeds(chunk);
      waiting.push(chunk);
      waitingBytes += chunk.length;
      if (waitingBytes >= PIECE_BYTES) await flush();
    }
    if (bytes === 0) throw unprocessable({ file: 'is empty' });
    if (waitingBytes > 0) await flush();
  } catch (error) {
    throw error instanceof UnreadableFile ? unprocessable({ file: error.message }) : error;
  }
  if (header === undefined) throw unprocessable({ file: 'is empty' });
  return { ...key, sha256: sha256.digest('hex'), lines, header };
}

/** The first piece is far longer than any header; an unreadable header gets the same error as it would later. */
async function readHeader(piece: Buffer): Promise<DemandHeader> {
  const start = piece.subarray(0, MAX_HEADER_BYTES).toString('latin1');
  const line = /^[\s\xef\xbb\xbf]*[^\r\n]*/.exec(start)?.[0] ?? '';
  const { lines } = await openCsv(onePiece(piece.subarray(0, line.length)));
  const { value } = await lines.next();
  await lines.return(undefined);
  if (value === undefined) throw unprocessable({ file: 'is empty' });
  const header = readDemandHeader(value.cells);
  if ('errors' in header) throw unprocessable(header.errors);
  return header;
}

async function* onePiece(piece: Buffer): AsyncGenerator<Buffer> {
  yield piece;
}

function countLineFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}
