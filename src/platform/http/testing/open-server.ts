import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import { pino } from 'pino';
import { expect, onTestFinished } from 'vitest';
import { openSocket } from '../../../../test/harness/index.ts';
import { createHttpServer, type HttpOptions } from '../server.ts';

export const POLL_OPTIONS = { interval: 5 };

/** The HTTP server alone, with routes for the test. The tenant is in a header. */
export async function open(options: Partial<HttpOptions> = {}) {
  const { app, inFlight } = createHttpServer({
    log: pino({ level: 'silent' }),
    trustProxy: false,
    maxInFlightRequests: 100,
    tenantOf: ({ headers }) => headers['x-tenant']?.toString(),
    ...options,
  });
  await app.register(multipart);
  const gate = Promise.withResolvers<void>();
  app.post('/echo', { bodyLimit: 4 * 1024 * 1024 }, async (request) => JSON.stringify(request.body).length);
  app.post('/form', async (request) => {
    for await (const _part of request.parts());
    return 'read';
  });
  app.post('/no-body', async ({ body }) => (body === undefined ? 'none' : 'some'));
  app.post('/raw', { config: { takesRawBody: true } }, async ({ body }) => `${(body as Buffer).length} bytes`);
  app.get('/hold', async () => gate.promise.then(() => 'held'));
  app.get('/stream', async (_request, reply) => reply.send(new Readable({ read: () => undefined })));
  app.get('/large', async () => 'x'.repeat(50_000_000));
  app.get('/ping', { config: { isProbe: true } }, async () => 'pong');
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  onTestFinished(() => app.server.closeAllConnections());
  onTestFinished(() => gate.resolve());
  const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  async function connect(): Promise<Socket> {
    const socket = await openSocket(baseUrl);
    onTestFinished(() => void socket.destroy());
    return socket.on('error', () => undefined);
  }
  async function send(bytes: string): Promise<Socket> {
    const socket = await connect();
    socket.write(bytes);
    return socket;
  }
  const ping = async () => (await fetch(`${baseUrl}/ping`)).status;
  let asked = 0;
  app.server.on('request', () => {
    asked += 1;
  });
  /** So many requests have arrived; those with a body are counted in the same event-loop iteration. */
  const untilAsked = (count: number) => expect.poll(() => asked, POLL_OPTIONS).toBe(count);
  return { app, baseUrl, connect, send, ping, inFlight, gate, untilAsked };
}

export const json = (path: string, length: number, headers = '') =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${headers}content-length: ${length}\r\n\r\n`;
export const isOpen = (socket: Socket) => !socket.destroyed && !socket.readableEnded;
