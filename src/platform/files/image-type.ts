import { fileTypeFromBuffer } from 'file-type';
import { contentTypeOf, type FileContentType, type FileExtension } from './file-key.ts';
import { isWholeHeader } from './image-header.ts';

export type SniffedType = { contentType: FileContentType; extension: FileExtension };

/**
 * What a sniffer wants to see: this many bytes from the start, or the whole file when it is shorter. The longest header
 * looked at is a GIF's, 1,560 bytes with two full colour tables. It sees no more than that, whatever it is given: it looks
 * into archives and films too, and that work has to have an end.
 */
export const SNIFF_BYTES = 2048;

/** What file-type calls those that are kept. A moving PNG is a PNG to whoever cannot move it. */
const KINDS = new Map<string, FileExtension>([
  ['jpg', 'jpg'],
  ['png', 'png'],
  ['apng', 'png'],
  ['webp', 'webp'],
  ['gif', 'gif'],
  ['pdf', 'pdf'],
]);

/** The kind of image by its bytes; names and declared types are the client's word and count for nothing. */
export async function sniffImage(head: Buffer): Promise<SniffedType | undefined> {
  const found = await sniffDocument(head);
  return found?.extension === 'pdf' ? undefined : found;
}

/** What may prove a payment: a PDF or a picture of one. */
export async function sniffDocument(head: Buffer): Promise<SniffedType | undefined> {
  const start = head.subarray(0, SNIFF_BYTES);
  // What it stumbles over is nothing that we keep.
  const found = await fileTypeFromBuffer(start).catch(() => undefined);
  const extension = KINDS.get(found?.ext ?? '');
  if (extension === undefined || !isWholeHeader(extension, start)) return undefined;
  return { contentType: contentTypeOf(extension), extension };
}
