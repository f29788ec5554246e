import { FileStoreError, isFileKey, type StoredFile } from '../../platform/files/index.ts';
import type { App } from '../../platform/http/app.ts';
import { notFound, unavailable } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/platform.ts';
import { open } from '../identity/index.ts';
import { matchesEtag } from './etag.ts';
import { FILES_PATH, OPERATOR_FILES, PUBLIC_TYPES } from './file-url.ts';
import { sweepUnclaimedFiles } from './remove-files.ts';
import * as docs from './route-docs.ts';

export function fileRoutes(app: App, platform: Platform): void {
  const { files, jobs } = platform;

  app.get(
    `${FILES_PATH}/:owner/:name`,
    { config: { access: open }, schema: docs.getFileDoc },
    async (request, reply) => {
      const file = await findPublicFile(`${request.params.owner}/${request.params.name}`);
      if (file === undefined) throw notFound('File not found', { name: request.params.name });
      reply.headers({
        'cache-control': 'public, max-age=31536000, immutable',
        etag: file.etag,
        'last-modified': file.lastModified.toUTCString(),
        // Shown on the merchant's own pages, and never as a page of this origin.
        'cross-origin-resource-policy': 'cross-origin',
        'content-security-policy': "default-src 'none'; sandbox",
      });
      const isKnown = matchesEtag(request.headers['if-none-match'], file.etag);
      if (isKnown || request.method === 'HEAD') file.stream.destroy();
      if (isKnown) return reply.code(304).send(undefined);
      return reply
        .headers({ 'content-type': file.contentType, 'content-length': String(file.sizeBytes) })
        .send(file.stream);
    },
  );

  jobs.every('sweep-files', '*/10 * * * *', async () => {
    const swept = await sweepUnclaimedFiles(platform);
    if (swept > 0) platform.log.info({ swept }, 'swept files that nothing refers to');
  });

  async function findPublicFile(key: string): Promise<StoredFile | undefined> {
    if (!isFileKey(key) || key.startsWith(OPERATOR_FILES)) return undefined;
    const file = await openFile(key);
    if (file === undefined || PUBLIC_TYPES.includes(file.contentType)) return file;
    // Documents are for their own routes, which ask who is calling.
    file.stream.destroy();
    return undefined;
  }

  async function openFile(key: string): Promise<StoredFile | undefined> {
    try {
      return await files.open(key);
    } catch (error) {
      if (!(error instanceof FileStoreError)) throw error;
      throw unavailable('The file store cannot be reached').because(error);
    }
  }
}
