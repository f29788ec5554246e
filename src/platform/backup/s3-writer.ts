import { BackupError } from './backup-error.ts';
import type { StoreWriter } from './backup-store.ts';
import { type Bucket, findElement } from './s3-bucket.ts';

const PART_BYTES = 8 * 1024 * 1024;
/** S3's limit. */
const MAX_PARTS = 10_000;
/** Every thousand parts the next are 8 MiB larger: 10,000 parts are 430 GiB, and two of the largest 160 MiB of memory. */
const PARTS_OF_A_SIZE = 1_000;

/**
 * Uploads an object of unknown length: a small one by one PUT, a larger one in parts. One part is on its way while the next is collected. S3
 * checks each against its signed SHA-256, and shows the object only when the upload is completed.
 */
export function openS3Writer(
  bucket: Bucket,
  key: string,
  options: { unfinishedKey: ((nth: number) => string) | undefined },
): StoreWriter {
  let collected: Buffer[] = [];
  let collectedBytes = 0;
  let unflushed: Buffer[] = [];
  let unflushedBytes = 0;
  let flushes = 0;
  let totalBytes = 0;
  let uploadId: string | undefined;
  let sentParts = 0;
  const etags: string[] = [];
  let sending: Promise<void> = Promise.resolve();
  let isFinished = false;

  async function sendCollected(): Promise<void> {
    const body = Buffer.concat(collected);
    collected = [];
    collectedBytes = 0;
    await sending;
    if (uploadId === undefined) {
      uploadId = findElement((await bucket.ask({ method: 'POST', key, query: { uploads: '' } })).text, 'UploadId');
      if (uploadId === '') throw new BackupError(`S3 gave no id for the upload of ${key}`);
    }
    const query = { partNumber: String(sentParts + 1), uploadId };
    if (sentParts === MAX_PARTS) throw new BackupError(`${key} is too large for S3: use a folder`);
    sentParts += 1;
    const part = sentParts;
    sending = bucket.ask({ method: 'PUT', key, query, body }).then(({ headers }) => {
      etags[part - 1] = String(headers.etag ?? '');
    });
    // The next write, or `finish`, reports it.
    sending.catch(() => undefined);
  }

  async function complete(id: string): Promise<void> {
    const parts = etags.map(
      (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
    );
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
    const { text } = await bucket.ask({ method: 'POST', key, query: { uploadId: id }, body }, [404]);
    // An upload that fails after the headers is answered with 200 and an error; a lost answer to a success is 404 the second time.
    const isComplete = text.includes('<CompleteMultipartUploadResult');
    if (!isComplete && (await bucket.sizeOf(key)) !== totalBytes) {
      throw new BackupError(
        `S3 did not complete the upload of ${key}: ${findElement(text, 'Code') || 'no such upload'}`,
      );
    }
  }

  async function flush(): Promise<void> {
    if (options.unfinishedKey === undefined || unflushedBytes === 0) return;
    flushes += 1;
    const body = Buffer.concat(unflushed);
    unflushed = [];
    unflushedBytes = 0;
    await bucket.ask({ method: 'PUT', key: options.unfinishedKey(flushes), body });
  }

  return {
    async write(data) {
      collected.push(data);
      collectedBytes += data.length;
      totalBytes += data.length;
      if (options.unfinishedKey !== undefined) {
        unflushed.push(data);
        unflushedBytes += data.length;
        if (unflushedBytes >= PART_BYTES) await flush();
      }
      if (collectedBytes >= PART_BYTES * (1 + Math.floor(sentParts / PARTS_OF_A_SIZE))) await sendCollected();
    },
    flush,
    async finish() {
      if (uploadId === undefined) await bucket.ask({ method: 'PUT', key, body: Buffer.concat(collected) });
      else {
        if (collectedBytes > 0) await sendCollected();
        await sending;
        await complete(uploadId);
      }
      isFinished = true;
    },
    async close() {
      await sending.catch(() => undefined);
      if (isFinished || uploadId === undefined) return;
      isFinished = true;
      await bucket.abortUpload(key, uploadId).catch(() => undefined);
    },
  };
}

function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
}
