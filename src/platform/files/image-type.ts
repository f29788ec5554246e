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

/** What an upload may be: a picture of a shop, the picture of a product, or the document of a payment. */
export type Acceptance = 'image' | 'photo' | 'document';

const ACCEPTED: Record<Acceptance, readonly FileExtension[]> = {
  image: ['jpg', 'png', 'webp', 'gif'],
  photo: ['jpg', 'png', 'webp'],
  document: ['pdf', 'jpg', 'png', 'webp', 'gif'],
};

/** For the message of a refusal. */
export const WORDS: Record<Acceptance, string> = {
  image: 'jpg, png, webp or gif',
  photo: 'jpg, png or webp',
  document: 'pdf, jpg, png, webp or gif',
};

/** The type by content. File names and declared types come from the client and are ignored. SVG is never accepted: it can hold scripts. */
export async function sniffFile(head: Buffer, accept: Acceptance): Promise<SniffedType | undefined> {
  const start = head.subarray(0, SNIFF_BYTES);
  // Content that makes it fail is of no accepted type.
  const found = await fileTypeFromBuffer(start).catch(() => undefined);
  const extension = KINDS.get(found?.ext ?? '');
  if (extension === undefined || !ACCEPTED[accept].includes(extension)) return undefined;
  return isWholeHeader(extension, start) ? { contentType: contentTypeOf(extension), extension } : undefined;
}
