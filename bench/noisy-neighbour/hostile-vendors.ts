import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createAuthority } from '../../src/platform/outbound/testing/certificates.ts';
import type { TestOrganization } from '../../test/harness/accounts.ts';
import { call } from '../../test/harness/client.ts';
import { HOSTILITIES, type Hostility } from '../../test/vendors/hostile.ts';
import type { Frame } from '../frame/frame.ts';
import type { BenchService } from '../frame/start-service.ts';
import type { BenchInstall } from '../ingest/payloads.ts';
import type { Sample } from '../load/plan.ts';
import type { HostileOrder, HostileReport } from './play-hostile-vendors.ts';

const INSTALLS_OF_EACH = 4;
const LOUD_FIRST_MS = 2_000;

type Send = (order: HostileOrder) => Promise<HostileReport | undefined>;

/** The vendors of the loud tenant, and what the service has to know to call them. */
export type HostileVendors = {
  settings: Record<string, string>;
  installs: Record<Hostility, { id: string; token: string }[]>;
  addInstalls(service: BenchService, loud: TestOrganization): Promise<void>;
  send: Send;
};

export async function openHostileVendors(frame: Frame): Promise<HostileVendors> {
  const authority = await createAuthority('Vendors');
  const folder = await mkdtemp(path.join(tmpdir(), 'dukkan-hostile-'));
  frame.atEnd(() => rm(folder, { recursive: true, force: true }));
  const caFile = path.join(folder, 'ca.pem');
  await writeFile(caFile, authority.cert);
  const send = (await frame.startHelper(new URL('./play-hostile-vendors.ts', import.meta.url))) as Send;
  const port = await findFreePort();
  await send({ certificate: await authority.issue({ addresses: ['127.0.0.1'] }), port });
  const installs: HostileVendors['installs'] = { hang: [], drip: [], flood: [], redirect: [] };
  return {
    settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1', WEBHOOK_CA_FILE: caFile },
    installs,
    async addInstalls({ baseUrl }, loud) {
      for (const mode of HOSTILITIES) {
        const settings = { access_token: 'Atza|bench', api_base_url: `https://127.0.0.1:${port}/${mode}` };
        for (let made = 0; made < INSTALLS_OF_EACH; made += 1) {
          installs[mode].push(await addInstall(baseUrl, loud, 'amazon-sp', settings));
        }
      }
    },
    send,
  };
}

/** For the quiet tenant, whose orders come by a webhook. */
export async function addShop({ baseUrl }: BenchService, shop: TestOrganization): Promise<BenchInstall> {
  const secret = randomBytes(24).toString('base64url');
  const { id } = await addInstall(baseUrl, shop, 'woocommerce', { webhook_secret: secret });
  return { id, organizationId: shop.id, secret };
}

async function addInstall(baseUrl: string, { owner }: TestOrganization, app_slug: string, settings: object) {
  const made = await call<{ data: { id: string; ingest_token: string } }>(baseUrl, 'POST /apps', {
    token: owner.token,
    body: { app_slug, settings },
  });
  if (made.status !== 201) throw new Error(made.text);
  return { id: made.body.data.id, token: made.body.data.ingest_token };
}

export async function measureBesideVendors(
  { frame, service, vendors }: { frame: Frame; service: BenchService; vendors: HostileVendors },
  hostility: Hostility,
  measure: () => Promise<Sample>,
): Promise<Sample> {
  await vendors.send({ baseUrl: service.baseUrl, hostility, installs: vendors.installs[hostility] });
  await delay(LOUD_FIRST_MS);
  const sample = await measure();
  const report = await vendors.send('quiet');
  if (process.env.BENCH_SHOW_NOISE) {
    console.error(hostility, report?.sent, `${Math.round(await frame.readMemoryMb())} MB`);
  }
  // What still waits for those vendors is no part of the next measurement.
  await service.sql`delete from staging_queue where app_slug = 'amazon-sp'`;
  return sample;
}

async function findFreePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
