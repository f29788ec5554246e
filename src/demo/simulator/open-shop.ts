import { type Install, listInstalls } from '../../modules/apps/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { rankProducts, readShelves } from '../baskets.ts';
import { type Buyer, generateBuyers } from '../buyers.ts';
import { CHANNELS, type DemoChannel } from '../channels.ts';
import type { DemoTrader } from '../compose-order.ts';
import type { DemoOrganization } from '../logins.ts';
import { TRADES } from '../orders.ts';
import { seededRandom } from '../random.ts';
import { WRITERS } from '../vendor-payloads.ts';

/** A shop of the demo as the simulator knows it. */
export type SimulatedShop = {
  /** Its place among the organizations of the demo. */
  index: number;
  organization: DemoOrganization;
  trader: DemoTrader;
  installs: ReadonlyMap<string, Install>;
  /** The channels that vendors push to, and the till, with their shares of the orders. */
  channels: readonly DemoChannel[];
  weights: readonly number[];
  buyers: readonly Buyer[];
};

/** The customers who come back most often are the first that the load generates. */
const BUYERS = 600;

/** Undefined when the shop has no open branch or none of the demo's apps any more. */
export async function openShop(
  { sql, box }: Pick<Platform, 'sql' | 'box'>,
  organization: DemoOrganization,
  index: number,
  seed: number,
): Promise<SimulatedShop | undefined> {
  const kind = TRADES[index]?.kind ?? 'pharmacy';
  const branches = await readShelves(sql, organization.id);
  const shelves = branches.filter(({ isOpen, items }) => isOpen && items.length > 0);
  const enabled = (await listInstalls(sql, box, organization.id)).filter((install) => install.enabled);
  const installs = new Map(enabled.map((install) => [install.app_slug, install]));
  const channels = CHANNELS.filter(
    ({ slug }) => installs.has(slug) && (slug === 'till' || WRITERS[slug] !== undefined),
  );
  if (shelves.length === 0 || channels.length === 0) return undefined;
  const random = seededRandom(seed + index);
  const buyers = generateBuyers(BUYERS, shelves.length, random);
  const demoInstalls = channels.flatMap(({ slug, storeIdOf }) => {
    const install = installs.get(slug);
    if (install === undefined) return [];
    // By the install's own assignment: branches may have been added since the load.
    const assigned = new Map(Object.entries(install.settings.branches ?? {}).map(([storeId, ivId]) => [ivId, storeId]));
    const storeIds = shelves.map(({ ivId }) => assigned.get(ivId) ?? storeIdOf(0));
    return [{ id: install.id, app_slug: slug, settings: install.settings, storeIds }];
  });
  return {
    index,
    organization,
    trader: {
      kind,
      shelves,
      installs: new Map(demoInstalls.map((install) => [install.app_slug, install])),
      popularity: rankProducts(shelves[0]?.items.length ?? 0, random),
    },
    installs,
    channels,
    weights: channels.map(({ shares }) => shares[index] ?? 0),
    buyers,
  };
}
