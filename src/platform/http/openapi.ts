import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { App } from './app.ts';

export const API_VERSION = '1.0.0';

/** Must run before the routes are registered: it collects them as they come. */
export async function installOpenApi(app: App, tags: { name: string; description: string }[]): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Dukkan',
        version: API_VERSION,
        description:
          'Commerce operations for merchants: branches, catalog, orders, payments, webhooks and analytics. ' +
          'Fields and query parameters that are not known are named in the answer header X-Ignored-Fields; ' +
          'with the request header "Prefer: handling=strict" they are refused instead.',
        license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      },
      servers: [{ url: '/' }],
      tags,
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'A JWT from login, or a session token' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        },
      },
    },
    hideUntagged: true,
  });
  await app.register(async (pages) => {
    // For documents alone. Every answer has `nosniff`, so JSON is never taken for one.
    pages.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' });
    });
    await pages.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: true,
      transformStaticCSP: fromHereOnly,
      uiConfig: { docExpansion: 'list' },
    });
  });
  // Written once and shared by all who fetch it: printed anew for each, half a megabyte would wait for each slow reader.
  let description: Buffer | undefined;
  app.get(
    '/api/v1/openapi.json',
    { schema: { hide: true }, config: { access: { kind: 'public' } } },
    (_request, reply) => {
      description ??= Buffer.from(JSON.stringify(app.swagger()));
      reply.header('content-type', 'application/json; charset=utf-8').send(description);
    },
  );
}

/** The page needs nothing from elsewhere, and must also work over plain HTTP on a private network. */
function fromHereOnly(policy: string): string {
  return policy
    .replaceAll(' https:', '')
    .replace(' validator.swagger.io', '')
    .replace(' upgrade-insecure-requests;', '');
}
