import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../../platform/http/app.ts';
import { mutationEnvelope, mutationEnvelopeOf, ProblemSchema } from '../../platform/http/envelopes.ts';
import type { Sent } from '../../platform/http/idempotent-write.ts';
import { conflict, tooLarge, tooManyRequests } from '../../platform/http/problem.ts';
import type { InboundCall } from '../../platform/inbound/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { ingestUrl } from '../apps/index.ts';
import { linkBaseOf, open } from '../identity/index.ts';
import { quotaReached } from './ingest-limits.ts';
import { invalidSignature, type Receiver, unknownAddress } from './receive-call.ts';
import * as shapes from './schema.ts';

const MAX_BODY_BYTES = 2 * 1024 * 1024;
const METHODS = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'] as const;
const exampleId = '0193a1f0-7c00-7000-8000-000000000007';
const tags = ['Staging'];
const EMPTY = Buffer.alloc(0);

const schema = {
  tags,
  operationId: 'ingest',
  summary: "A vendor's call to an install",
  description:
    "Proven the vendor's own way, on the bytes as they came, or by the install's token (`X-Ingest-Token`, `?token=`); stored and answered at once, read in the background. Any method and any path behind the address will do. The same delivery again gets the same `staging_id`. Vendors that ask for it get 200 instead of 202.",
  refuses: [
    invalidSignature({ slug: 'generic', inbound: { authentication: 'token', verify: () => false } }),
    unknownAddress(exampleId),
    conflict('App is disabled', { id: exampleId, app_slug: 'generic' }),
    tooLarge('The request body is too large'),
    tooManyRequests(120_000, 1_000),
    quotaReached(2_048, new Date('2026-11-15T10:00:00Z')),
  ],
  params: Type.Object({ id: Type.String({ description: "The install's id", examples: [exampleId] }) }),
  response: {
    202: mutationEnvelopeOf(shapes.ReceivedData),
    '4xx': ProblemSchema,
    '5xx': ProblemSchema,
  },
};

export function ingestRoutes(
  app: App,
  { clock }: Platform,
  { receiver, publicUrl, onReceived }: { receiver: Receiver; publicUrl: string | undefined; onReceived(): void },
): void {
  const config = { access: open, takesRawBody: true };

  async function take(request: FastifyRequest, reply: FastifyReply): Promise<Sent> {
    const { id, '*': path = '' } = request.params as { id: string; '*'?: string };
    const address = ingestUrl(linkBaseOf(request, publicUrl), id);
    const { stagingId, status } = await receiver.receive(id, callOf(request, path), address);
    onReceived();
    return reply.code(status).send(mutationEnvelope(clock, 'Received', { staging_id: stagingId })) as Sent;
  }

  for (const url of ['/ingest/:id', '/ingest/:id/*']) {
    for (const method of METHODS) {
      // One of them says what it is; the others are the same for vendors who choose otherwise.
      const isDescribed = url === '/ingest/:id' && method === 'POST';
      app.route({
        method,
        url,
        bodyLimit: MAX_BODY_BYTES,
        config,
        schema: isDescribed ? schema : ({ ...schema, operationId: undefined, hide: true } as never),
        handler: take,
      });
    }
  }
}

function callOf(request: FastifyRequest, path: string): InboundCall {
  return {
    method: request.method,
    path: path.replace(/^\/+|\/+$/g, ''),
    query: textsOf(request.query as Record<string, unknown>),
    headers: textsOf(request.headers),
    body: Buffer.isBuffer(request.body) ? request.body : EMPTY,
  };
}

/** Of what came more than once, the values joined by commas. By hand: entries made and unmade cost more than the call itself. */
function textsOf(pairs: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts: Record<string, string> = Object.create(null);
  for (const name of Object.keys(pairs)) {
    const value = pairs[name];
    if (value !== undefined) texts[name] = Array.isArray(value) ? value.join(',') : String(value);
  }
  return texts;
}
