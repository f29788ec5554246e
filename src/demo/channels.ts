import { randomBytes } from 'node:crypto';
import { findApp, type Install, newInstall, placeInstall } from '../modules/apps/index.ts';
import { type Actor, BEFORE_THE_RECORD } from '../modules/audit/index.ts';
import type { Tx } from '../platform/database/index.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { Shelf } from './baskets.ts';
import type { Family } from './order-course.ts';

export type DemoChannel = {
  slug: string;
  family: Exclude<Family, 'api'>;
  /** Percent of the orders, in each of the two shops. */
  shares: readonly [pharmacy: number, grocery: number];
  /** The vendor's id of its n-th order, and the number that people see. */
  idOf(number: number): string;
  referenceOf(number: number): string;
  /** The vendor's id of a branch by its index. A web store has one id for all branches. */
  storeIdOf(branch: number): string;
};

const padded = (number: number, digits: number) => String(number).padStart(digits, '0');

/** The rest comes over the API, from the shop's own page. */
export const CHANNELS: readonly DemoChannel[] = [
  {
    slug: 'jahez',
    family: 'delivery_app',
    shares: [13, 18],
    idOf: (number) => String(48_000_000 + number),
    referenceOf: (number) => String(48_000_000 + number),
    storeIdOf: (branch) => String(4120 + branch),
  },
  {
    slug: 'hungerstation',
    family: 'delivery_app',
    shares: [12, 16],
    idOf: (number) => `9d4a63b5-3e07-4440-96af-${padded(number, 12)}`,
    referenceOf: (number) => padded(number % 10_000, 4),
    storeIdOf: (branch) => `hs-${70_210 + branch}`,
  },
  {
    slug: 'talabat',
    family: 'delivery_app',
    shares: [5, 8],
    idOf: (number) => `2f6e1c90-7a1b-4d52-8f4e-${padded(number, 12)}`,
    referenceOf: (number) => padded(number % 10_000, 4),
    storeIdOf: (branch) => `tlb-${610 + branch}`,
  },
  {
    slug: 'salla',
    family: 'web_store',
    shares: [17, 7],
    idOf: (number) => String(2_116_000_000 + number),
    referenceOf: (number) => String(41_000_000 + number),
    storeIdOf: () => '1305146709',
  },
  {
    slug: 'zid',
    family: 'web_store',
    shares: [8, 5],
    idOf: (number) => String(39_000_000 + number),
    referenceOf: (number) => `zr${(number * 7919).toString(36).toUpperCase()}`,
    storeIdOf: () => '20417',
  },
  {
    slug: 'amazon-sp',
    family: 'marketplace',
    shares: [6, 3],
    idOf: (number) => `405-${padded((number * 7919) % 10_000_000, 7)}-${padded(number, 7)}`,
    referenceOf: (number) => `405-${padded((number * 7919) % 10_000_000, 7)}-${padded(number, 7)}`,
    storeIdOf: () => 'A17E79C6D8DWNP',
  },
  {
    slug: 'foodics',
    family: 'pos',
    shares: [12, 15],
    idOf: (number) => `98d1f8c2-4a5b-4c3d-9e2f-${padded(number, 12)}`,
    referenceOf: (number) => padded(number, 6),
    storeIdOf: (branch) => `8d82ff0c-${padded(branch, 4)}`,
  },
  {
    slug: 'generic',
    family: 'erp',
    shares: [4, 4],
    idOf: (number) => `ERP-${number}`,
    referenceOf: (number) => `SO-${number}`,
    storeIdOf: (branch) => `WH-${padded(branch + 1, 2)}`,
  },
  {
    slug: 'till',
    family: 'till',
    shares: [14, 16],
    idOf: () => '',
    referenceOf: () => '',
    storeIdOf: () => '',
  },
];

export type DemoInstall = Pick<Install, 'id' | 'app_slug' | 'settings'> & {
  /** By the index of the branch. */
  storeIds: readonly string[];
};

const DAY_MS = 86_400_000;
const CHANNELS_DAYS_AGO = 390;
const PAYMENTS_DAYS_AGO = 20;

/**
 * The installs by the app they are of, each with the settings that verify and assign a vendor's calls. None has an address or a
 * key of its vendor, so the demo calls no vendor. Payment apps use the sandbox.
 */
export async function installApps(
  tx: Tx,
  box: SecretBox,
  shop: { organizationId: string; shelves: readonly Shelf[]; owner: Actor },
  now: Date,
): Promise<Map<string, DemoInstall>> {
  const { organizationId, shelves, owner } = shop;
  const first = { branch_iv_id: shelves[0]?.ivId ?? '' };
  const installs = new Map<string, DemoInstall>();
  async function install(slug: string, settings: Install['settings'], storeIds: string[], daysAgo: number) {
    const app = findApp(slug);
    if (app === undefined) throw new Error(`there is no app ${slug}`);
    const made = newInstall(app, { organizationId, settings, now: new Date(now.getTime() - daysAgo * DAY_MS) });
    const author = daysAgo === CHANNELS_DAYS_AGO ? BEFORE_THE_RECORD : owner;
    await placeInstall(tx, box, made, author, []);
    installs.set(slug, { id: made.id, app_slug: slug, settings, storeIds });
  }

  for (const { slug, family, storeIdOf } of CHANNELS) {
    const storeIds = shelves.map((_shelf, branch) => storeIdOf(branch));
    const branches = Object.fromEntries(shelves.map(({ ivId }, branch) => [storeIdOf(branch), ivId]));
    const hasStores = family !== 'web_store' && family !== 'marketplace' && family !== 'till';
    const where = hasStores ? { branches } : first;
    await install(slug, { ...secretFor(slug), ...where }, storeIds, CHANNELS_DAYS_AGO);
  }
  for (const slug of ['tabby-pos-paylinks', 'tamara-pos-paylinks'])
    await install(slug, { sandbox: true }, [], PAYMENTS_DAYS_AGO);
  return installs;
}

/** Random: with a constant secret, a reader of this code could forge calls to any demo. */
function secretFor(slug: string): Install['settings'] {
  const takesOne = findApp(slug)?.settings.includes('webhook_secret') ?? false;
  return takesOne ? { webhook_secret: randomBytes(24).toString('base64url') } : {};
}
