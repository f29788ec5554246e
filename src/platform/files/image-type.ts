import { contentTypeOf, type FileContentType, type FileExtension } from './file-key.ts';

export type SniffedType = { contentType: FileContentType; extension: FileExtension };

/**
 * What a sniffer wants to see: this many bytes from the start, or the whole file when it is shorter. The longest header
 * looked at is a GIF's, 1,560 bytes with two full colour tables.
 */
export const SNIFF_BYTES = 2048;

/** The kind of image by its bytes; names and declared types are the client's word and count for nothing. */
export function sniffImage(head: Buffer): SniffedType | undefined {
  if (isPng(head)) return typed('png');
  if (isJpeg(head)) return typed('jpg');
  if (isWebp(head)) return typed('webp');
  if (isGif(head)) return typed('gif');
  return undefined;
}

/** What may prove a payment: a PDF or a picture of one. */
export function sniffDocument(head: Buffer): SniffedType | undefined {
  return isPdf(head) ? typed('pdf') : sniffImage(head);
}

function typed(extension: FileExtension): SniffedType {
  return { contentType: contentTypeOf(extension), extension };
}

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const PNG_HEADER_BYTES = 33;
const PNG_DEPTHS_BY_COLOUR: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Signature and a plausible IHDR chunk, which must come first. */
function isPng(head: Buffer): boolean {
  if (head.length < PNG_HEADER_BYTES || !startsWith(head, PNG_SIGNATURE)) return false;
  if (head.readUInt32BE(8) !== 13 || head.toString('latin1', 12, 16) !== 'IHDR') return false;
  const depths = PNG_DEPTHS_BY_COLOUR[head.readUInt8(25)];
  return head.readUInt32BE(16) > 0 && head.readUInt32BE(20) > 0 && depths?.includes(head.readUInt8(24)) === true;
}

// Start of image, first segment's marker and length, and the five letters that most first segments begin with.
const JPEG_HEADER_BYTES = 11;

/** Start of image, then a segment that may stand at the front of a file. */
function isJpeg(head: Buffer): boolean {
  if (head.length < JPEG_HEADER_BYTES || head.readUInt16BE(0) !== 0xffd8 || head[2] !== 0xff) return false;
  const marker = head.readUInt8(3);
  const isApplicationData = marker >= 0xe0 && marker <= 0xef;
  const isFrameHeader = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8;
  const isTableOrComment = marker === 0xdb || marker === 0xdd || marker === 0xfe;
  return (isApplicationData || isFrameHeader || isTableOrComment) && head.readUInt16BE(4) > 2;
}

const WEBP_HEADER_BYTES = 30;

/** A RIFF container whose form is WEBP and whose first chunk is one of the three that may open an image. */
function isWebp(head: Buffer): boolean {
  if (head.length < WEBP_HEADER_BYTES) return false;
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WEBP') return false;
  const containerBytes = head.readUInt32LE(4);
  const chunkBytes = head.readUInt32LE(16);
  if (4 + 8 + chunkBytes > containerBytes) return false;
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return chunkBytes >= 10 && head.readUIntBE(23, 3) === 0x9d012a;
    case 'VP8L':
      return chunkBytes >= 5 && head[20] === 0x2f;
    case 'VP8X':
      return chunkBytes >= 10;
    default:
      return false;
  }
}

const GIF_HEADER_BYTES = 13;
const GIF_PICTURE_HEADER_BYTES = 10;

/**
 * The letters alone would let `GIF89a<script>...` through, an old trick. So a block must follow the header and the
 * colour table: an extension of a known kind, or a picture whose code size is one a GIF can have. Neither is possible
 * in printable text.
 */
function isGif(head: Buffer): boolean {
  if (head.length < GIF_HEADER_BYTES) return false;
  const version = head.toString('latin1', 0, 6);
  if (version !== 'GIF87a' && version !== 'GIF89a') return false;
  const block = GIF_HEADER_BYTES + countColourTableBytes(head.readUInt8(10));
  const kind = head[block + 1];
  if (head[block] === 0x21) return kind === 0xf9 || kind === 0xfe || kind === 0xff || kind === 0x01;
  const pictureFlags = head[block + 9];
  if (head[block] !== 0x2c || pictureFlags === undefined) return false;
  const codeSize = head[block + GIF_PICTURE_HEADER_BYTES + countColourTableBytes(pictureFlags)];
  return codeSize !== undefined && codeSize >= 1 && codeSize <= 8;
}

function countColourTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

const PDF_HEADER = /^%PDF-(?:1\.[0-7]|2\.0)[\r\n \t]/;

/** Only at the very start. Readers tolerate 1 kB of anything before it, which is how a PDF hides inside other files. */
function isPdf(head: Buffer): boolean {
  return PDF_HEADER.test(head.toString('latin1', 0, 9));
}

function startsWith(head: Buffer, prefix: Buffer): boolean {
  return head.subarray(0, prefix.length).equals(prefix);
}
