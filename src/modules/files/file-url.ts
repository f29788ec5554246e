import type { FastifyRequest } from 'fastify';

export const FILES_PATH = '/files';
const API_PREFIX = '/api/v1';

/** The public route serves only images; documents have routes that authorize the caller. */
export const PUBLIC_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/svg+xml'];

/** Owner of files that only operators may read. The public route serves none of them. */
export const OPERATOR_FILES = '00000000-0000-0000-0000-000000000000';

/** Owner of drawings that the service makes itself. Many rows share one, so it stays when a row stops to refer to it. */
export const SHARED_DRAWINGS = '00000000-0000-0000-0000-000000000001';

const PLAIN_HOST = /^[\w.-]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i;

/**
 * Addresses as the caller reaches the service, so that they can be put into a page as they are. A request that does not
 * say where it went (HTTP/1.0, an odd Host) gets them relative to the root. A setting was rejected: it would be one
 * more thing to get wrong, and wrong for every second name of the same service.
 */
export function fileUrlsFor(request: FastifyRequest): (key: string) => string {
  const origin = PLAIN_HOST.test(request.host ?? '') ? `${request.protocol}://${request.host}` : '';
  return (key) => `${origin}${API_PREFIX}${FILES_PATH}/${key}`;
}
