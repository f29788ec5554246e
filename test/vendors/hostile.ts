import type { ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

/** Hostile behaviours, chosen by the first segment of the path. */
export const HOSTILITIES = ['hang', 'drip', 'flood', 'redirect'] as const;
export type Hostility = (typeof HOSTILITIES)[number];

const MEGABYTE = 1024 * 1024;
/** 4 MB of JSON that is expensive to parse, with a token for another such page. */
const FLOOD = Buffer.from(
  `{"payload":{"AmazonOrderId":"1","NextToken":"again","OrderItems":[${'{},'.repeat((4 * MEGABYTE) / 3)}{}]}}`,
);

/**
 * A vendor that never responds, responds with a byte per second, responds with endless 4 MB pages, or redirects to itself. It uses
 * HTTPS with the given certificate and closes all connections when it is closed.
 */
export async function startHostileVendor(certificate: { key: string; cert: string }, port = 0) {
  const server = https.createServer(certificate, (request, response) => {
    request.resume();
    request.on('error', () => {});
    response.on('error', () => {});
    const [, mode = ''] = (request.url ?? '').split('/');
    if (mode === 'flood') response.writeHead(200, { 'content-type': 'application/json' }).end(FLOOD);
    else if (mode === 'redirect')
      response.writeHead(302, { location: `https://${request.headers.host}/redirect/on` }).end();
    else if (mode === 'drip') drip(response);
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 1_000);
  response.once('close', () => clearInterval(timer));
}
