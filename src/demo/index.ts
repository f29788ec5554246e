import { listPaymentsOf, listRefundsOf } from '../modules/commercial/billing/index.ts';
import { countOrganizations, organizationExists } from '../modules/identity/index.ts';
import { ADVISORY_LOCKS, inTransaction, type Tx } from '../platform/database/index.ts';
import type { App } from '../platform/http/app.ts';
import type { Document } from '../platform/http/openapi/document.ts';
import { isId } from '../platform/ids.ts';
import { findFact, settleFact } from '../platform/installation/index.ts';
import type { Platform } from '../platform/platform.ts';
import { seedBilling } from './billing.ts';
import { seedCatalog } from './catalog.ts';
import {
  attachDocuments,
  recordWithReceipt,
  seedCommercial,
  seedServices,
  type TenantMoney,
  type UnrecordedTransfer,
} from './commercial.ts';
import { seedGoals } from './goals.ts';
import { seedJobs } from './jobs.ts';
import { seedLeads } from './leads.ts';
import { type FoundLogins, findLogins, writeLogins } from './logins.ts';
import { seedOffers } from './offers.ts';
import { seedOrders, TRADES } from './orders.ts';
import { createPeople, seedSightings } from './people.ts';
import { seedPictures } from './pictures/seed-pictures.ts';
import { findExampleIds, setExampleIds } from './reference-examples.ts';
import { DEFAULT_SEED } from './settings.ts';
import { seedSpares } from './spares.ts';
import { prepareStaging } from './staging.ts';
import { seedSupport } from './support.ts';
import { seedWebhooks } from './webhooks.ts';

export type DemoOptions = {
  /** In a database with other organizations: loads nothing. Otherwise it is an error unless `besideOthers`. */
  onlyWhenEmpty: boolean;
  besideOthers?: boolean;
  seed?: number;
  onProgress?: (progress: LoadProgress) => void;
};

/** Orders generated so far, of all orders of the demo. */
export type LoadProgress = { orders: number; ofOrders: number };

/** Loads the demo once. True when it loaded. */
export async function loadDemo(platform: Platform, options: DemoOptions): Promise<boolean> {
  const { sql, clock, config, log } = platform;
  const startedMs = performance.now();
  if ((await findFact(sql, 'demo_loaded_at')) === undefined) await prepareStaging(sql, clock.now());
  let transfer: UnrecordedTransfer | undefined;
  let documentedService: string | undefined;
  const file = await inTransaction(sql, async (tx) => {
    await tx`select pg_advisory_xact_lock(${ADVISORY_LOCKS.demo})`;
    if (!(await isWanted(tx, options))) return undefined;
    const now = clock.now();
    const people = await createPeople(tx, now);
    const goods = await seedCatalog(tx, people, now);
    for (const { organizationId, products } of goods) {
      await seedPictures(tx, platform.files, organizationId, products);
    }
    await seedOffers(tx, people, goods, now);
    const load = { box: platform.box, baseUrl: `http://localhost:${config.port}`, seed: options.seed ?? DEFAULT_SEED };
    await seedOrders(tx, { ...load, onOrder: countOrders(options.onProgress) }, people, now);
    await seedGoals(tx, people, now);
    documentedService = await seedServices(tx, platform.box, people.logins, now);
    await seedBilling(tx, people, now);
    const [payments, refunds]: [TenantMoney[], TenantMoney[]] = [[], []];
    for (const { id: organizationId } of people.logins.organizations) {
      for (const payment of await listPaymentsOf(tx, organizationId)) payments.push({ ...payment, organizationId });
      for (const refund of await listRefundsOf(tx, organizationId)) refunds.push({ ...refund, organizationId });
    }
    transfer = await seedCommercial(tx, platform.box, { logins: people.logins, payments, refunds }, now);
    await seedWebhooks(tx, platform.box, people, now);
    await seedLeads(tx, now);
    await seedSupport(tx, people, now);
    await seedSpares(tx, people.logins.organizations[0]?.id ?? '', now);
    await seedSightings(tx, people);
    await seedJobs(tx, people, now);
    await settleFact(tx, 'demo_loaded_at', now.toISOString());
    const installationId = await findFact(tx, 'installation_id');
    // Written before the commit: a crash in between leaves a file that the next load overwrites, never a demo without logins.
    return writeLogins(config.dataDir, { ...people.logins, installation_id: installationId });
  });
  if (file !== undefined && transfer !== undefined && documentedService !== undefined) {
    const files = [
      recordWithReceipt(platform, transfer),
      attachDocuments(platform, documentedService, transfer.operator),
    ];
    // A file less is no reason for a start to fail.
    await Promise.all(files).catch((error) => log.warn({ err: error }, 'the demo has a document less'));
  }
  if (file !== undefined) log.info({ tookMs: Math.round(performance.now() - startedMs), logins: file }, 'demo loaded');
  return file !== undefined;
}

/** Reports every hundred orders: more often than a person can see, and cheap. */
function countOrders(onProgress: DemoOptions['onProgress']): (() => void) | undefined {
  if (onProgress === undefined) return undefined;
  const ofOrders = TRADES.reduce((sum, trade) => sum + trade.orders, 0);
  let orders = 0;
  return () => {
    orders += 1;
    if (orders % 100 === 0) onProgress({ orders: Math.min(orders, ofOrders), ofOrders });
  };
}

export async function isDemoLoaded({ sql }: Platform): Promise<boolean> {
  return (await findFact(sql, 'demo_loaded_at')) !== undefined;
}

/** Where the logins of the demo in this database are, as far as this data folder has them. */
export async function findDemoLogins({ sql, config }: Platform): Promise<FoundLogins | undefined> {
  const installationId = (await findFact(sql, 'installation_id')) ?? '';
  return findLogins(config.dataDir, installationId, async (id) => isId(id) && organizationExists(sql, id));
}

/** Makes the examples of the reference name rows of the demo, when it is loaded. */
export async function setDemoExamples(app: App, platform: Platform, document: Document): Promise<void> {
  const found = await findDemoLogins(platform);
  const loadedAt = await findFact(platform.sql, 'demo_loaded_at');
  if (found === undefined || loadedAt === undefined) return;
  setExampleIds(document, await findExampleIds(app, found.logins, loadedAt));
}

/** Reports the outcome to the caller. */
export async function seedDemo(
  platform: Platform,
  { force }: { force: boolean },
): Promise<{ loaded: boolean; logins: string | null; text: string }> {
  const loaded = await loadDemo(platform, { onlyWhenEmpty: false, besideOthers: force });
  const outcome = loaded ? 'The demo is loaded.' : 'The demo was loaded before.';
  const found = await findDemoLogins(platform);
  const where =
    found === undefined
      ? `The data folder ${platform.config.dataDir} does not have its logins: they are in the one it was loaded from.`
      : `Its logins are in ${found.file}`;
  return { loaded, logins: found?.file ?? null, text: `${outcome} ${where}` };
}

async function isWanted(tx: Tx, { onlyWhenEmpty, besideOthers = false }: DemoOptions): Promise<boolean> {
  if ((await findFact(tx, 'demo_loaded_at')) !== undefined) return false;
  const others = await countOrganizations(tx);
  if (others === 0 || (!onlyWhenEmpty && besideOthers)) return true;
  if (onlyWhenEmpty) return false;
  throw new Error(
    `This database has ${others === 1 ? 'an organization' : `${others} organizations`} that the demo did not make, and ` +
      'would have four more with orders, leads and payments that never happened: nothing was loaded. ' +
      'dukkan seed --force loads it beside them',
  );
}
