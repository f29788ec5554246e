import { BEFORE_THE_RECORD } from '../modules/audit/index.ts';
import { listBranchOutlines, saveBranches } from '../modules/branches/index.ts';
import { BRANDS, CATEGORIES, insertGroup } from '../modules/catalog-groups/index.ts';
import { addMember } from '../modules/identity/index.ts';
import { findByIvIds, saveProducts } from '../modules/products/index.ts';
import { changeSkus, removeOfProducts } from '../modules/skus/index.ts';
import type { Tx } from '../platform/database/index.ts';
import { newId } from '../platform/ids.ts';
import { seedClosures } from './closures.ts';
import { beforeThose, planRecounts, planRepricings } from './everyday-changes.ts';
import type { DemoActors, DemoPeople } from './people.ts';
import { type DemoProduct, generateProducts } from './products.ts';
import { type Random, seededRandom } from './random.ts';
import { generateStock } from './stock.ts';
import { type DemoBranch, GROCERY_BRANCHES, PHARMACY_BRANCHES } from './words/branches.ts';
import { GROCERY } from './words/grocery.ts';
import { PHARMACY } from './words/pharmacy.ts';
import type { Names, WordList } from './words/word-list.ts';

type DemoShop = { words: WordList; branches: readonly DemoBranch[]; maker: string; branchUserAt: string };

/** In the order of the demo's organizations. */
const SHOPS: readonly DemoShop[] = [
  { words: PHARMACY, branches: PHARMACY_BRANCHES, maker: '7201', branchUserAt: 'JED-RAWDAH' },
  { words: GROCERY, branches: GROCERY_BRANCHES, maker: '7202', branchUserAt: 'JED-SAFA' },
];

const SEED = 1447;
const DAY_MS = 86_400_000;
/** The shops opened before the year of orders of the demo. */
const OPENED_DAYS_AGO = 400;
const COUNTED_DAYS_AGO = 1;
const BATCH = 1000;

/** A size of the first shop that is no longer ordered. It has no SKUs, so that the reference's example can delete it. */
export const SPARE_PRODUCT = 'FAID-0001';

/** The products of each organization, in their order. */
export type SeededGoods = { organizationId: string; products: DemoProduct[] }[];

/** Fills the organizations with goods and confines each branch user to its branch. Names it in the logins. */
export async function seedCatalog(tx: Tx, people: DemoPeople, now: Date): Promise<SeededGoods> {
  const goods: SeededGoods = [];
  for (const [index, shop] of SHOPS.entries()) {
    const organization = people.logins.organizations[index];
    const branchUser = people.branchUsers[index];
    const actors = people.actors[index];
    if (organization === undefined || branchUser === undefined || actors === undefined)
      throw new Error('a demo shop has no organization');
    const products = await seedShop(tx, organization.id, shop, actors, seededRandom(SEED + index), now);
    goods.push({ organizationId: organization.id, products });
    await addMember(tx, {
      organizationId: organization.id,
      userId: branchUser.userId,
      role: 'member',
      branchId: await getBranchId(tx, organization.id, shop.branchUserAt),
      now,
    });
    organization.branch_user.branch_iv_id = shop.branchUserAt;
  }
  return goods;
}

async function seedShop(
  tx: Tx,
  organizationId: string,
  shop: DemoShop,
  actors: DemoActors,
  random: Random,
  now: Date,
): Promise<DemoProduct[]> {
  const { words, branches, maker } = shop;
  const opened = new Date(now.getTime() - OPENED_DAYS_AGO * DAY_MS);
  const counted = new Date(now.getTime() - COUNTED_DAYS_AGO * DAY_MS);
  const saved = await saveBranches(tx, organizationId, 'create', branches, BEFORE_THE_RECORD, opened);
  refuseFailures(Object.entries(saved.errors).map(([ivId, reason]) => `${ivId}: ${reason}`));
  await seedClosures(tx, organizationId, actors.owner, now);

  const brandIds = await insertGroups(tx, BRANDS, organizationId, Object.entries(words.brands), opened);
  const categoryIds = await insertGroups(
    tx,
    CATEGORIES,
    organizationId,
    Object.entries(words.categories).map(([key, { names }]) => [key, names]),
    opened,
  );
  const products = generateProducts(words, maker, random).map((product) =>
    product.iv_id === SPARE_PRODUCT ? { ...product, is_enabled: false } : product,
  );
  const repricings = planRepricings(products, now);
  for (const batch of inBatches(beforeThose(repricings, products))) {
    const items = batch.map(({ brand, category, ...product }: DemoProduct) => ({
      ...product,
      brand_id: brandIds.get(brand),
      category_id: categoryIds.get(category),
    }));
    const faults = await saveProducts(tx, organizationId, 'create', items, BEFORE_THE_RECORD, opened);
    refuseFailures(
      faults.flatMap((fault, place) => (fault === undefined ? [] : `${items[place]?.iv_id}: ${fault.message}`)),
    );
  }

  for (const { at, changes } of repricings) {
    const faults = await saveProducts(tx, organizationId, 'update', changes, actors.member, at);
    refuseFailures(faults.flatMap((fault) => fault?.message ?? []));
  }

  const branchIvIds = branches.map((branch) => branch.iv_id);
  const stock = generateStock(products, branchIvIds, random);
  const recounts = planRecounts(stock, shop.branchUserAt, counted);
  for (const batch of inBatches(beforeThose(recounts, stock))) {
    const { errors } = await changeSkus(tx, { organizationId, onlyBranchId: null }, batch, BEFORE_THE_RECORD, counted);
    refuseFailures(Object.entries(errors).map(([ivId, reason]) => `${ivId}: ${reason}`));
  }
  for (const { at, changes } of recounts) {
    const { errors } = await changeSkus(tx, { organizationId, onlyBranchId: null }, changes, actors.branchUser, at);
    refuseFailures(Object.entries(errors).map(([ivId, reason]) => `${ivId}: ${reason}`));
  }
  const spares = await findByIvIds(tx, organizationId, [SPARE_PRODUCT]);
  const ids = spares.map(({ id }) => id);
  await removeOfProducts(tx, organizationId, ids);
  return products;
}

async function insertGroups(
  tx: Tx,
  kind: typeof BRANDS,
  organizationId: string,
  groups: readonly (readonly [string, Names])[],
  now: Date,
): Promise<Map<string, string>> {
  const ids = new Map(groups.map(([key]) => [key, newId()]));
  await Promise.all(
    groups.map(([key, [name_en, name_ar]]) =>
      insertGroup(tx, kind, organizationId, { id: ids.get(key) ?? '', name_en, name_ar, created: now, updated: now }),
    ),
  );
  return ids;
}

async function getBranchId(tx: Tx, organizationId: string, ivId: string): Promise<string> {
  const branch = (await listBranchOutlines(tx, organizationId)).find(({ iv_id }) => iv_id === ivId);
  if (branch === undefined) throw new Error(`the demo has no branch ${ivId}`);
  return branch.id;
}

/** The lists are ours: whatever the rules refuse is a mistake in them, and half a shop is worse than none. */
function refuseFailures(failures: string[]): void {
  if (failures.length > 0) throw new Error(`the demo catalog was refused: ${failures.slice(0, 5).join('; ')}`);
}

function inBatches<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, index) =>
    items.slice(index * BATCH, (index + 1) * BATCH),
  );
}
