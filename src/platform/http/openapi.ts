import swagger from '@fastify/swagger';
import type { FastifyContextConfig } from 'fastify';
import type { App } from './app.ts';
import { encodeFile, sendFile } from './encoded-file.ts';
import { describeOperations } from './openapi/describe-operations.ts';
import type { Document, PathItem } from './openapi/document.ts';
import type { RequestHeader } from './openapi/headers.ts';
import { nameSchemas } from './openapi/name-schemas.ts';
import type { AccessFacts, RouteFacts } from './openapi/refusals-of.ts';
import type { Problem } from './problem.ts';
import { installReferencePage } from './reference-page/install-reference-page.ts';

export type { AccessFacts } from './openapi/refusals-of.ts';

export const API_VERSION = '1.0.0';
const DESCRIPTION_PATH = '/api/v1/openapi.json';

declare module 'fastify' {
  interface FastifySchema {
    /** What the route refuses beyond what follows from its access, headers, parameters and body. */
    refuses?: readonly Problem[];
    /** The headers that the route reads, except those that all routes of its kind accept. */
    takes?: readonly RequestHeader[];
    /** Whether answers carry the version of the resource. */
    answersEtag?: boolean;
  }
}

export type ApiReference = {
  /** Markdown. */
  introduction: string;
  tags: { name: string; description: string }[];
  securitySchemes: Record<string, object>;
  /** Webhooks that the service sends. */
  webhooks: Record<string, PathItem>;
  accessOf: (config: FastifyContextConfig) => AccessFacts;
  /** Sets examples that depend on the data of this installation, before the description is served for the first time. */
  setExamples?: ((document: Document) => Promise<void>) | undefined;
};

/** Must run before the routes are registered: it collects them at registration. */
export async function installOpenApi(app: App, reference: ApiReference): Promise<void> {
  const routes = new Map<string, RouteFacts>();
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Dukkan',
        version: API_VERSION,
        description: reference.introduction,
        contact: { name: 'The operator of this service' },
        license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      },
      servers: [{ url: '/', description: 'This service' }],
      tags: reference.tags,
      components: { securitySchemes: reference.securitySchemes as never },
    },
    hideUntagged: true,
    convertConstToEnum: false,
    transform: ({ schema, url, route }) => {
      const { config = {}, validatorCompiler } = route;
      const facts: RouteFacts = { schema: schema ?? {}, config, validatorCompiler };
      if (schema?.operationId !== undefined) routes.set(schema.operationId, facts);
      return { schema, url };
    },
    transformObject: (description) => {
      if (!('openapiObject' in description)) throw new Error('the API is described as OpenAPI');
      const document = description.openapiObject as unknown as Document;
      document.webhooks = structuredClone(reference.webhooks);
      describeOperations(document, routes, ({ config }) => reference.accessOf(config));
      nameSchemas(document);
      return document as never;
    },
  });
  installReferencePage(app, { title: 'Dukkan', descriptionUrl: DESCRIPTION_PATH });
  // Serialised once and shared by all requests: half a megabyte per request would stay in memory for each slow client.
  const description = encodeFile('application/json; charset=utf-8', async () => {
    if (reference.setExamples === undefined) return JSON.stringify(app.swagger());
    const document = structuredClone(app.swagger()) as unknown as Document;
    await reference.setExamples(document);
    return JSON.stringify(document);
  });
  app.get(DESCRIPTION_PATH, { schema: { hide: true }, config: { access: { kind: 'public' } } }, (request, reply) =>
    sendFile(request, reply, description, 'no-cache'),
  );
}
