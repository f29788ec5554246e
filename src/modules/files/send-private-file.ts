import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { type FileStore, FileStoreError } from '../../platform/files/index.ts';
import { type Problem, unavailable } from '../../platform/http/problem.ts';

const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];
const binary = (more: object = {}) => ({
  schema: Type.Unsafe<Readable>({ type: 'string', format: 'binary', ...more }),
});

/** The response in the API description. */
export const PRIVATE_FILE_ANSWER = {
  description: 'The file',
  content: {
    'application/pdf': binary({ examples: ['%PDF-1.4\n%%EOF\n'] }),
    ...Object.fromEntries(PICTURE_TYPES.map((type) => [type, binary()])),
  },
};

/**
 * Sends a private file after the route has authorized the caller: it is not cached, and no browser shows it as a page of this
 * origin. `missing` is the error when the store does not have it.
 */
export async function sendPrivateFile(
  reply: FastifyReply,
  files: FileStore,
  { key, name, missing }: { key: string; name: string; missing: Problem },
): Promise<FastifyReply> {
  const file = await files.open(key).catch((error) => {
    if (!(error instanceof FileStoreError)) throw error;
    throw unavailable('The file store cannot be reached').because(error);
  });
  if (file === undefined) throw missing;
  reply.headers({
    'content-type': file.contentType,
    'content-length': String(file.sizeBytes),
    'cache-control': 'private, no-store',
    'content-disposition': `attachment; filename="${asciiOf(name)}"; filename*=UTF-8''${encoded(name)}`,
    'content-security-policy': "default-src 'none'; sandbox",
  });
  if (reply.request.method === 'HEAD') {
    file.stream.destroy();
    return reply.send();
  }
  return reply.send(file.stream);
}

/** For clients that do not read the other form. */
function asciiOf(name: string): string {
  return name.replaceAll(/[^\w .()-]/g, '_');
}

function encoded(name: string): string {
  return encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}
