import { BEFORE_THE_RECORD } from '../modules/audit/index.ts';
import { listBranchOutlines, saveBranches } from '../modules/branches/index.ts';
import { BRANDS, CATEGORIES, insertGroup } from '../modules/catalog-groups/index.ts';
import { removeOfBranch } from '../modules/skus/index.ts';
import type { Tx } from '../platform/database/index.ts';
import { newId } from '../platform/ids.ts';
import { SPARE_BRANCH } from './words/branches.ts';

const DAY_MS = 86_400_000;
const RECEIVED_DAYS_AGO = 6;
/** Before the other branches: a list shows the newest first, and its first branch should have SKUs. */
const OPENED_DAYS_AGO = 410;

/** Of a supplier, and for goods, that the shop has not received yet. */
export const SPARE_BRAND = { name_en: 'Sidr Botanicals', name_ar: 'سدر بوتانيكالز' };
export const SPARE_CATEGORY = { name_en: 'Gift boxes', name_ar: 'علب الهدايا' };

/**
 * What the examples of the reference delete. The service refuses to delete what is in use, and the year of orders uses everything else.
 * Seeded after the orders, so that no order is placed with it.
 */
export async function seedSpares(tx: Tx, organizationId: string, now: Date): Promise<void> {
  const opened = new Date(now.getTime() - OPENED_DAYS_AGO * DAY_MS);
  const { errors } = await saveBranches(tx, organizationId, 'create', [SPARE_BRANCH], BEFORE_THE_RECORD, opened);
  const branch = (await listBranchOutlines(tx, organizationId)).find(({ iv_id }) => iv_id === SPARE_BRANCH.iv_id);
  if (branch === undefined) throw new Error(`the demo branch was refused: ${JSON.stringify(errors)}`);
  await removeOfBranch(tx, organizationId, branch.id);
  const received = new Date(now.getTime() - RECEIVED_DAYS_AGO * DAY_MS);
  const times = { created: received, updated: received };
  await insertGroup(tx, BRANDS, organizationId, { id: newId(), ...SPARE_BRAND, ...times });
  await insertGroup(tx, CATEGORIES, organizationId, { id: newId(), ...SPARE_CATEGORY, ...times });
}
