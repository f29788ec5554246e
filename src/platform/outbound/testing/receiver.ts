import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import type { Certificate } from './certificates.ts';

export type ReceivedRequest = { method: string; path: string; headers: IncomingHttpHeaders; rawBody: Buffer };

export type Receiver = {
  port: number;
  requests: ReceivedRequest[];
  /** How many connections were ever accepted, secured or not. */
  connections(): number;
  openConnections(): number;
  close(): Promise<void>;
};

type Place = { address?: string; port?: number };

export type Respond = (request: ReceivedRequest, response: ServerResponse) => void;

/** A real HTTPS server that keeps what it was sent, byte for byte. */
export async function startReceiver(
  certificate: Certificate,
  respond: Respond = (_request, response) => response.end('ok'),
  place: Place = {},
): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const server = https.createServer(certificate, (message, response) => {
    readWhole(message).then(
      (request) => {
        requests.push(request);
        respond(request, response);
      },
      () => response.destroy(),
    );
  });
  // It says so in its answers: on a machine that stands still for seconds a connection is still there for the next request.
  server.keepAliveTimeout = 60_000;
  const listener = await listen(server, place);
  return { ...listener, requests };
}

/** A TLS server that answers with raw bytes, for receivers that do not speak HTTP as they should. */
export async function startRawReceiver(
  certificate: Certificate,
  onSocket: (socket: tls.TLSSocket) => void,
  place: Place = {},
): Promise<Omit<Receiver, 'requests'>> {
  const server = tls.createServer(certificate, (socket) => {
    socket.on('error', () => socket.destroy());
    onSocket(socket);
  });
  return listen(server, place);
}

/** A server that accepts connections and says nothing, not even the handshake. */
export function startSilentServer(place: Place = {}): Promise<Omit<Receiver, 'requests'>> {
  // Reading on is what lets it notice that the other side has gone.
  return listen(
    net.createServer((socket) => socket.resume()),
    place,
  );
}

/** Waits on any server and can close it with all its connections. */
export async function listen(
  server: Server,
  { address = '127.0.0.1', port = 0 }: Place,
): Promise<Omit<Receiver, 'requests'>> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', (_error, socket: Socket) => socket.destroy());
  server.listen(port, address);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    openConnections: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readWhole(message: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return {
    method: message.method ?? '',
    path: message.url ?? '',
    headers: message.headers,
    rawBody: Buffer.concat(chunks),
  };
}
