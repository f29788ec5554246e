import type { ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

/** How a vendor can be at its worst; the first step of a path chooses. */
export const HOSTILITIES = ['hang', 'drip', 'flood', 'redirect'] as const;
export type Hostility = (typeof HOSTILITIES)[number];

const MEGABYTE = 1024 * 1024;
/** Four megabytes of the most expensive JSON there is, with the address of another such page. */
const FLOOD = Buffer.from(
  `{"payload":{"AmazonOrderId":"1","NextToken":"again","OrderItems":[${'{},'.repeat((4 * MEGABYTE) / 3)}{}]}}`,
);

/**
 * A vendor that never answers, answers a byte a second, answers 4 MB for ever, or redirects to itself. It speaks HTTPS with the
 * given certificate, and lets go of everything when it is closed.
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
