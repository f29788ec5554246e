import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLoopback } from '../../../src/platform/outbound/testing/loopback.ts';
import { type Receiver, type Respond, startReceiver } from '../../../src/platform/outbound/testing/receiver.ts';
import { atEndOfFile } from '../../../test/harness/end-of-file.ts';
import { startVendors, type VendorSimulator } from '../../../test/vendors/simulator.ts';

export type Outside = {
  /** What the service needs to call all of it, and trust it. */
  settings: Record<string, string>;
  vendors: VendorSimulator;
  /** A receiver of webhooks, and its address. */
  receiver(respond?: Respond): Promise<Receiver & { url: string }>;
};

/** What the service calls: receivers of webhooks and the simulated vendors, on this machine over real TLS. */
export async function startOutside(): Promise<Outside> {
  const loopback = await createLoopback();
  const vendors = await startVendors();
  const folder = await mkdtemp(path.join(tmpdir(), 'dukkan-outside-'));
  const caFile = path.join(folder, 'ca.pem');
  await writeFile(caFile, `${loopback.authority.cert}\n${vendors.caPem}\n`);
  atEndOfFile(async () => {
    await vendors.close();
    await loopback.closeAll();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    vendors,
    // A delivery is dead-lettered after two attempts, which tests can wait for.
    settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_CA_FILE: caFile, WEBHOOK_RETRY_DELAYS: '1' },
    async receiver(respond) {
      const receiver = loopback.keep(await startReceiver(loopback.certificate, respond));
      return { ...receiver, url: `https://127.0.0.1:${receiver.port}/in` };
    },
  };
}
