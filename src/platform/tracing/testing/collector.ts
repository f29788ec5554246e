import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { atEndOfFile } from '../../../../test/harness/end-of-file.ts';
import type { toOtlp } from '../exporter.ts';

type Body = ReturnType<typeof toOtlp>;
type OtlpSpan = Body['resourceSpans'][number]['scopeSpans'][number]['spans'][number];
type OtlpAttributes = OtlpSpan['attributes'];

/** Takes spans as an OpenTelemetry collector does, and keeps them. */
export type Collector = { url: string; spans(): OtlpSpan[]; resource(): Record<string, unknown> };

export async function startCollector(): Promise<Collector> {
  const bodies: Body[] = [];
  const server = http.createServer(async (request, response) => {
    if (request.url === '/v1/traces') bodies.push((await json(request)) as Body);
    response.writeHead(request.url === '/v1/traces' ? 200 : 404).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEndOfFile(async () => {
    server.closeAllConnections();
    server.close();
  });
  const resources = () => bodies.flatMap(({ resourceSpans }) => resourceSpans);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => resources().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    resource: () => toRecord(resources()[0]?.resource.attributes ?? []),
  };
}

export function attributesOf(span: OtlpSpan | undefined): Record<string, unknown> {
  return toRecord(span?.attributes ?? []);
}

function toRecord(attributes: OtlpAttributes): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
