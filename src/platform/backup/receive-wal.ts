import { BackupError } from './backup-error.ts';
import type { Replication } from './replication.ts';
import { type BackupRepository, listSegments } from './repository.ts';
import { type SealedWriter, sealInto } from './sealed-file.ts';
import { formatLsn, parseLsn, segmentName } from './wal-position.ts';

export type WalSource = { replication: Replication; timeline: number; segmentBytes: number };

const SLOT_ACTIVE = '55006';
const SLOT_EXISTS = '42710';
const PG_EPOCH_MS = 946_684_800_000;

export function slotName({ id }: BackupRepository): string {
  return `dukkan_backup_${id}`;
}

/**
 * The slot makes the server keep the log until it is in the repository. Returns the first position that it has. A slot that the server gave
 * up, because the log behind it grew past max_slot_wal_keep_size, is made again: the log between is missing.
 */
export async function openSlot({ replication }: WalSource, repository: BackupRepository): Promise<bigint> {
  const name = slotName(repository);
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
 * Copies the log into the repository from where it ends there, until the segment with `until` is complete or `signal` aborts. Resolves to
 * false when another process follows the log into this repository already.
 */
export async function receiveWal(
  source: WalSource,
  repository: BackupRepository,
  options: { until?: bigint; signal?: AbortSignal; onProgress?: (lsn: string) => void },
): Promise<boolean> {
  const { replication, timeline, segmentBytes } = source;
  const size = BigInt(segmentBytes);
  const slotStart = (await openSlot(source, repository)) / size;
  const stored = (await listSegments(repository.store, timeline, segmentBytes)).at(-1);
  const first = stored !== undefined && stored + 1n > slotStart ? stored + 1n : slotStart;
  if (options.until !== undefined && (options.until - 1n) / size < first) return true;

  const start = formatLsn(first * size);
  const { messages, send } = replication.copy(
    `START_REPLICATION SLOT ${slotName(repository)} PHYSICAL ${start} TIMELINE ${timeline}`,
  );
  const sink = createSegmentSink(source, repository, first);
  const report = () => send(statusUpdate(sink.durable()));
  let working: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    working = working.then(async () => {
      await sink.flush();
      report();
      options.onProgress?.(formatLsn(sink.durable()));
    });
    working.catch(() => undefined);
  }, repository.store.flushEveryMs);
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

function createSegmentSink({ timeline, segmentBytes }: WalSource, { store, key }: BackupRepository, first: bigint) {
  const size = BigInt(segmentBytes);
  let segment = first;
  let inSegment = 0;
  let flushed = first * size;
  let writer: SealedWriter | undefined;

  async function finishSegment(): Promise<void> {
    await writer?.finish();
    writer = undefined;
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
          writer = await sealInto(await store.write(`wal/${name}`, { growing: true }), { name, key });
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
    /** Everything before it is in the repository. */
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
