import { readPlacements } from '../../../src/cli/cluster/cluster-status.ts';
import { seedCatalog } from '../../../src/modules/skus/testing/catalog.ts';
import type { Sql } from '../../../src/platform/database/index.ts';
import { type TestOrganization, testOrganization } from '../../harness/accounts.ts';
import { call } from '../../harness/client.ts';
import type { ChaosInstall } from '../ingest/deliveries.ts';

/** More than is sold. */
export const STOCK = 1_000_000;

/** With an article at the till, an app that receives orders, and a webhook subscription whose path is the tenant's id. */
export type Tenant = TestOrganization & {
  /** The port of its node. */
  node: string;
  install: ChaosInstall;
};

const PER_NODE = 2;

/** Two on every worker. */
export async function makeTenants(sql: Sql, baseUrl: string, receiver: string): Promise<Tenant[]> {
  const tenants: Tenant[] = [];
  const placements = await readPlacements(sql);
  const nodes = new Set(placements.map(({ node }) => node));
  const countOn = (node: string) => tenants.filter((tenant) => tenant.node === portOf(node)).length;
  while ([...nodes].some((node) => countOn(node) < PER_NODE)) {
    const organization = await testOrganization(sql);
    const group = sql.layout.groupOf(organization.id);
    const node = placements.find(({ tenant_group }) => tenant_group === group)?.node ?? '';
    if (countOn(node) >= PER_NODE) continue;
    tenants.push({ ...organization, node: portOf(node), install: await prepare(sql, baseUrl, receiver, organization) });
  }
  return tenants;
}

const portOf = (node: string) => node.split(':')[1] ?? '';

async function prepare(sql: Sql, baseUrl: string, receiver: string, { id, owner }: TestOrganization) {
  await seedCatalog(sql, id, { products: [{ iv_id: 'A', name_en: 'A', average_price: 3 }], branches: ['SHOP'] });
  await sql`update skus set current_qty = ${STOCK} where organization_id = ${id}`;
  await create(baseUrl, owner.token, 'POST /webhook-subscriptions', { url: `${receiver}/${id}` });
  const secret = `secret-${id}`;
  const install = await create(baseUrl, owner.token, 'POST /apps', {
    app_slug: 'generic',
    settings: { webhook_secret: secret },
  });
  return { id: install, organizationId: id, appSlug: 'generic' as const, secret };
}

async function create(baseUrl: string, token: string, target: string, body: object): Promise<string> {
  const made = await call<{ data?: { id: string } }>(baseUrl, target, { token, body });
  if (made.status !== 201) throw new Error(`${target}: ${made.text}`);
  return made.body.data?.id ?? '';
}
