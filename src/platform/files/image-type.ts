import { fileTypeFromBuffer } from 'file-type';
import { contentTypeOf, type FileContentType, type FileExtension } from './file-key.ts';
import { isWholeHeader } from './image-header.ts';

export type SniffedType = { contentType: FileContentType; extension: FileExtension };

/**
 * Bytes from the start that are inspected. The longest header is that of a GIF, 1,560 bytes with two full colour tables. The
 * limit bounds the work of file-type, which also parses archives and videos.
 */
export const SNIFF_BYTES = 2048;

/** Accepted types by the extension that file-type reports. Animated PNGs are stored as PNG. */
const KINDS = new Map<string, FileExtension>([
  ['jpg', 'jpg'],
  ['png', 'png'],
  ['apng', 'png'],
  ['webp', 'webp'],
  ['gif', 'gif'],
  ['pdf', 'pdf'],
]);

/** The image type by content. File names and declared types come from the client and are ignored. */
export async function sniffImage(head: Buffer): Promise<SniffedType | undefined> {
  const found = await sniffDocument(head);
  return found?.extension === 'pdf' ? undefined : found;
}

/** Documents of a payment: a PDF or an image. */
export async function sniffDocument(head: Buffer): Promise<SniffedType | undefined> {
  const start = head.subarray(0, SNIFF_BYTES);
  // Content that makes it fail is of no accepted type.
  const found = await fileTypeFromBuffer(start).catch(() => undefined);
  const extension = KINDS.get(found?.ext ?? '');
  if (extension === undefined || !isWholeHeader(extension, start)) return undefined;
  return { contentType: contentTypeOf(extension), extension };
}
