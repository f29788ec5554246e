import type { FileExtension } from './file-key.ts';

/**
 * Whether the file starts with a complete, plausible header of its type. file-type checks the signature only, three bytes
 * for some types: it accepts `GIF89a<script>...` as a GIF and three bytes as a JPEG.
 */
export function isWholeHeader(extension: FileExtension, head: Buffer): boolean {
  return HEADERS[extension](head);
}

const PNG_HEADER_BYTES = 33;
const PNG_DEPTHS_BY_COLOUR: Record<number, readonly number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Starts with a plausible IHDR chunk. */
function isPngHeader(head: Buffer): boolean {
  if (head.length < PNG_HEADER_BYTES) return false;
  if (head.readUInt32BE(8) !== 13 || head.toString('latin1', 12, 16) !== 'IHDR') return false;
  const depths = PNG_DEPTHS_BY_COLOUR[head.readUInt8(25)];
  return head.readUInt32BE(16) > 0 && head.readUInt32BE(20) > 0 && depths?.includes(head.readUInt8(24)) === true;
}

// Start of image, marker and length of the first segment, and the five letters most first segments begin with.
const JPEG_HEADER_BYTES = 11;

/** Starts with a segment that is allowed at the start of a file. */
function isJpegHeader(head: Buffer): boolean {
  if (head.length < JPEG_HEADER_BYTES) return false;
  const marker = head.readUInt8(3);
  const isApplicationData = marker >= 0xe0 && marker <= 0xef;
  const isFrameHeader = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8;
  const isTableOrComment = marker === 0xdb || marker === 0xdd || marker === 0xfe;
  return (isApplicationData || isFrameHeader || isTableOrComment) && head.readUInt16BE(4) > 2;
}

const WEBP_HEADER_BYTES = 30;

/** The first chunk is one of the three allowed at the start and fits into the container. */
function isWebpHeader(head: Buffer): boolean {
  if (head.length < WEBP_HEADER_BYTES) return false;
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
 * The signature alone would accept `GIF89a<script>...`, a known attack. A block must follow the header and the colour table:
 * an extension of a known kind, or an image with a valid code size. Neither is possible in printable text.
 */
function isGifHeader(head: Buffer): boolean {
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

/** Only at the very start. Readers tolerate 1 kB of other data before it, which allows a PDF inside another file. */
function isPdfHeader(head: Buffer): boolean {
  return PDF_HEADER.test(head.toString('latin1', 0, 9));
}

const HEADERS: Record<FileExtension, (head: Buffer) => boolean> = {
  png: isPngHeader,
  jpg: isJpegHeader,
  webp: isWebpHeader,
  gif: isGifHeader,
  pdf: isPdfHeader,
  svg: () => false,
};
