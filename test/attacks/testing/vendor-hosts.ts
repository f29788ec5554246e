import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAuthority } from '../../../src/platform/outbound/testing/certificates.ts';
import {
  type ReceivedRequest,
  type Receiver,
  type Respond,
  startReceiver,
} from '../../../src/platform/outbound/testing/receiver.ts';
import { atEndOfFile } from '../../harness/end-of-file.ts';

export type VendorHost = Receiver & {
  origin: string;
  /** Answers to come; without one the host answers as the vendor does. */
  respondWith(respond: Respond | undefined): void;
  /** Whether a text arrived here: in a path, a header or a body, as it is or inside a Basic header. */
  hasSeen(text: string): boolean;
};

/** HTTPS hosts that stand in for a vendor, and what a service needs to be able to call them. */
export async function startVendorHosts() {
  const authority = await createAuthority('Vendor hosts');
  const certificate = await authority.issue({ addresses: ['127.0.0.1', '127.0.0.3'] });
  const folder = await mkdtemp(path.join(tmpdir(), 'dukkan-vendor-hosts-'));
  const caFile = path.join(folder, 'ca.pem');
  await writeFile(caFile, authority.cert);
  atEndOfFile(() => rm(folder, { recursive: true, force: true }));

  async function start(address = '127.0.0.1'): Promise<VendorHost> {
    let special: Respond | undefined;
    const receiver = await startReceiver(
      certificate,
      (request, response) => (special ?? answerAsVendor)(request, response),
      { address },
    );
    atEndOfFile(() => receiver.close());
    return {
      ...receiver,
      origin: `https://${address}:${receiver.port}`,
      respondWith(respond) {
        special = respond;
      },
      hasSeen: (text) => receiver.requests.some((request) => textOf(request).includes(text)),
    };
  }

  return { start, settings: { WEBHOOK_CA_FILE: caFile, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } };
}

/** Takes every call, and hands out a token that names the host it came from. */
const answerAsVendor: Respond = ({ path: target, headers }, response) => {
  response.setHeader('content-type', 'application/json');
  const isToken = /\/(oauth\/token|token)$/.test(target);
  response.end(JSON.stringify(isToken ? { access_token: tokenOf(headers.host), expires_in: 3600 } : { data: {} }));
};

export const tokenOf = (host: string | undefined) => `token-of-${host}`;

function textOf({ path: target, headers, rawBody }: ReceivedRequest): string {
  const values = Object.values(headers).flatMap((value) => value ?? []);
  const decoded = values.map((value) => Buffer.from(value.replace(/^Basic /i, ''), 'base64').toString('utf8'));
  return [target, ...values, ...decoded, rawBody.toString('utf8')].join('\n');
}
