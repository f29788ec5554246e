import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../platform/http/app.ts';
import { type EncodedFile, packedFile, sendFile } from '../../platform/http/encoded-file.ts';
import type { ConsoleSettings } from './settings.ts';

const FOR_EVER = 'public, max-age=31536000, immutable';
/** Revalidated on each request (304): the page and files without a hash in their name. */
const ASK_AGAIN = 'no-cache';

const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  // Previews of pictures before their upload.
  "img-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(self), geolocation=(self), microphone=(), payment=()',
};

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** Paths that are never a page of the console, whatever the client accepts. */
const NO_PAGES = /^\/(?:api|docs|metrics|assets)(?:\/|$)/;

/**
 * The console at `/`, with every address of its own answered by its page. Only files that were there at the start are known,
 * by name, so no path can lead out of the folder. Without a build there is no console, and nothing else changes.
 */
export function serveConsole(app: App, { folder }: ConsoleSettings): boolean {
  if (folder === undefined || !existsSync(path.join(folder, 'index.html'))) return false;
  const files = readFiles(folder);
  const page = files.get('index.html');
  if (page === undefined) return false;

  const sendPage = (request: FastifyRequest, reply: FastifyReply) =>
    sendFile(request, reply.headers(HEADERS), page, ASK_AGAIN);

  app.get('/*', { schema: { hide: true } }, (request, reply) => {
    const name = pathOf(request).slice(1);
    const file = name === 'index.html' ? undefined : files.get(name);
    if (file !== undefined) return sendFile(request, reply, file, name.startsWith('assets/') ? FOR_EVER : ASK_AGAIN);
    return asksForPage(request) ? sendPage(request, reply) : reply.callNotFound();
  });
  return true;
}

function asksForPage(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') === true && !NO_PAGES.test(pathOf(request));
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '';
}

/** By their path under the folder; those that were packed at the build are sent as they are. */
function readFiles(folder: string): Map<string, EncodedFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));
  const there = new Set(names);
  const served = names.filter((name) => Object.hasOwn(TYPES, path.extname(name)) && name !== 'manifest.json');
  return new Map(
    served.map((name) => {
      const read = (ending: string) => readFile(path.join(folder, name + ending));
      const packed = { br: there.has(`${name}.br`), gzip: there.has(`${name}.gz`) };
      return [name, packedFile(TYPES[path.extname(name)] ?? '', read, packed)];
    }),
  );
}
