import { randomUUID } from 'node:crypto';
import { FileStoreError } from './file-store.ts';

/** Every file type the service stores. A new type is one more row here and its header check. */
const CONTENT_TYPES = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  pdf: 'application/pdf',
  // Drawn by the service itself; uploads are never accepted as SVG.
  svg: 'image/svg+xml',
} as const;

export type FileExtension = keyof typeof CONTENT_TYPES;
export type FileContentType = (typeof CONTENT_TYPES)[FileExtension];

const UUID_PATTERN = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const OWNER = new RegExp(`^${UUID_PATTERN}$`);
// Lower case only: two keys that differ by case would be one file on a case-folding disk.
const KEY = new RegExp(`^(${UUID_PATTERN})/${UUID_PATTERN}\\.(${Object.keys(CONTENT_TYPES).join('|')})$`);

export function contentTypeOf(extension: FileExtension): FileContentType {
  return CONTENT_TYPES[extension];
}

/** Of a key that `newFileKey` made. */
export function contentTypeOfKey(key: string): FileContentType {
  return parseFileKey(key).contentType;
}

/** For routes that take a key from the URL: an invalid one is answered with 404. */
export function isFileKey(key: unknown): key is string {
  return typeof key === 'string' && KEY.test(key);
}

/**
 * The name is random rather than time-ordered: a file's address may be readable without a token, and then the name is
 * all that guards it (122 random bits, and no trace of when it was uploaded).
 */
export function newFileKey(ownerId: string, extension: FileExtension): string {
  if (!OWNER.test(ownerId)) throw new FileStoreError('bad_key', 'The owner of a file must be a lower-case UUID');
  return `${ownerId}/${randomUUID()}.${extension}`;
}

export type ParsedKey = { ownerId: string; contentType: FileContentType };

/** Every key passes this check before it becomes a path on disk or in a bucket. */
export function parseFileKey(key: string): ParsedKey {
  const match = typeof key === 'string' ? KEY.exec(key) : null;
  const ownerId = match?.[1];
  const extension = match?.[2];
  if (ownerId === undefined || !isExtension(extension)) {
    throw new FileStoreError('bad_key', `Not a file key: ${JSON.stringify(String(key).slice(0, 100))}`);
  }
  return { ownerId, contentType: CONTENT_TYPES[extension] };
}

/** Refuses a key whose extension does not match the declared content type. */
export function parseKeyFor(key: string, contentType: string): ParsedKey {
  const parsed = parseFileKey(key);
  if (parsed.contentType !== contentType) {
    throw new FileStoreError('bad_key', `A ${contentType} file cannot be kept as ${key}`);
  }
  return parsed;
}

function isExtension(value: string | undefined): value is FileExtension {
  return value !== undefined && Object.hasOwn(CONTENT_TYPES, value);
}
