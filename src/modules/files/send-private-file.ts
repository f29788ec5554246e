import type { FastifyReply } from 'fastify';
import { type FileStore, FileStoreError } from '../../platform/files/index.ts';
import { type Problem, unavailable } from '../../platform/http/problem.ts';

/**
 * A file for whoever the route has let in: no cache keeps it, and no browser shows it as a page of ours. `missing` is what
 * is said when the store does not have it.
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
