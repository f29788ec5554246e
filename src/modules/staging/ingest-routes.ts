import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../platform/http/app.ts';
import { mutationEnvelope } from '../../platform/http/envelopes.ts';
import type { Sent } from '../../platform/http/idempotent-write.ts';
import type { InboundCall } from '../../platform/inbound/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { ingestUrl } from '../apps/index.ts';
import { linkBaseOf, open } from '../identity/index.ts';
import type { Receiver } from './receive-call.ts';
import { ingestDocs } from './route-docs.ts';

const MAX_BODY_BYTES = 2 * 1024 * 1024;
const METHODS = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'] as const;
const EMPTY = Buffer.alloc(0);

export function ingestRoutes(
  app: App,
  { clock }: Platform,
  { receiver, publicUrl, onReceived }: { receiver: Receiver; publicUrl: string | undefined; onReceived(): void },
): void {
  const config = { access: open, takesRawBody: true };

  async function take(request: FastifyRequest, reply: FastifyReply): Promise<Sent> {
    const { id, '*': path = '' } = request.params as { id: string; '*'?: string };
    const readIngestUrl = () => ingestUrl(linkBaseOf(request, publicUrl), id);
    const { stagingId, status } = await receiver.receive(id, callOf(request, path), readIngestUrl);
    onReceived();
    return reply.code(status).send(mutationEnvelope(clock, 'Received', { staging_id: stagingId })) as Sent;
  }

  for (const url of ['/ingest/:id', '/ingest/:id/*']) {
    for (const method of METHODS) {
      // One route is documented; the others accept the same call with another method or path.
      const isDescribed = url === '/ingest/:id' && method === 'POST';
      app.route({
        method,
        url,
        bodyLimit: MAX_BODY_BYTES,
        config,
        schema: isDescribed ? ingestDocs : ({ ...ingestDocs, operationId: undefined, hide: true } as never),
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

/** Repeated values are joined by commas. A plain loop: Object.entries and fromEntries cost more than the call itself. */
function textsOf(pairs: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts: Record<string, string> = Object.create(null);
  for (const name of Object.keys(pairs)) {
    const value = pairs[name];
    if (value !== undefined) texts[name] = Array.isArray(value) ? value.join(',') : String(value);
  }
  return texts;
}
