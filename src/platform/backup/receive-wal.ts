import { randomBytes } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { BackupError } from './backup-error.ts';
import { type BackupFolder, listSegments, syncFolder } from './backup-folder.ts';
import type { Replication } from './replication.ts';
import { createSealedFile, type SealedWriter } from './sealed-file.ts';
import { formatLsn, parseLsn, segmentName } from './wal-position.ts';

export type WalSource = { replication: Replication; timeline: number; segmentBytes: number };

/** What arrived is readable in the folder within this time, also when its segment is not complete. */
const FLUSH_EVERY_MS = 1_000;
const SLOT_ACTIVE = '55006';
const SLOT_EXISTS = '42710';
const PG_EPOCH_MS = 946_684_800_000;

export function slotName(folder: BackupFolder): string {
  return `dukkan_backup_${folder.id}`;
}

/**
 * The slot makes the server keep the log until it is in the folder. Returns the first position that it has. A slot that the server gave
 * up, because the log behind it grew past max_slot_wal_keep_size, is made again: the log between is missing.
 */
export async function openSlot({ replication }: WalSource, folder: BackupFolder): Promise<bigint> {
  const name = slotName(folder);
  const read = async () => (await replication.ask(`READ_REPLICATION_SLOT ${name}`))[0]?.[1];
  try {
    await replication.ask(`CREATE_REPLICATION_SLOT ${name} PHYSICAL RESERVE_WAL`);
  } catch (error) {
    if (codeOf(error) !== SLOT_EXISTS) throw error;
    if (!(await read())) {
      await replication.ask(`DROP_REPLICATION_SLOT ${name}`);
      await replication.ask(`CREATE_REPLICATION_SLOT ${name} PHYSICAL RESERVE_WAL`);
    }
  }
  const start = await read();
  if (!start) throw new BackupError(`The server gave the replication slot ${name} no position`);
  return parseLsn(start);
}

/**
 * Copies the log into the folder from where it ends there, until the segment with `until` is complete or `signal` aborts. Resolves to
 * false when another process follows the log into this folder already.
 */
export async function receiveWal(
  source: WalSource,
  folder: BackupFolder,
  options: { until?: bigint; signal?: AbortSignal; onProgress?: (lsn: string) => void },
): Promise<boolean> {
  const { replication, timeline, segmentBytes } = source;
  const size = BigInt(segmentBytes);
  const slotStart = (await openSlot(source, folder)) / size;
  const stored = (await listSegments(folder, timeline, segmentBytes)).at(-1);
  const first = stored !== undefined && stored + 1n > slotStart ? stored + 1n : slotStart;
  if (options.until !== undefined && (options.until - 1n) / size < first) return true;

  const start = formatLsn(first * size);
  const { messages, send } = replication.copy(
    `START_REPLICATION SLOT ${slotName(folder)} PHYSICAL ${start} TIMELINE ${timeline}`,
  );
  const sink = createSegmentSink(source, folder, first);
  const report = () => send(statusUpdate(sink.durable()));
  let working: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    working = working.then(async () => {
      await sink.flush();
      report();
      options.onProgress?.(formatLsn(sink.durable()));
    });
    working.catch(() => undefined);
  }, FLUSH_EVERY_MS);
  const onAbort = () => void replication.close();
  options.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for await (const message of messages) {
      if (message[0] !== 0x77) {
        if (message[0] === 0x6b && message[17] === 1) report();
        continue;
      }
      const position = message.readBigUInt64BE(1);
      // One after another with the timer's flushes.
      working = working.then(() => sink.write(position, message.subarray(25)));
      await working;
      if (options.until !== undefined && sink.complete() >= options.until) break;
    }
    await working;
    if (options.until !== undefined && sink.complete() < options.until) {
      throw new BackupError('The server ended the stream of its log early');
    }
    report();
    return true;
  } catch (error) {
    if (options.signal?.aborted) return true;
    if (codeOf(error) === SLOT_ACTIVE) return false;
    throw error;
  } finally {
    clearInterval(timer);
    options.signal?.removeEventListener('abort', onAbort);
    await working.catch(() => undefined);
    await sink.close();
  }
}

/** Writes each segment under a temporary name until its last byte is there. */
function createSegmentSink({ timeline, segmentBytes }: WalSource, folder: BackupFolder, first: bigint) {
  const size = BigInt(segmentBytes);
  let segment = first;
  let inSegment = 0;
  let flushed = first * size;
  let writer: SealedWriter | undefined;
  let file = '';

  async function finishSegment(): Promise<void> {
    await writer?.finish();
    writer = undefined;
    const name = segmentName(timeline, segment, segmentBytes);
    await rename(file, path.join(folder.walPath, name));
    for (const other of await readdir(folder.walPath)) {
      if (other.startsWith(`${name}.`)) await rm(path.join(folder.walPath, other), { force: true });
    }
    await syncFolder(folder.walPath);
    segment += 1n;
    inSegment = 0;
    flushed = segment * size;
  }
  return {
    async write(position: bigint, data: Buffer): Promise<void> {
      if (position !== segment * size + BigInt(inSegment))
        throw new BackupError('The server skipped a part of its log');
      for (let at = 0; at < data.length; ) {
        const name = segmentName(timeline, segment, segmentBytes);
        if (writer === undefined) {
          // Beside an earlier start's part, which stays until this one is complete: it may hold more for the moment.
          file = path.join(folder.walPath, `${name}.${randomBytes(4).toString('hex')}.part`);
          writer = await createSealedFile(file, { name, key: folder.key });
        }
        const part = data.subarray(at, at + segmentBytes - inSegment);
        await writer.write(part);
        at += part.length;
        inSegment += part.length;
        if (inSegment === segmentBytes) await finishSegment();
      }
    },
    async flush(): Promise<void> {
      if (writer === undefined) return;
      await writer.flush();
      flushed = segment * size + BigInt(inSegment);
    },
    /** Everything before it is on disk in the folder. */
    durable: () => flushed,
    /** Everything before it is in complete segments. */
    complete: () => segment * size,
    async close(): Promise<void> {
      await writer?.flush().catch(() => undefined);
      await writer?.close().catch(() => undefined);
    },
  };
}

function statusUpdate(lsn: bigint): Buffer {
  const message = Buffer.alloc(34);
  message.write('r');
  for (const at of [1, 9, 17]) message.writeBigUInt64BE(lsn, at);
  message.writeBigInt64BE(BigInt(Date.now() - PG_EPOCH_MS) * 1000n, 25);
  return message;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
