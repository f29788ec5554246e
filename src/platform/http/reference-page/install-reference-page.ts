import { readFile } from 'node:fs/promises';
import fastify from 'fastify';
import type { App } from '../app.ts';
import { type EncodedFile, encodeFile, sendFile } from '../encoded-file.ts';

const PAGE_PATH = '/docs';
const HERE = new URL('./assets/', import.meta.url);
const FOR_EVER = 'public, max-age=31536000, immutable';
/** The console serves every path without another route. */
const CONSOLE_ROUTE = '/*';
const CONSOLE_LINK = /\n *<a class="masthead-console"[^\n]*/;

type Assets = Record<string, EncodedFile>;

/**
 * Everything from this origin. The page's own script writes styles into the document (22 style elements) but no scripts, so a script
 * injected into a description would not run.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The API reference page: Scalar with the console's header, colours and fonts, served from the package without a CDN. Links to the
 * console where there is one.
 */
export function installReferencePage(app: App, page: { title: string; descriptionUrl: string }): void {
  const ours = (name: string) => readFile(new URL(name, HERE), 'utf8');
  const font = (name: string) => encodeFile('font/woff2', () => readFile(new URL(name, HERE)));
  const fonts: Assets = { 'plex-400.woff2': font('plex-400.woff2'), 'plex-600.woff2': font('plex-600.woff2') };
  const assets: Assets = {
    ...fonts,
    'scalar.js': encodeFile('text/javascript; charset=utf-8', readScalar),
    'start.js': encodeFile('text/javascript; charset=utf-8', () => ours('start.js')),
    'page.css': encodeFile('text/css; charset=utf-8', async () => withAddresses(await ours('page.css'), fonts)),
    'logo.svg': encodeFile('image/svg+xml', () => ours('logo.svg')),
  };
  const html = encodeFile('text/html; charset=utf-8', async () => {
    let text = (await ours('page.html')).replaceAll('{{title}}', page.title);
    text = text.replaceAll('{{description}}', page.descriptionUrl);
    // Checked at the first request, when all routes are registered.
    if (!app.hasRoute({ method: 'GET', url: CONSOLE_ROUTE })) text = text.replace(CONSOLE_LINK, '');
    return withAddresses(text, assets);
  });

  const hidden = { schema: { hide: true } };
  app.get(PAGE_PATH, hidden, (request, reply) => {
    // For documents only. Every response has `nosniff`, so JSON is never rendered as one.
    reply.headers({ 'content-security-policy': POLICY, 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' });
    return sendFile(request, reply, html, 'no-cache');
  });
  // An old hash is 404; the page refers to the current one.
  app.get<{ Params: { hash: string; name: string } }>(
    `${PAGE_PATH}/assets/:hash/:name`,
    hidden,
    async (request, reply) => {
      const { hash, name } = request.params;
      const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
      if (asset === undefined || (await asset.load()).hash !== hash) return reply.callNotFound();
      return sendFile(request, reply, asset, FOR_EVER);
    },
  );
}

/** Replaces `{{name}}` with the asset's path, which contains its hash. */
async function withAddresses(text: string, assets: Assets): Promise<string> {
  let filled = text;
  for (const [name, asset] of Object.entries(assets)) {
    if (!filled.includes(`{{${name}}}`)) continue;
    const { hash } = await asset.load();
    filled = filled.replaceAll(`{{${name}}}`, `${PAGE_PATH}/assets/${hash}/${name}`);
  }
  return filled;
}

/**
 * The package exposes its script only through its Fastify plugin, so an instance that does not listen serves it. Imported when the
 * page is first opened: reading it takes 0.4 s of CPU, which would delay startup.
 */
async function readScalar(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const holder = fastify();
  await holder.register(scalar, { routePrefix: '/', configuration: { url: '/' } });
  const answer = await holder.inject('/js/scalar.js');
  await holder.close();
  if (answer.statusCode !== 200) throw new Error(`the reference page has no script: ${answer.statusCode}`);
  return answer.rawPayload;
}
