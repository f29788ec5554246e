import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAuthority } from '../../src/platform/outbound/testing/certificates.ts';
import type { ReceiverFigures } from '../baselines/webhook-receiver.ts';
import type { Frame } from '../frame/frame.ts';

export type Receiver = {
  /** Of webhooks; its paths are described in baselines/webhook-receiver.ts. */
  origin: string;
  tlsCa: string;
  /** Settings with which a service delivers to it. */
  serviceEnv: Record<string, string>;
  /** For files of the run, removed at the end. */
  folder: string;
  /** Returns the figures and resets the count. */
  takeFigures(): Promise<ReceiverFigures>;
  readFigures(): Promise<ReceiverFigures>;
  /** Resolves when the count has reached this number. */
  received(count: number): Promise<ReceiverFigures>;
};

/** The receiver in a process of its own on the loopback, over TLS with a certificate made for the run. */
export async function openReceiver(frame: Frame): Promise<Receiver> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dukkan-bench-ca-'));
  frame.atEnd(() => rm(folder, { recursive: true, force: true }));
  const authority = await createAuthority();
  const { key, cert } = await authority.issue({ addresses: ['127.0.0.1'] });
  const caFile = path.join(folder, 'ca.pem');
  await writeFile(caFile, authority.cert);
  const port = await freePort();
  const { baseUrl } = await frame.startBaseline('webhook-receiver.ts', {
    TLS_KEY: key,
    TLS_CERT: cert,
    TLS_PORT: `${port}`,
  });
  const ask = async (method: string, query = '') =>
    (await fetch(`${baseUrl}/${query}`, { method })).json() as Promise<ReceiverFigures>;
  return {
    origin: `https://127.0.0.1:${port}`,
    tlsCa: authority.cert,
    serviceEnv: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_CA_FILE: caFile },
    folder,
    takeFigures: () => ask('POST'),
    readFigures: () => ask('GET'),
    received: (count) => ask('GET', `?until=${count}`),
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
