import { readFile } from 'node:fs/promises';
import fastify from 'fastify';
import type { App } from '../app.ts';
import { type EncodedFile, encodeFile, sendFile } from '../encoded-file.ts';

const PAGE_PATH = '/docs';
const HERE = new URL('./assets/', import.meta.url);
const FOR_EVER = 'public, max-age=31536000, immutable';
/** The console answers every address that nothing else does. */
const CONSOLE_ROUTE = '/*';
const CONSOLE_LINK = /\n *<a class="masthead-console"[^\n]*/;

type Assets = Record<string, EncodedFile>;

/**
 * From here only. Styles are the one thing that the page's own script writes into the document (22 style elements);
 * no script is, so none that were smuggled into a description would run.
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
 * The reference for people: Scalar's page under our own head and in the console's colours and type, served from the package
 * and from nowhere else. Where the service has a console, it leads back to it.
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
    // Known once all routes are there, which they are when somebody asks.
    if (!app.hasRoute({ method: 'GET', url: CONSOLE_ROUTE })) text = text.replace(CONSOLE_LINK, '');
    return withAddresses(text, assets);
  });

  const hidden = { schema: { hide: true } };
  app.get(PAGE_PATH, hidden, (request, reply) => {
    // For documents alone. Every answer has `nosniff`, so JSON is never taken for one.
    reply.headers({ 'content-security-policy': POLICY, 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' });
    return sendFile(request, reply, html, 'no-cache');
  });
  // What is asked for under an older name is gone from here, and the page names the newer one.
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

/** `{{name}}` becomes where that asset is found, with what it holds in its address. */
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
 * The package has its script as text inside its Fastify plugin and gives it out in no other way, so a framework that
 * listens nowhere is asked for it. Imported when somebody opens the page: reading it takes 0.4 s of CPU, which no start
 * should pay for.
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
